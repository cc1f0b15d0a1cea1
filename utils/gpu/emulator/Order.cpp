#include "Order.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace emulator {

std::optional<Order> Order::parse(std::string_view text) {
  if (text == "forward")
    return Order(Kind::Forward);
  if (text == "backward")
    return Order(Kind::Backward);
  constexpr std::string_view random = "random:";
  if (text.substr(0, random.size()) != random)
    return std::nullopt;
  uint64_t seed = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data() + random.size(), end, seed);
  return error == std::errc() && rest == end ? std::optional(Order(Kind::Random, seed)) : std::nullopt;
}

std::vector<int32_t> Order::next(int32_t count) {
  std::vector<int32_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (kind == Kind::Backward)
    std::reverse(numbers.begin(), numbers.end());
  // std::shuffle differs between implementations of the standard library.
  for (size_t left = numbers.size(); kind == Kind::Random && left > 1; --left)
    std::swap(numbers[left - 1], numbers[generator() % left]);
  return numbers;
}

// Draws lengths of different magnitudes, so that blocks are sometimes far apart and sometimes interleaved.
int32_t Order::nextSteps() {
  constexpr uint64_t lengths = 8;
  return kind == Kind::Random ? 1 << generator() % lengths : 1;
}

} // namespace emulator

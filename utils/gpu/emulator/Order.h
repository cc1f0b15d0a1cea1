// Chooses the order of blocks and threads where it is unspecified.
#ifndef CAMEO_UTILS_GPU_EMULATOR_ORDER_H
#define CAMEO_UTILS_GPU_EMULATOR_ORDER_H

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace emulator {

class Order {
public:
  enum class Kind { Forward, Backward, Random };
  explicit Order(Kind kind = Kind::Forward, uint64_t seed = 0) : kind(kind), generator(seed) {}

  /// Parses "forward", "backward" or "random:SEED"; returns nothing for another text.
  static std::optional<Order> parse(std::string_view text);

  /// Returns a permutation of the numbers below `count`.
  std::vector<int32_t> next(int32_t count);

  /// Returns the number of steps of a block before another block runs.
  int32_t nextSteps();

private:
  Kind kind;
  std::mt19937_64 generator;
};

} // namespace emulator

#endif

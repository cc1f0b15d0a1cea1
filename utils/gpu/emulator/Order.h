// In which order blocks and threads run where nothing says so.
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

  /// "forward", "backward" or "random:SEED"; none of another text.
  static std::optional<Order> parse(std::string_view text);

  /// The numbers below `count`, each once.
  std::vector<int32_t> next(int32_t count);

  /// How often a block goes on before another one may.
  int32_t nextSteps();

private:
  Kind kind;
  std::mt19937_64 generator;
};

} // namespace emulator

#endif

#include "utils/Driver/Run/RandomInputs.h"

#include <cmath>
#include <numbers>

using namespace cameo;

namespace {

/// SplitMix64. The distributions of the standard library differ between implementations.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// Returns a number in (0, 1].
  double unit() { return (static_cast<double>(next() >> 11) + 1) * 0x1p-53; }
  float normal() {
    return static_cast<float>(std::sqrt(-2 * std::log(unit())) * std::cos(2 * std::numbers::pi * unit()));
  }
  /// Returns a number in [0, largest].
  uint64_t integer(uint64_t largest) { return largest == UINT64_MAX ? next() : next() % (largest + 1); }

private:
  uint64_t state;
};

} // namespace

template <typename T, typename Draw> static void fill(Tensor &tensor, Draw draw) {
  for (T &element : tensor.elements<T>())
    element = static_cast<T>(draw());
}

void cameo::fillRandom(Tensor &tensor, uint64_t seed, int64_t largestInteger, float deviation) {
  // Steps the generator once, so that neighbouring seeds give unrelated sequences.
  Random random(Random(seed).next());
  auto normal = [&] { return deviation * random.normal(); };
  auto byte = [&] { return random.integer(255); };
  auto smallInteger = [&] { return random.integer(static_cast<uint64_t>(largestInteger)); };
  switch (tensor.type) {
  case CAMEO_FLOAT32:
    return fill<float>(tensor, normal);
  case CAMEO_FLOAT64:
    return fill<double>(tensor, normal);
  case CAMEO_FLOAT16:
    return fill<uint16_t>(tensor, [&] { return floatToHalf(normal()); });
  case CAMEO_BFLOAT16:
    return fill<uint16_t>(tensor, [&] { return floatToBfloat(normal()); });
  case CAMEO_UINT8:
  case CAMEO_INT8:
    return fill<uint8_t>(tensor, byte);
  case CAMEO_BOOL:
    return fill<uint8_t>(tensor, [&] { return random.integer(1); });
  case CAMEO_UINT16:
  case CAMEO_INT16:
    return fill<uint16_t>(tensor, smallInteger);
  case CAMEO_UINT32:
  case CAMEO_INT32:
    return fill<uint32_t>(tensor, smallInteger);
  case CAMEO_UINT64:
  case CAMEO_INT64:
    return fill<uint64_t>(tensor, smallInteger);
  case CAMEO_STRING: {
    static const char *const words[] = {"",    "a",  "b",      "cat",   "Monday", "monday tuesday",
                                        "1.5", "-2", "straße", "a,b,,c"};
    for (int64_t i = 0, count = tensor.elementCount(); i < count; ++i)
      tensor.setString(i, words[random.integer(std::size(words) - 1)]);
    return;
  }
  default: {
    // Bit patterns of a narrow type, except for infinities and NaNs.
    uint64_t bytes = (uint64_t(1) << storedBits(tensor.type)) - 1;
    return fill<uint8_t>(tensor, [&] { return random.integer(bytes) & 0x3F; });
  }
  }
}

#include "Products.h"

#include <algorithm>
#include <limits>

namespace emulator {

/// Adds the vectors that hold `points` points of the matrix.
static void addVectors(const Descriptor &matrix, int32_t points, std::bitset<mostVectors> &vectors) {
  constexpr int32_t steps = 16;
  for (int32_t point = 0; point < points; ++point)
    for (int32_t step = 0; step < steps; ++step)
      vectors.set(matrix.addressOf(point, step) / vectorBytes % mostVectors);
}

const char *ThreadProducts::multiply(const char *shared, const Descriptor &left, const Descriptor &right,
                                     int32_t thread, Numbers numbers, float *registers, int32_t count,
                                     ReadHook noteRead) {
  constexpr int32_t rows = 64;
  if (!isFenced)
    return "multiplies with no fence between what has changed its sums and the product";
  for (const Descriptor &matrix : {left, right})
    if (const char *problem = matrix.problem())
      return problem;
  if (underWay.empty())
    sums.assign(registers, registers + count);
  multiplyGroup(shared, left, right, thread, numbers, sums.data(), count, noteRead);
  std::fill(registers, registers + count, std::numeric_limits<float>::quiet_NaN());
  Product &product = underWay.emplace_back(Product{groups, {}});
  ++started;
  // All threads of the group read the same matrices.
  if (thread == 0) {
    addVectors(left, rows, product.vectors);
    addVectors(right, 2 * count, product.vectors);
  }
  return nullptr;
}

bool ThreadProducts::await(int32_t pending, float *registers, int32_t count) {
  underWay.erase(std::remove_if(underWay.begin(), underWay.end(),
                                [&](const Product &product) { return product.group < groups - pending; }),
                 underWay.end());
  if (count == 0)
    return true;
  std::copy(sums.begin(), sums.end(), registers);
  isFenced = false;
  return underWay.empty();
}

bool ThreadProducts::reads(const char *shared, const void *address, size_t bytes) const {
  auto begin = static_cast<size_t>(static_cast<const char *>(address) - shared), end = begin + bytes;
  if (underWay.empty() || static_cast<const char *>(address) < shared || end > mostVectors * vectorBytes)
    return false;
  for (const Product &product : underWay)
    for (size_t vector = begin / vectorBytes; vector * vectorBytes < end; ++vector)
      if (product.vectors[vector])
        return true;
  return false;
}

} // namespace emulator

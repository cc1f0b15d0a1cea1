#include "Products.h"

#include <algorithm>
#include <limits>

namespace emulator {

/// Adds the parts of memory that hold `points` points of the matrix, whole atoms of eight rows.
static void addParts(const GroupMatrix &matrix, int32_t points, std::vector<ReadPart> &parts) {
  constexpr int32_t atomRows = 8, numberBytes = 2, steps = 16, vectorBytes = 16;
  auto atom = static_cast<uintptr_t>(atomRows * matrix.row);
  const char *begin = static_cast<const char *>(matrix.begin);
  // Without a permutation an atom may begin anywhere.
  if (matrix.row > vectorBytes)
    begin -= reinterpret_cast<uintptr_t>(begin) % atom;
  int32_t numbersOfRow = matrix.row / numberBytes, along = matrix.isTurned ? points : steps,
          rows = matrix.isTurned ? steps : points;
  for (int32_t panel = 0; panel < std::max(1, along / numbersOfRow); ++panel)
    for (int32_t row = 0; row < rows; row += atomRows) {
      const char *from = begin + panel * matrix.leading + row / atomRows * matrix.stride;
      parts.push_back({from, from + atom});
    }
}

void ThreadProducts::multiply(const GroupMatrix &left, const GroupMatrix &right, int32_t thread, Numbers numbers,
                              float *registers, int32_t count, ReadHook noteRead) {
  constexpr int32_t rows = 64;
  if (underWay.empty())
    sums.assign(registers, registers + count);
  multiplyGroup(left, right, thread, numbers, sums.data(), count, noteRead);
  std::fill(registers, registers + count, std::numeric_limits<float>::quiet_NaN());
  Product &product = underWay.emplace_back(Product{groups, {}});
  // All threads of the group read the same matrices.
  if (thread > 0)
    return;
  addParts(left, rows, product.parts);
  addParts(right, 2 * count, product.parts);
}

bool ThreadProducts::await(int32_t pending, float *registers, int32_t count) {
  underWay.erase(std::remove_if(underWay.begin(), underWay.end(),
                                [&](const Product &product) { return product.group < groups - pending; }),
                 underWay.end());
  if (count == 0)
    return true;
  std::copy(sums.begin(), sums.end(), registers);
  return underWay.empty();
}

bool ThreadProducts::reads(const void *address, size_t bytes) const {
  const auto *begin = static_cast<const char *>(address), *end = begin + bytes;
  for (const Product &product : underWay)
    for (const ReadPart &part : product.parts)
      if (begin < part.end && part.begin < end)
        return true;
  return false;
}

} // namespace emulator

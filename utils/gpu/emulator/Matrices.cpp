#include "Matrices.h"

#include <cstring>

namespace emulator {
namespace {

/// Threads that share a row of a fragment, and the rows or columns that these have.
constexpr int32_t threadsOfRow = 4, groups = 8;

float asFloat(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

float numberOf(uint32_t word, int32_t which, bool isBrain) {
  uint32_t bits = which == 0 ? word & 0xffff : word >> 16;
  if (isBrain)
    return asFloat(bits << 16);
  uint32_t magnitude = (bits & 0x7fff) << 13, infinite = 0x1f << 23, sign = (bits & 0x8000) << 16;
  // The difference of the exponents' biases: exact, also of numbers that are not normal ones.
  float number = magnitude >= infinite ? asFloat(magnitude | 0x7f800000) : asFloat(magnitude) * 0x1p112f;
  return sign != 0 ? -number : number;
}

} // namespace

uint32_t loadPart(const WarpRegisters &rows, int32_t matrix, int32_t lane, bool isTransposed, ReadHook noteRead) {
  auto addressOf = [&](int32_t row, int32_t column) {
    const char *address;
    memcpy(&address, rows[static_cast<size_t>(matrix * groups + row)].data(), sizeof address);
    return address + column * static_cast<int32_t>(sizeof(uint16_t));
  };
  int32_t group = lane / threadsOfRow, pair = lane % threadsOfRow * 2;
  std::array<uint16_t, 2> numbers;
  for (int32_t which = 0; which < 2; ++which) {
    const char *from = isTransposed ? addressOf(pair + which, group) : addressOf(group, pair + which);
    if (noteRead)
      noteRead(from, sizeof(uint16_t));
    memcpy(&numbers[static_cast<size_t>(which)], from, sizeof(uint16_t));
  }
  return numbers[0] | uint32_t(numbers[1]) << 16;
}

void multiplyMatrices(const WarpRegisters &registers, int32_t lane, bool isBrain, uint32_t *sums) {
  int32_t group = lane / threadsOfRow, pair = lane % threadsOfRow * 2;
  for (int32_t sum = 0; sum < 4; ++sum) {
    int32_t upper = sum / 2, column = pair + sum % 2;
    float start;
    memcpy(&start, sums + sum, sizeof start);
    double all = start;
    for (int32_t thread = 0; thread < threadsOfRow; ++thread)
      for (size_t half = 0; half < 2; ++half)
        for (int32_t which = 0; which < 2; ++which) {
          uint32_t left = registers[static_cast<size_t>(group * threadsOfRow + thread)]
                                   [static_cast<size_t>(upper) + 2 * half],
                   right = registers[static_cast<size_t>(column * threadsOfRow + thread)][rightPlace + half];
          all += double(numberOf(left, which, isBrain)) * double(numberOf(right, which, isBrain));
        }
    auto rounded = static_cast<float>(all);
    memcpy(sums + sum, &rounded, sizeof rounded);
  }
}

} // namespace emulator

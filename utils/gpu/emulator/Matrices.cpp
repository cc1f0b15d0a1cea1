#include "Matrices.h"

#include <cstring>

namespace emulator {
namespace {

/// Number of threads that share a row of a fragment, and number of rows or columns of these.
constexpr int32_t threadsOfRow = 4, groups = 8;
/// Steps of a product of a group of warps.
constexpr int32_t groupDepth = 16;

float asFloat(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

int32_t countOf(Numbers numbers) { return numbers == Numbers::Tf32 ? 1 : 2; }

/// Returns element `which` of a register.
float numberOf(uint32_t word, int32_t which, Numbers numbers) {
  if (numbers == Numbers::Tf32)
    return asFloat(word);
  uint32_t bits = which == 0 ? word & 0xffff : word >> 16;
  if (numbers == Numbers::Bf16)
    return asFloat(bits << 16);
  uint32_t magnitude = (bits & 0x7fff) << 13, infinite = 0x1f << 23, sign = (bits & 0x8000) << 16;
  // Multiplies by the difference of the exponent biases, which is exact, also for subnormal numbers.
  float number = magnitude >= infinite ? asFloat(magnitude | 0x7f800000) : asFloat(magnitude) * 0x1p112f;
  return sign != 0 ? -number : number;
}

bool areBytes(Numbers numbers) { return numbers >= Numbers::U8U8 && numbers <= Numbers::S8S8; }

/// Returns byte `which` of a register.
int32_t byteOf(uint32_t word, int32_t which, bool isSigned) {
  auto byte = static_cast<uint8_t>(word >> 8 * which);
  return isSigned ? static_cast<int8_t>(byte) : int32_t(byte);
}

/// Returns the sum of the products of the bytes in two registers.
uint32_t addBytes(uint32_t left, uint32_t right, Numbers numbers) {
  bool isLeftSigned = numbers == Numbers::S8U8 || numbers == Numbers::S8S8,
       isRightSigned = numbers == Numbers::U8S8 || numbers == Numbers::S8S8;
  int32_t all = 0;
  for (int32_t which = 0; which < 4; ++which)
    all += byteOf(left, which, isLeftSigned) * byteOf(right, which, isRightSigned);
  return static_cast<uint32_t>(all);
}

double addNumbers(uint32_t left, uint32_t right, Numbers numbers) {
  double all = 0;
  for (int32_t which = 0; which < countOf(numbers); ++which)
    all += double(numberOf(left, which, numbers)) * double(numberOf(right, which, numbers));
  return all;
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

void multiplyMatrices(const WarpRegisters &registers, int32_t lane, Numbers numbers, uint32_t *sums) {
  int32_t group = lane / threadsOfRow, pair = lane % threadsOfRow * 2;
  for (int32_t sum = 0; sum < 4; ++sum) {
    int32_t upper = sum / 2, column = pair + sum % 2;
    float start;
    memcpy(&start, sums + sum, sizeof start);
    double all = start;
    for (int32_t thread = 0; thread < threadsOfRow; ++thread)
      for (size_t half = 0; half < 2; ++half) {
        uint32_t left = registers[static_cast<size_t>(group * threadsOfRow + thread)]
                                 [static_cast<size_t>(upper) + 2 * half],
                 right = registers[static_cast<size_t>(column * threadsOfRow + thread)][rightPlace + half];
        if (areBytes(numbers))
          sums[sum] += addBytes(left, right, numbers);
        else
          all += addNumbers(left, right, numbers);
      }
    auto rounded = static_cast<float>(all);
    if (!areBytes(numbers))
      memcpy(sums + sum, &rounded, sizeof rounded);
  }
}

bool areNumbers(const WarpRegisters::value_type &registers, Numbers numbers) {
  constexpr uint32_t below = 0x1fff;
  for (size_t place = 0; numbers == Numbers::Tf32 && place < sumPlace; ++place)
    if (float number = asFloat(registers[place]); number == number && (registers[place] & below) != 0)
      return false;
  return true;
}

static std::array<float, groupDepth> readSteps(const char *shared, const Descriptor &matrix, int32_t point,
                                               Numbers numbers, ReadHook noteRead) {
  std::array<float, groupDepth> all;
  for (int32_t step = 0; step < groupDepth; ++step) {
    const char *from = shared + matrix.addressOf(point, step);
    if (noteRead)
      noteRead(from, sizeof(uint16_t));
    uint16_t bits;
    memcpy(&bits, from, sizeof bits);
    all[static_cast<size_t>(step)] = numberOf(bits, 0, numbers);
  }
  return all;
}

void multiplyGroup(const char *shared, const Descriptor &left, const Descriptor &right, int32_t thread, Numbers numbers,
                   float *sums, int32_t count, ReadHook noteRead) {
  constexpr int32_t rowsOfWarp = 16, sumsOfColumns = 4;
  int32_t warp = thread / warpThreads, lane = thread % warpThreads, row = warp * rowsOfWarp + lane / threadsOfRow,
          pair = lane % threadsOfRow * 2;
  std::array rows = {readSteps(shared, left, row, numbers, noteRead),
                     readSteps(shared, left, row + groups, numbers, noteRead)};
  for (int32_t sum = 0; sum < count; sum += 2) {
    // Two neighbouring columns of one row.
    const std::array<float, groupDepth> &own = rows[static_cast<size_t>(sum % sumsOfColumns / 2)];
    for (int32_t which = 0; which < 2; ++which) {
      std::array<float, groupDepth> column =
          readSteps(shared, right, sum / sumsOfColumns * groups + pair + which, numbers, noteRead);
      double all = sums[sum + which];
      for (size_t step = 0; step < groupDepth; ++step)
        all += double(own[step]) * double(column[step]);
      sums[sum + which] = static_cast<float>(all);
    }
  }
}

} // namespace emulator

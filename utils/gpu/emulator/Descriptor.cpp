#include "Descriptor.h"

namespace emulator {
namespace {

/// Bytes of a vector, numbers of one, and rows or columns of an atom.
constexpr uint32_t vectorBytes = 16, numberBytes = 2, vectorNumbers = 8, atomRows = 8;
/// Rows of a swizzle pattern are this long in banks: vectors are exchanged by bits of their address from this one on.
constexpr uint32_t bankBytes = 128;
/// The bytes of all steps of a point.
constexpr uint32_t depthBytes = 32;

/// Returns the `count` bits of the descriptor from `place` on.
uint32_t field(uint64_t bits, uint32_t place, uint32_t count) {
  return static_cast<uint32_t>(bits >> place & ((uint64_t(1) << count) - 1));
}
/// Returns the bytes that a field of 14 bits states.
uint32_t bytesOf(uint64_t bits, uint32_t place) { return field(bits, place, 14) * vectorBytes; }

} // namespace

Descriptor::Descriptor(uint64_t bits, bool isTransposed)
    : bits(bits), isTransposed(isTransposed), start(bytesOf(bits, 0)), leading(bytesOf(bits, 16)),
      stride(bytesOf(bits, 32)) {
  // The modes 1, 2 and 3 exchange vectors of 128, 64 and 32 bytes.
  uint32_t mode = field(bits, 62, 2);
  row = mode == 0 ? vectorBytes : 256 >> mode;
}

const char *Descriptor::problem() const {
  if (field(bits, 14, 2) != 0 || field(bits, 30, 2) != 0 || field(bits, 46, 3) != 0 || field(bits, 52, 10) != 0)
    return "multiplies by a descriptor with bits that have no meaning";
  if (field(bits, 49, 3) != 0)
    return "multiplies by a descriptor with a base offset, which the emulator does not know";
  if (row == vectorBytes)
    return nullptr;
  // Without a base offset a pattern of eight rows begins at a multiple of its size.
  uint32_t from = start % (atomRows * row);
  if (from >= row || stride % (atomRows * row) != 0 || (isTransposed && leading % (atomRows * row) != 0))
    return "multiplies a matrix that does not begin with a row of its pattern of vectors";
  if (isTransposed ? from != 0 : from + depthBytes > row)
    return "multiplies a matrix whose rows go on behind those of its pattern of vectors";
  return nullptr;
}

uint32_t Descriptor::addressOf(int32_t point, int32_t step) const {
  auto i = static_cast<uint32_t>(point), k = static_cast<uint32_t>(step);
  uint32_t offset;
  if (row == vectorBytes && !isTransposed)
    offset = i / atomRows * stride + i % atomRows * row + k / vectorNumbers * leading + k % vectorNumbers * numberBytes;
  else if (row == vectorBytes)
    offset = i / vectorNumbers * stride + i % vectorNumbers * numberBytes + k / atomRows * leading + k % atomRows * row;
  else if (!isTransposed)
    offset = i / atomRows * stride + i % atomRows * row + k * numberBytes;
  else
    offset = i * numberBytes / row * leading + i * numberBytes % row + k / atomRows * stride + k % atomRows * row;
  uint32_t address = start + offset, vectors = row / vectorBytes;
  return address ^ address / bankBytes % vectors * vectorBytes;
}

} // namespace emulator

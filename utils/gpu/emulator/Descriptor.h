// Where a product of four warps reads its matrices, as the PTX ISA defines it ("Asynchronous Warpgroup Level Matrix
// Shared Memory Layout", "Matrix descriptor format").
#ifndef CAMEO_UTILS_GPU_EMULATOR_DESCRIPTOR_H
#define CAMEO_UTILS_GPU_EMULATOR_DESCRIPTOR_H

#include <cstdint>

namespace emulator {

/// A matrix of 16-bit numbers with 16 steps along the depth, as the descriptor of an instruction describes it.
class Descriptor {
public:
  /// `isTransposed` is the instruction's imm-trans: whether neighbours lie along the points, rows of the left matrix or
  /// columns of the right one.
  Descriptor(uint64_t bits, bool isTransposed);

  /// Returns what no device defines about it, or null.
  const char *problem() const;
  /// Returns the address in shared memory of the number of a point at a step.
  uint32_t addressOf(int32_t point, int32_t step) const;

private:
  uint64_t bits;
  bool isTransposed;
  uint32_t start, leading, stride; ///< in bytes
  uint32_t row;                    ///< bytes in which vectors of 16 bytes are exchanged; 16: they are not
};

} // namespace emulator

#endif

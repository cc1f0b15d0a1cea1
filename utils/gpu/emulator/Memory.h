// Memory of the emulated device.
#ifndef CAMEO_UTILS_GPU_EMULATOR_MEMORY_H
#define CAMEO_UTILS_GPU_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emulator {

/// `bytes` that hold NaN in every type of float, in front of a page that nobody may touch: what a kernel reads too much
/// is no number, and what is beyond the end ends the program. Null where the host has no memory.
void *allocate(size_t bytes);

/// False where `memory` was not allocated. Nobody may touch it from now on, and nothing else comes to be there.
bool release(void *memory);

struct FoundMemory {
  const void *begin;
  size_t bytes;
  uint64_t number; ///< allocations are numbered as they are made
  bool isFreed;
};

/// The allocation that `address` is in.
std::optional<FoundMemory> findMemory(const void *address);

/// Whether [begin, begin + bytes) is inside of one allocation.
bool isInside(const void *begin, size_t bytes);

} // namespace emulator

#endif

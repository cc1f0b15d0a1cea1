// The memory of the emulated device.
#ifndef CAMEO_UTILS_GPU_EMULATOR_MEMORY_H
#define CAMEO_UTILS_GPU_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emulator {

/// Allocates `bytes` that hold NaN in every float type, before a protected page. So a read of uninitialised memory
/// gives NaN, and an access beyond the end ends the program. Returns null if the host is out of memory.
void *allocate(size_t bytes);

/// Frees `memory`: the pages are protected and not used again. Returns false if it was not allocated.
bool release(void *memory);

struct FoundMemory {
  const void *begin;
  size_t bytes;
  uint64_t number; ///< number of the allocation, in order of allocation
  bool isFreed;
};

/// Returns the allocation that contains `address`.
std::optional<FoundMemory> findMemory(const void *address);

/// Whether [begin, begin + bytes) is inside of one allocation.
bool isInside(const void *begin, size_t bytes);

} // namespace emulator

#endif

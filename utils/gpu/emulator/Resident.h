// A persistent launch: blocks that are all on the device at once, and wait for each other by counters.
#ifndef CAMEO_UTILS_GPU_EMULATOR_RESIDENT_H
#define CAMEO_UTILS_GPU_EMULATOR_RESIDENT_H

#include "Block.h"

#include <string>

namespace emulator {

/// How many blocks the emulated device has room for: two multiprocessors, each with as many.
constexpr int32_t multiprocessors = 2, blocksOfMultiprocessor = 2;

/// The shared memory of an image, which blocks have in turns.
struct SharedMemory {
  char *begin = nullptr;
  size_t bytes = 0;
};

/// Runs blocks 0 to `blocks` - 1: some barriers of the first one of `order` that can go on, and so on. Returns what is
/// wrong, in words; empty where nothing is.
std::string runResident(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t blocks,
                        int32_t threads, SharedMemory shared, Order &order);

} // namespace emulator

#endif

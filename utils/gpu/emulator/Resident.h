// Emulates a persistent launch: all blocks are resident on the device and wait for each other by counters.
#ifndef CAMEO_UTILS_GPU_EMULATOR_RESIDENT_H
#define CAMEO_UTILS_GPU_EMULATOR_RESIDENT_H

#include "Block.h"
#include "SharedMemories.h"

#include <string>

namespace emulator {

/// The number of resident blocks of the emulated device: two multiprocessors with two blocks each.
constexpr int32_t multiprocessors = 2, blocksOfMultiprocessor = 2;

/// Runs blocks 0 to `blocks` - 1: repeatedly takes the first block in `order` that can continue and runs it through
/// some barriers. Returns an error message, or "".
std::string runResident(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t blocks,
                        int32_t threads, SharedMemory shared, Order &order);

} // namespace emulator

#endif

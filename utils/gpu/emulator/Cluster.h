// Emulates a cluster: its blocks run at once, wait for each other, and read each other's shared memory.
#ifndef CAMEO_UTILS_GPU_EMULATOR_CLUSTER_H
#define CAMEO_UTILS_GPU_EMULATOR_CLUSTER_H

#include "Block.h"
#include "SharedMemories.h"

#include <string>

namespace emulator {

/// Runs the `blocks` blocks from number `first` on, each up to its next meeting with the others in turn. Returns an
/// error message, or "".
std::string runCluster(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t first, int32_t blocks,
                       int32_t threads, SharedMemory shared, Order &order);

/// The numbers of blocks of a launch and of a cluster, and of threads of a block.
struct ClusteredLaunch {
  int32_t blocks, clusterBlocks, threads;
};

/// Runs the clusters of a launch one after the other. Returns an error message, or "".
std::string runClusters(const ImageVariables &variables, Kernel kernel, void **arguments, ClusteredLaunch launch,
                        SharedMemory shared, Order &order, bool isDependent);

} // namespace emulator

#endif

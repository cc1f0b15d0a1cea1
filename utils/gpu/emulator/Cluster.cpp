#include "Cluster.h"

#include "Check.h"

#include <memory>

namespace emulator {

/// Runs a block until it ends or meets the others.
static BlockThreads::Progress runToMeeting(BlockThreads &block) {
  BlockThreads::Progress progress;
  do
    progress = block.advance();
  while (progress == BlockThreads::Progress::GoesOn && problem().empty());
  return progress;
}

std::string runCluster(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t first, int32_t blocks,
                       int32_t threads, SharedMemory shared, Order &order) {
  using Progress = BlockThreads::Progress;
  SharedMemories memories(shared, blocks);
  setFunctions(variables, [&](const void *address, int32_t number) { return memories.find(address, number); });
  std::vector<std::unique_ptr<BlockThreads>> running;
  for (int32_t block = first; block < first + blocks; ++block) {
    running.push_back(std::make_unique<BlockThreads>(variables, kernel, arguments, block, threads, order));
    beginBlock(block, shared.begin, variables.access ? shared.bytes : 0);
  }
  for (;;) {
    int32_t met = 0, ended = 0;
    for (int32_t number : order.next(blocks)) {
      memories.enter(number);
      enterBlock(first + number);
      Progress progress = runToMeeting(*running[number]);
      if (progress == Progress::Stuck || !problem().empty())
        return problem().empty() ? stuckText(first + number) : problem();
      met += progress == Progress::AtMeeting;
      ended += progress == Progress::Ended;
      if (progress == Progress::Ended)
        noteBlockEnd();
      if (!problem().empty())
        return problem();
    }
    if (ended == blocks)
      return "";
    if (met < blocks)
      return "some blocks of the cluster of block " + std::to_string(first) +
             " wait for others that have ended, or wait for a counter";
    for (const std::unique_ptr<BlockThreads> &block : running)
      block->passMeeting();
  }
}

std::string runClusters(const ImageVariables &variables, Kernel kernel, void **arguments, ClusteredLaunch launch,
                        SharedMemory shared, Order &order, bool isDependent) {
  auto [blocks, count, threads] = launch;
  if (blocks % count != 0)
    return "expected a multiple of " + std::to_string(count) + " blocks, got " + std::to_string(blocks);
  beginLaunch(/*residentBlocks=*/0, isDependent, count);
  for (int32_t cluster : order.next(blocks / count)) {
    std::string wrong = runCluster(variables, kernel, arguments, cluster * count, count, threads, shared, order);
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

} // namespace emulator

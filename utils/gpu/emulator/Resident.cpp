#include "Resident.h"

#include "Check.h"

#include <algorithm>
#include <memory>

namespace emulator {
std::string runResident(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t blocks,
                        int32_t threads, SharedMemory shared, Order &order) {
  using Progress = BlockThreads::Progress;
  setFunctions(variables);
  *variables.grid = blocks;
  SharedMemories memories(shared, blocks);
  std::vector<std::unique_ptr<BlockThreads>> running;
  for (int32_t block = 0; block < blocks; ++block) {
    running.push_back(std::make_unique<BlockThreads>(variables, kernel, arguments, block, threads, order));
    beginBlock(block, shared.begin, variables.access ? shared.bytes : 0);
  }
  for (size_t left = running.size(); left > 0;) {
    std::vector<int32_t> candidates = order.next(blocks);
    auto next = std::find_if(candidates.begin(), candidates.end(),
                             [&](int32_t block) { return running[block] && !running[block]->isWaiting(); });
    if (next == candidates.end())
      return "all blocks wait for counters that no block increments";
    memories.enter(*next);
    enterBlock(*next);
    Progress progress = Progress::GoesOn;
    for (int32_t steps = order.nextSteps(); steps > 0 && progress == Progress::GoesOn; --steps)
      progress = running[*next]->advance();
    if (progress == Progress::Stuck || !problem().empty())
      return problem().empty() ? stuckText(*next) : problem();
    if (progress == Progress::Ended) {
      running[*next].reset();
      --left;
    }
  }
  return "";
}

} // namespace emulator

#include "passes/Schedule/Emission/Gpu/JoinedNests.h"

namespace cameo::schedule {

JoinedNests findJoined(const TaskProgram &program, BlockSchedules schedules) {
  JoinedNests joined;
  unsigned first = 0;
  for (auto [number, group] : llvm::enumerate(program.groups)) {
    const GpuSchedule &threads = schedules.threads[first];
    if (threads.online) {
      joined.attentions.emplace(number, *findAttention(program, number));
      for (unsigned nest = first + 1 - attentionNests; nest < first; ++nest)
        joined.elsewhere.insert(nest);
    }
    if (threads.chained) {
      Chains chains = findChains(program, schedules.threads, first);
      unsigned before = chains.back().firstNest;
      std::erase_if(joined.chains, [&](const auto &each) { return each.second.back().secondNest == before; });
      joined.elsewhere.insert(before);
      joined.chains.emplace(number, std::move(chains));
    }
    if (!threads.pool.empty()) {
      const Pool &pool = joined.pools.emplace(number, *findPool(program, number)).first->second;
      joined.elsewhere.insert(pool.nests.begin(), pool.nests.end());
    }
    first += group.nests.size();
  }
  return joined;
}

bool JoinedNests::isReadUntilEnd(const TaskProgram &program, unsigned argument) const {
  auto reads = [&](const Node &node) {
    return node.isRead() && program.buffers[node.buffer].isArgument() && program.buffers[node.buffer].index == argument;
  };
  return llvm::any_of(attentions, [&](const auto &each) { return llvm::any_of(each.second.scores.nodes, reads); }) ||
         llvm::any_of(chains, [&](const auto &each) {
           return llvm::any_of(each.second,
                               [&](const Chain &chain) { return llvm::any_of(chain.first->nodes, reads); });
         });
}

} // namespace cameo::schedule

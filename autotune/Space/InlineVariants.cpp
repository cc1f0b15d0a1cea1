#include "autotune/Space/InlineVariants.h"

using namespace cameo::schedule;

namespace cameo::autotune {

/// The limit per task: each inlined nest is a variant with sketches of its own.
static constexpr size_t mostInlined = 6;

static bool replaces(const Replacement &replacement, unsigned nest) {
  const auto *fused = std::get_if<FuseStep>(&replacement);
  unsigned first = std::visit([](const auto &each) { return each.nest; }, replacement);
  return nest >= first && nest <= (fused ? fused->last : first);
}

static int64_t pointsOf(const LoopNest &nest) {
  int64_t points = 1;
  for (const Dimension &dimension : nest.dims)
    points *= int64_t(dimension.extent);
  return points;
}

/// Whether the readers of `nest` have so many more points in total that its long functions would dominate their work.
static bool repeatsLongFunctions(const TaskProgram &program, const LoopNest &nest) {
  constexpr int64_t mostTimes = 2;
  if (llvm::none_of(nest.nodes, isLongFunction))
    return false;
  int64_t points = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &reader : group.nests)
      if (llvm::any_of(reader.nodes, [&](const Node &node) {
            return node.kind == Node::Kind::Load && node.buffer == nest.outputs.front().buffer;
          }))
        points += pointsOf(reader);
  return points > mostTimes * pointsOf(nest);
}

std::vector<std::vector<Replacement>> inlineVariants(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen) {
  std::vector<std::vector<Replacement>> variants;
  std::vector<Replacement> all(chosen.begin(), chosen.end());
  unsigned number = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      InlineStep step{number++};
      if (variants.size() == mostInlined ||
          llvm::any_of(chosen, [&](const Replacement &each) { return replaces(each, step.nest); }))
        continue;
      TaskProgram inlined = program;
      if (llvm::Error error = inlineNest(inlined, step)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      if (repeatsLongFunctions(program, nest))
        continue;
      variants.emplace_back(chosen.begin(), chosen.end()).push_back(step);
      all.push_back(step);
    }
  if (variants.size() > 1)
    variants.push_back(std::move(all));
  return variants;
}

} // namespace cameo::autotune

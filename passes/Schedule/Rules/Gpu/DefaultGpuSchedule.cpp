#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The most threads of a block that has rows of its own.
constexpr int64_t rowThreads = 256;
/// A reduction of so many steps, or of so many where each of few points could have a thread, is worth the barriers at its end.
constexpr int64_t fewestSteps = 64, fewestAloneSteps = 256, mostAlonePoints = 1024;
/// Vectors are for points enough to keep so many threads of each multiprocessor busy.
constexpr int64_t busyThreads = 512;

Size productOf(const LoopNest &nest, unsigned first, bool reductions) {
  Size product = 1;
  for (const Dimension &dim : ArrayRef(nest.dims).drop_front(first))
    if (dim.reduction == reductions)
      product *= dim.extent;
  return product;
}

bool isAlone(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Whether threads may take the steps of the reductions of `nest` in any order, and shared memory holds what each has.
bool canReduceTogether(const LoopNest &nest) {
  auto isPlain = [&](size_t number) {
    Type type = nest.nodes[nest.reductions[number].update].type;
    bool isHeld = type.isF32() || type.isF64() || (type.isInteger() && type.getIntOrFloatBitWidth() >= 8);
    return isHeld && matchCombiner(nest, number);
  };
  return nest.hasReduction() && llvm::all_of(llvm::seq(nest.reductions.size()), isPlain);
}

/// Whether the threads of a block reduce a point of `nest` together: it has fewer points than threads, and many steps for each.
bool shouldReduceTogether(const NestGroup &group, const LoopNest &nest) {
  Size points = productOf(nest, group.rowDims, /*reductions=*/false), steps = productOf(nest, 0, /*reductions=*/true);
  if (!points.isKnown() || !steps.isKnown() || !canReduceTogether(nest))
    return false;
  if (isAlone(group))
    return int64_t(points) <= mostAlonePoints && int64_t(steps) >= fewestAloneSteps;
  return int64_t(points) * 4 <= rowThreads && int64_t(steps) >= fewestSteps;
}

/// Blocks have a point each, and threads shares of the longest reduction: neighbours along it are neighbours in memory more often than not.
ThreadSchedule reduceTogether(const NestGroup &group, const LoopNest &nest) {
  ThreadSchedule chosen;
  std::optional<unsigned> longest;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (dimension.reduction && (!longest || int64_t(dimension.extent) >= int64_t(nest.dims[*longest].extent)))
      longest = dim;
    if (!dimension.reduction && isAlone(group)) {
      chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), Binding::Block});
      chosen.loops.loops.push_back({static_cast<unsigned>(dim), 1});
    }
  }
  chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), Binding::Thread});
  chosen.loops.loops.push_back({*longest, 1});
  return chosen;
}

/// The last parallel dimension, if results have its elements side by side.
std::optional<unsigned> findNeighbours(const NestGroup &group, const LoopNest &nest) {
  for (unsigned dim = group.rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && llvm::all_of(nest.outputs, [&](const Output &output) { return output.address.coefficients[dim] == 1 && !output.index; }))
      return dim;
  return std::nullopt;
}

/// The widest vectors that one access reads or writes, where there are points enough.
ThreadSchedule chooseLanes(const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu) {
  ThreadSchedule chosen;
  Size points = productOf(nest, group.rowDims, /*reductions=*/false);
  std::optional<unsigned> dim = findNeighbours(group, nest);
  if (!nest.hasKnownSizes() || !points.isKnown() || !dim)
    return chosen;
  int64_t bytes = 1;
  for (const Output &output : nest.outputs)
    bytes = std::max(bytes, bytesOf(nest.nodes[output.value].type));
  for (const Node &node : nest.nodes)
    if (node.kind == Node::Kind::Load && node.address.coefficients[*dim] == 1)
      bytes = std::max(bytes, bytesOf(node.type));
  constexpr int64_t accessBytes = 16, mostLanes = 8;
  int64_t lanes = std::min(accessBytes / bytes, mostLanes), needed = isAlone(group) ? gpu.processors * busyThreads : rowThreads;
  while (lanes > 1 && (int64_t(nest.dims[*dim].extent) % lanes != 0 || int64_t(points) / lanes < needed))
    lanes /= 2;
  if (lanes > 1) {
    chosen.loops.vectorDim = dim;
    chosen.loops.lanes = lanes;
  }
  return chosen;
}

} // namespace

ThreadSchedule defaultSchedule(const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu) {
  if (std::optional<ThreadSchedule> tile = isAlone(group) ? chooseBlockTile(nest, gpu) : std::nullopt)
    return std::move(*tile);
  return shouldReduceTogether(group, nest) ? reduceTogether(group, nest) : chooseLanes(group, nest, gpu);
}

ThreadSchedules defaultSchedules(const TaskProgram &program, const GpuMachine &gpu) {
  ThreadSchedules all;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      ThreadSchedule chosen = defaultSchedule(group, nest, gpu);
      all.loops.push_back(std::move(chosen.loops));
      all.threads.push_back(std::move(chosen.threads));
    }
  return all;
}

std::vector<ThreadSchedule> plainOptions(const NestGroup &group, const LoopNest &nest) {
  std::vector<ThreadSchedule> all(1);
  std::optional<unsigned> dim = nest.hasKnownSizes() ? findNeighbours(group, nest) : std::nullopt;
  for (unsigned lanes = 2; dim && lanes <= 8 && int64_t(nest.dims[*dim].extent) % lanes == 0; lanes *= 2) {
    all.emplace_back().loops.vectorDim = dim;
    all.back().loops.lanes = lanes;
  }
  if (canReduceTogether(nest))
    all.push_back(reduceTogether(group, nest));
  return all;
}

} // namespace cameo::schedule

// The bind step: distributes iterations of a loop over the blocks or threads of a GPU.
#include "passes/Schedule/Rules/Gpu/Chain.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"
#include "passes/Schedule/Rules/Gpu/Window.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

/// Verifies that loops are in the order blocks, reductions, virtual threads, threads, and that there is at most one
/// loop of each kind over a dimension.
static std::string verifyOrder(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  int reached = 0;
  llvm::SmallVector<std::pair<unsigned, int>> seen;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    if (loop.dim < rowDims || loop.dim >= nest.dims.size())
      return llvm::formatv("expected a dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1, loop.dim);
    std::optional<Binding> binding = gpuSchedule.bindingOf(number);
    if (binding == Binding::VirtualThread && nest.dims[loop.dim].reduction)
      return llvm::formatv("loop {0} over a reduction cannot be bound to virtual threads", number);
    if (binding == Binding::Warp && !nest.dims[loop.dim].reduction && !gpuSchedule.tensor)
      return llvm::formatv("loop {0} over a parallel dimension cannot be bound to warps", number);
    if (!binding && !nest.dims[loop.dim].reduction)
      return llvm::formatv("expected loop {0} over a parallel dimension to be bound", number);
    if (binding == Binding::Cluster && (!nest.dims[loop.dim].reduction || !gpuSchedule.tensor))
      return llvm::formatv("expected loop {0} over a reduction whose products the matrix unit computes, for a cluster",
                           number);
    int kind = !binding                                                   ? 1
               : binding == Binding::Block || binding == Binding::Cluster ? 0
               : binding == Binding::VirtualThread                        ? 2
                                                                          : 3;
    if (kind < reached)
      return llvm::formatv("expected loops over blocks, reductions, virtual threads and threads in this order, got "
                           "loop {0} after others",
                           number);
    reached = kind;
    if (llvm::is_contained(seen, std::pair(loop.dim, kind)))
      return llvm::formatv("dimension {0} is divided by two loops that are bound to the same level", loop.dim);
    seen.emplace_back(loop.dim, kind);
  }
  for (const BoundLoop &each : gpuSchedule.bound)
    if (each.loop >= schedule.loops.size())
      return llvm::formatv("expected a loop below {0}, got {1}", schedule.loops.size(), each.loop);
  return "";
}

/// Verifies that partial results of several threads or blocks can be combined.
static std::string verifyParts(const LoopNest &nest) {
  return canReduceTogether(nest)
             ? ""
             : "expected reductions that repeat an operation with an identity, of types that threads can exchange";
}

/// Verifies that blocks that share a reduction have equal parts of one dimension, so that no part is ragged.
static std::string verifySplit(const LoopNest &nest, const BlockTile &tile) {
  constexpr int64_t mostSplits = 64;
  unsigned split = 0;
  for (auto [number, dim] : llvm::enumerate(tile.dims)) {
    if (!nest.dims[number].reduction || dim.splits() == 1)
      continue;
    ++split;
    if (dim.extent % dim.share != 0 || dim.share % dim.block != 0)
      return llvm::formatv("expected blocks that divide dimension {0} of {1} into equal parts that are multiples of a "
                           "fetch, got {2} and {3}",
                           number, dim.extent, dim.share, dim.block);
  }
  if (split > 1 || tile.splits > mostSplits)
    return llvm::formatv("expected one reduction that at most {0} blocks divide, got {1} of {2}", mostSplits, split,
                         tile.splits);
  if (split > 0 && nest.reductions.size() > 1)
    return "expected one running result per point if blocks divide a reduction";
  return split > 0 ? verifyParts(nest) : "";
}

/// Verifies that blocks that share a reduction can be a cluster, and exchange their sums in the memory of an operand.
static std::string verifyCluster(const GpuNestToVerify &of, const BlockTile &tile) {
  if (int64_t most = of.gpu.mostClusterBlocks(); tile.splits < 2 || tile.splits > most)
    return llvm::formatv("expected at least 2 blocks of a cluster, and at most {0} on {1}, got {2}", most, of.gpu.name,
                         tile.splits);
  if (int64_t bytes = exchangedBytes(tile), room = largestMemory(of.nest, of.gpuSchedule, tile).second; bytes > room)
    return llvm::formatv("expected sums of a block of a cluster in the {0} bytes of an operand, got {1} bytes", room,
                         bytes);
  return "";
}

/// Verifies a split reduction of a nest without tiles.
static std::string verifyPlainSplit(const GpuNestToVerify &of) {
  if (!of.isAlone || !of.nest.hasKnownSizes() || of.schedule.loops.size() != 1)
    return "expected a single nest of static sizes, and no other loop if blocks divide a reduction and threads have "
           "points";
  for (unsigned dim = of.schedule.vectorDim.value_or(of.nest.dims.size()); dim < of.nest.dims.size(); ++dim)
    if (dim != *of.schedule.vectorDim && !of.nest.dims[dim].reduction)
      return llvm::formatv(
          "expected vectors along the last parallel dimension if blocks divide a reduction, got dimension {0}",
          *of.schedule.vectorDim);
  return verifySplit(of.nest, tileOf(of.nest, of.schedule, of.gpuSchedule));
}

static std::string verifyTogether(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (std::string wrong = verifyParts(nest); !wrong.empty())
    return wrong;
  unsigned threadLoops = 0;
  for (const BoundLoop &each : gpuSchedule.bound) {
    const Loop &loop = schedule.loops[each.loop];
    if (each.to == Binding::Block && nest.dims[loop.dim].reduction)
      return llvm::formatv("expected blocks of points where loop {0} over a reduction is bound to blocks", each.loop);
    if (loop.size != 1)
      return llvm::formatv("expected pieces of 1 if threads reduce together, got {0}", loop.size);
    threadLoops += each.to == Binding::Thread;
  }
  if (threadLoops != 1 || schedule.vectorDim || gpuSchedule.bound.size() != schedule.loops.size())
    return "expected one loop over a reduction that is bound to threads, and no others except those bound to blocks";
  unsigned blockLoops = gpuSchedule.bound.size() - threadLoops,
           parallel = llvm::count_if(nest.dims, [](const Dimension &dim) { return !dim.reduction; });
  if (isAlone ? blockLoops != parallel : blockLoops != 0)
    return llvm::formatv("expected loops over {0} dimensions that are bound to blocks, got {1}", isAlone ? parallel : 0,
                         blockLoops);
  return "";
}

static std::string verifyByWarp(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (!canReduceByWarp(nest))
    return "expected reductions that repeat an operation with an identity, of f32 or i32, which threads of a warp "
           "exchange";
  if (schedule.loops.size() != 1 || schedule.loops[0].size != 1 || schedule.vectorDim)
    return "expected one loop over a reduction, in pieces of 1, and no vectors if threads of a warp reduce together";
  return "";
}

static std::string verifyTile(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (!isAlone || !nest.hasKnownSizes() || schedule.vectorDim)
    return "expected a single nest of static sizes and without vectors if loops are bound to threads or the matrix "
           "unit multiplies";
  BlockTile tile = tileOf(nest, schedule, gpuSchedule);
  // The products of all steps between fetches are unrolled; those of a window have few addresses.
  constexpr int64_t mostTilePoints = 256, mostThreadSteps = 64;
  const int64_t mostSteps = findWindow(nest, tile) ? mostWindowSteps
                            : gpuSchedule.chained  ? mostChainSteps
                            : gpuSchedule.tensor   ? mostTensorSteps
                                                   : mostThreadSteps;
  int64_t steps = 1;
  for (auto [number, dim] : llvm::enumerate(tile.dims)) {
    if (dim.block % dim.apart != 0 || dim.apart % dim.thread != 0)
      return llvm::formatv("expected sizes along dimension {0} that divide each other, got {1}, {2} and {3}", number,
                           dim.block, dim.apart, dim.thread);
    if (nest.dims[number].reduction)
      steps *= dim.block;
  }
  if (std::string wrong = verifySplit(nest, tile); !wrong.empty())
    return wrong;
  if (std::string wrong = tile.isCluster ? verifyCluster(of, tile) : ""; !wrong.empty())
    return wrong;
  if (tile.threads > GpuMachine::mostThreads)
    return llvm::formatv("expected at most {0} threads, got {1}", GpuMachine::mostThreads, tile.threads);
  if (tile.points > mostTilePoints || steps > mostSteps)
    return llvm::formatv("expected at most {0} points of a thread and {1} steps between fetches, got {2} and {3}",
                         mostTilePoints, mostSteps, tile.points, steps);
  // Registers for sums, and for the values that are multiplied and fetched meanwhile.
  constexpr int64_t otherRegisters = 48;
  if (int64_t registers = gpu.registers / tile.threads;
      tile.points + otherRegisters > std::min<int64_t>(registers, 255))
    return llvm::formatv("expected sums of a thread that fit into {0} registers, got {1}",
                         std::min<int64_t>(registers, 255), tile.points);
  return "";
}

/// Verifies loops that nothing is bound to: each iteration of all of them is a thread's.
static std::string verifyPoints(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  int64_t points = schedule.vectorDim ? schedule.lanes : 1;
  llvm::SmallDenseSet<unsigned> divided;
  for (const Loop &loop : schedule.loops) {
    if (loop.dim < rowDims || loop.dim >= nest.dims.size())
      return llvm::formatv("expected a dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1, loop.dim);
    const Dimension &dim = nest.dims[loop.dim];
    if (dim.reduction || loop.dim == schedule.vectorDim || !divided.insert(loop.dim).second)
      return llvm::formatv("expected bound loops, or one over each of several parallel dimensions without vectors, got "
                           "one over dimension {0}",
                           loop.dim);
    if (!dim.extent.isKnown() || loop.size < 1 || int64_t(dim.extent) % loop.size != 0)
      return llvm::formatv("expected a size that divides dimension {0}, got {1}", loop.dim, loop.size);
    points *= loop.size;
    if (points > mostThreadPoints)
      return llvm::formatv("expected at most {0} points of a thread, got {1}", mostThreadPoints, points);
  }
  return "";
}

std::string verifyBind(const GpuNestToVerify &of) {
  if (of.gpuSchedule.bound.empty() && !of.gpuSchedule.tensor)
    return verifyPoints(of);
  if (std::string wrong = verifyOrder(of); !wrong.empty())
    return wrong;
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (reducesTogether(nest, schedule, gpuSchedule))
    return verifyTogether(of);
  if (reducesByWarp(nest, schedule, gpuSchedule))
    return verifyByWarp(of);
  if (isTiled(nest, schedule, gpuSchedule))
    return verifyTile(of);
  if (splitLoop(nest, schedule, gpuSchedule))
    return verifyPlainSplit(of);
  return schedule.loops.empty() ? "" : "expected a loop that is bound to threads";
}

namespace {

struct BindEffect : StepEffectInterface::ExternalModel<BindEffect, BindAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<BindAttr>(attr);
    llvm::SmallVector<BoundLoop> &bound = state.gpuSchedules[step.getNest()].bound;
    if (state.gpuSchedules[step.getNest()].bindingOf(step.getLoop()))
      return llvm::createStringError("loop %u is bound twice", step.getLoop());
    bound.push_back({step.getLoop(), step.getTo()});
    llvm::sort(bound, [](const BoundLoop &a, const BoundLoop &b) { return a.loop < b.loop; });
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &state) const {
    unsigned number = llvm::cast<BindAttr>(attr).getNest();
    const LoopNest &nest = *findNest(state.program, number).nest;
    const GpuSchedule &gpuSchedule = state.gpuSchedules[number];
    if (std::optional<Loop> split = splitLoop(nest, state.schedules[number], gpuSchedule);
        split && !isTiled(nest, state.schedules[number], gpuSchedule))
      return llvm::formatv("{0} blocks divide a sum", int64_t(nest.dims[split->dim].extent) / split->size);
    if (!isTiled(nest, state.schedules[number], gpuSchedule))
      return reducesTogether(nest, state.schedules[number], gpuSchedule) ? "reduced by blocks"
             : reducesByWarp(nest, state.schedules[number], gpuSchedule) ? "reduced by warps"
                                                                         : "";
    BlockTile tile = tileOf(nest, state.schedules[number], gpuSchedule);
    std::string text = llvm::formatv("{0} blocks of {1} threads with {2} points each", tile.blocks * tile.splits,
                                     tile.threads, tile.points);
    if (tile.splits > 1)
      text += llvm::formatv(tile.isCluster ? ", of which {0} divide a sum as a cluster" : ", of which {0} divide a sum",
                            tile.splits);
    if (std::optional<Window> window = findWindow(nest, tile))
      text += llvm::formatv(", windows of {0} positions", window->positions());
    return text;
  }
};

} // namespace

template <> void attachEffect<BindAttr>(mlir::MLIRContext &context) { BindAttr::attachInterface<BindEffect>(context); }

} // namespace cameo::schedule

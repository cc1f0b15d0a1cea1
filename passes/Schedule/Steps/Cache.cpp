// The cache step: a block copies a buffer to shared memory, part by part.
#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

/// Verifies that points beyond an edge load only from shared memory, where every address is valid.
static std::string verifyEdges(const GpuNestToVerify &of, const BlockTile &tile) {
  const LoopNest &nest = of.nest;
  llvm::SmallVector<NodeId> cached = cachedLoads(nest, of.gpuSchedule);
  bool isProduct = findContraction(nest).has_value();
  auto reads = [](const Node &node) {
    return node.kind == Node::Kind::Load || node.kind == Node::Kind::Gather || node.kind == Node::Kind::Index;
  };
  for (auto [dim, dimension] : llvm::enumerate(tile.dims)) {
    if (!dimension.isRagged())
      continue;
    if (nest.dims[dim].reduction && !isProduct)
      return llvm::formatv(
          "expected steps that divide dimension {0}, or a sum of products, which can be padded with zeros", dim);
    for (NodeId id : nest.computed(/*insideReduction=*/true))
      if (reads(nest.nodes[id]) && ((nest.nodes[id].dependsOn >> dim) & 1) && !llvm::is_contained(cached, id))
        return llvm::formatv("expected blocks that divide dimension {0}, or all reads along it from shared memory",
                             dim);
    for (const Reduction &reduction : nest.reductions)
      if ((nest.nodes[reduction.initial].dependsOn >> dim) & 1)
        return llvm::formatv(
            "expected blocks that divide dimension {0}, along which sums have different initial values", dim);
  }
  return "";
}

static std::string verifyCopies(const GpuNestToVerify &of, const BlockTile &tile) {
  if (of.gpuSchedule.copy != Copy::Async)
    return "";
  if (of.gpuSchedule.stages < 2 && !of.gpuSchedule.chained)
    return "expected at least two stages for asynchronous copies";
  constexpr unsigned firstCapability = 80;
  if (of.gpu.getCapability() < firstCapability)
    return llvm::formatv("expected a device of compute capability 8.0 or more for asynchronous copies, got {0}",
                         of.gpu.architecture);
  LoopNest packed = packLoads(of.nest, of.schedule.packedBuffers, packedOrderOf(of.nest, of.schedule, of.gpuSchedule));
  if (canCopyAsync(packed, of.gpuSchedule, tile))
    return "";
  return tile.usesTensor ? "expected contiguous runs of 4 bytes or more in memory for asynchronous copies"
                         : "expected elements of 4 or 8 bytes for asynchronous copies";
}

std::string verifyCache(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  bool hasTile = isTiled(nest, schedule, gpuSchedule);
  if (!hasTile)
    return gpuSchedule.cachedBuffers.empty() ? "" : "expected blocks of points whose threads share the cached elements";
  BlockTile tile = tileOf(nest, schedule, gpuSchedule);
  for (unsigned buffer : gpuSchedule.cachedBuffers)
    if (llvm::none_of(cachedLoads(nest, gpuSchedule), [&](NodeId id) { return nest.nodes[id].buffer == buffer; }))
      return llvm::formatv("expected a buffer that the reduction reads, got {0}", buffer);
  for (NodeId id : cachedLoads(nest, gpuSchedule))
    if (nest.nodes[id].shared || !nest.nodes[id].transforms.empty() || nest.nodes[id].type.isInteger(1))
      return llvm::formatv("expected plain loads of buffer {0}", nest.nodes[id].buffer);
  if (std::string wrong = verifyCopies(of, tile); !wrong.empty())
    return wrong;
  if (int64_t bytes = sharedBytes(nest, gpuSchedule, tile); bytes > gpu.blockSharedBytes)
    return llvm::formatv("expected at most {0} bytes of shared memory, got {1}", gpu.blockSharedBytes, bytes);
  return verifyEdges(of, tile);
}

namespace {

struct CacheEffect : StepEffectInterface::ExternalModel<CacheEffect, CacheAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<CacheAttr>(attr);
    if (step.getBuffer() >= state.program.buffers.size())
      return llvm::createStringError("expected a buffer below %zu, got %u", state.program.buffers.size(),
                                     step.getBuffer());
    GpuSchedule &gpuSchedule = state.gpuSchedules[step.getNest()];
    if (!gpuSchedule.cachedBuffers.empty() && gpuSchedule.stages != step.getStages())
      return llvm::createStringError("expected as many stages as other buffers have, %u, got %u", gpuSchedule.stages,
                                     step.getStages());
    if (!gpuSchedule.cachedBuffers.empty() && gpuSchedule.copy != step.getCopy())
      return llvm::createStringError(llvm::formatv("expected the same copy as other buffers have, {0}, got {1}",
                                                   stringifyCopy(gpuSchedule.copy), stringifyCopy(step.getCopy())));
    gpuSchedule.cachedBuffers.push_back(step.getBuffer());
    gpuSchedule.stages = step.getStages();
    gpuSchedule.copy = step.getCopy();
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    auto step = llvm::cast<CacheAttr>(attr);
    if (step.getCopy() == Copy::Async)
      return llvm::formatv("shared memory, {0} stage{1} of asynchronous copies", step.getStages(),
                           step.getStages() == 1 ? "" : "s");
    return step.getStages() > 1 ? "shared memory, two stages" : "shared memory";
  }
};

} // namespace

template <> void attachEffect<CacheAttr>(mlir::MLIRContext &context) {
  CacheAttr::attachInterface<CacheEffect>(context);
}

} // namespace cameo::schedule

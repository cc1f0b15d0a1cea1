// The pack step: copies an operand to the order in which loops read it.
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Operands/LayOutOperand.h"
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

/// Whether the loops over the vector dimension use the blocks of packed operands: full blocks and one remainder, padded
/// to vectors.
static bool dividesPackedBlocks(const LoopNest &nest, const NestSchedule &schedule) {
  if (!nest.dims[*schedule.vectorDim].extent.isKnown())
    return true;
  int64_t left = nest.dims[*schedule.vectorDim].extent;
  bool isDivided = false;
  for (const Loop &loop : schedule.loops) {
    if (loop.dim != *schedule.vectorDim || loop.size >= left)
      continue;
    if (isDivided && left % loop.size != 0)
      return false;
    if (schedule.packedWidth > 0 && loop.size % schedule.packedWidth != 0)
      return false;
    isDivided = true;
    left = loop.size;
  }
  return !isDivided || left % schedule.lanes == 0;
}

/// Verifies blocks of packed operands along the vector dimension.
static std::string verifyBlocks(const LoopNest &nest, const NestSchedule &schedule) {
  if (schedule.vectorDim && !schedule.packedBuffers.empty() && !dividesPackedBlocks(nest, schedule))
    return llvm::formatv(
        "expected loops over dimension {0} to divide packed operands into blocks of whole vectors, each size "
        "a multiple of the next and of the width",
        *schedule.vectorDim);
  if (schedule.packedWidth > 0 && (!schedule.vectorDim || schedule.packedWidth % schedule.lanes != 0))
    return llvm::formatv("expected a width of whole vectors, got {0}", schedule.packedWidth);
  return "";
}

/// Whether all transformed operands are packed; only packing can transform them.
static bool packsTransformed(const LoopNest &nest, const NestSchedule &schedule) {
  return llvm::all_of(nest.nodes, [&](const Node &node) {
    return node.transforms.empty() ||
           (schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction &&
            llvm::is_contained(schedule.packedBuffers, node.buffer) && canPackTransformed(node, *schedule.vectorDim));
  });
}

std::string verifyPack(const NestToVerify &of) {
  const auto &[nest, schedule, rowDims, machine] = of;
  // Operands with dynamic extents have neither groups nor blocks to prefetch.
  for (const Node &node : nest.nodes)
    if ((schedule.dotDim || llvm::is_contained(schedule.prefetchedBuffers, node.buffer)) &&
        llvm::is_contained(schedule.packedBuffers, node.buffer) && !hasKnownRange(nest, node))
      return llvm::formatv("buffer {0} cannot be packed in groups or fetched ahead: the elements that are read are "
                           "known only at run time",
                           node.buffer);
  if (std::string wrong = verifyBlocks(nest, schedule); !wrong.empty())
    return wrong;
  return packsTransformed(nest, schedule) ? ""
                                          : "expected the transformed operand to be packed along the vector dimension";
}

std::string verifyGpuPack(const GpuNestToVerify &of) {
  if (of.schedule.packedWidth > 0)
    return "expected no width of packed buffers on a GPU";
  for (unsigned buffer : of.schedule.packedBuffers) {
    if (!llvm::is_contained(of.gpuSchedule.cachedBuffers, buffer))
      return llvm::formatv("expected a packed buffer to be read from shared memory, got buffer {0}", buffer);
    if (llvm::count(of.schedule.packedBuffers, buffer) > 1)
      return llvm::formatv("expected buffer {0} to be packed once", buffer);
  }
  return "";
}

namespace {

struct PackEffect : StepEffectInterface::ExternalModel<PackEffect, PackAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<PackAttr>(attr);
    if (step.getBuffer() >= state.program.buffers.size())
      return llvm::createStringError("expected a buffer below %zu, got %u", state.program.buffers.size(),
                                     step.getBuffer());
    NestSchedule &schedule = state.schedules[step.getNest()];
    if (!schedule.packedBuffers.empty() && schedule.packedWidth != step.getWidth())
      return llvm::createStringError("expected one width of packed buffers, got %lld and %lld",
                                     static_cast<long long>(schedule.packedWidth),
                                     static_cast<long long>(step.getWidth()));
    schedule.packedBuffers.push_back(step.getBuffer());
    schedule.packedWidth = step.getWidth();
    return llvm::Error::success();
  }

  std::string verify(mlir::Attribute attr, const ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<PackAttr>(attr);
    unsigned buffer = step.getBuffer();
    auto [group, nest] = findNest(state.program, step.getNest());
    if (state.gpu)
      return findPackingFault(state.program, *nest, buffer);
    // Copies are made before the group, when results of its nests do not exist yet.
    if (group->writes(buffer))
      return llvm::formatv("expected a buffer to pack that is not written by its group, got buffer {0}", buffer);
    for (const Node &node : nest->nodes)
      if (node.kind == Node::Kind::Load && node.buffer == buffer && state.program.buffers[buffer].packable &&
          !hasKnownRange(*nest, node))
        return llvm::formatv("expected to pack all of a constant or nothing, got buffer {0}", buffer);
    return "";
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &state) const {
    // A prefetch step implies it.
    return state.schedules[llvm::cast<PackAttr>(attr).getNest()].prefetchedBuffers.empty() ? "packed" : "";
  }
};

} // namespace

template <> void attachEffect<PackAttr>(mlir::MLIRContext &context) { PackAttr::attachInterface<PackEffect>(context); }

} // namespace cameo::schedule

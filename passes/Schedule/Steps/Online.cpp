// The step `online`: each block of a GPU computes all nests of an attention for its rows.
#include "passes/Schedule/Rules/Gpu/MmaOnlineBlock.h"
#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {
namespace {

/// Returns the attention whose last nest is number `nest`.
std::optional<Attention> attentionAt(const ScheduledProgram &state, unsigned nest) {
  const NestGroup *group = findNest(state.program, nest).group;
  return findAttention(state.program, group - state.program.groups.data());
}

/// Whether a step has changed the loops of a nest.
bool hasLoops(const NestSchedule &schedule) {
  return !schedule.loops.empty() || schedule.vectorDim || schedule.dotDim || !schedule.packedBuffers.empty() ||
         !schedule.prefetchedBuffers.empty();
}

/// Returns the number of blocks, and of threads per block.
std::pair<int64_t, int64_t> sizesOf(const Attention &attention, const OnlineTile &tile, bool usesTensor) {
  if (usesTensor) {
    MmaOnlineBlock block = mmaOnlineBlock(attention, tile);
    return {block.blocks, block.threads};
  }
  OnlineBlock block = onlineBlock(attention, tile);
  return {block.blocks, block.threads};
}

struct OnlineEffect : StepEffectInterface::ExternalModel<OnlineEffect, OnlineAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<OnlineAttr>(attr);
    state.gpuSchedules[step.getNest()].online = {step.getRows(), step.getKeys()};
    return llvm::Error::success();
  }

  std::string verify(mlir::Attribute attr, const ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<OnlineAttr>(attr);
    unsigned last = step.getNest();
    std::optional<Attention> attention = attentionAt(state, last);
    if (!attention)
      return "expected the last nest of an attention of known sizes: a product of f16, bf16 or f32 and a softmax over "
             "its rows, which no other nest reads, and a product with the weights";
    OnlineTile tile{step.getRows(), step.getKeys()};
    const std::optional<TensorShape> &tensor = state.gpuSchedules[last].tensor;
    for (unsigned nest = last + 1 - attentionNests; nest <= last; ++nest) {
      GpuSchedule expected;
      if (nest == last) {
        expected.online = tile;
        expected.tensor = tensor;
      }
      if (hasLoops(state.schedules[nest]) || state.gpuSchedules[nest] != expected)
        return llvm::formatv("expected no other steps of nests {0} to {1} than tensor of the last one",
                             last + 1 - attentionNests, last);
    }
    return tensor ? findMmaOnlineFault(*attention, tile, *tensor, *state.gpu)
                  : findOnlineFault(*attention, tile, *state.gpu);
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &state) const {
    auto step = llvm::cast<OnlineAttr>(attr);
    std::optional<Attention> attention = attentionAt(state, step.getNest());
    OnlineTile tile{step.getRows(), step.getKeys()};
    auto [blocks, threads] = sizesOf(*attention, tile, state.gpuSchedules[step.getNest()].tensor.has_value());
    return llvm::formatv("scores stay in {0} blocks of {1} threads with {2} rows each, {3} keys at a time", blocks,
                         threads, step.getRows(), step.getKeys());
  }
};

} // namespace

template <> void attachEffect<OnlineAttr>(mlir::MLIRContext &context) {
  OnlineAttr::attachInterface<OnlineEffect>(context);
}

} // namespace cameo::schedule

#include "utils/Driver/Inspect/ModelPicture.h"

#include "utils/Driver/PhaseRunner.h"

using namespace cameo;

std::optional<ModelPicture> cameo::pictureModel(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()) ||
      llvm::failed(phases.runUntil(Phase::Lower)) || llvm::failed(phases.chooseSchedules()))
    return std::nullopt;
  ModelPicture picture;
  const TargetInfo &target = phases.target();
  picture.target = target.triple + ", " + target.cpu;
  // A multiply-add counts as two operations for each float of a vector.
  picture.flopsPerCycle = 2 * target.multiplyAdds * static_cast<double>(target.vectorBytes) / 4;
  picture.bytesPerCycle = target.farBytesPerCycle;
  // The summary reads the loop nests, so it comes before they are lowered.
  picture.tasks = summarizeTasks(phases, options.threads, /*withSchedules=*/true);
  if (llvm::failed(phases.runUntil(Phase::Emit)))
    return std::nullopt;
  std::optional<MemoryUse> memory = findMemoryUse(phases.module());
  if (!memory)
    return std::nullopt;
  picture.memory = std::move(*memory);
  return picture;
}

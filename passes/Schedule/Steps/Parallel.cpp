// The parallel step: distributes the pieces of loops over threads.
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

std::string verifyParallel(const NestToVerify &of) {
  const auto &[nest, schedule, rowDims, machine] = of;
  if (rowDims > 0 && schedule.parallelLoops > 0)
    return "expected no parallel loops inside of a row";
  if (schedule.repeatedLoops > schedule.loops.size() ||
      schedule.parallelLoops > schedule.loops.size() - schedule.repeatedLoops)
    return llvm::formatv("expected at most {0} loops, parallel ones and those around them, got {1}",
                         schedule.loops.size(), int64_t(schedule.parallelLoops) + schedule.repeatedLoops);
  llvm::SmallVector<int64_t> left;
  for (const Dimension &dim : nest.dims)
    left.push_back(mostPoints(dim));
  for (auto [number, loop] : llvm::enumerate(llvm::ArrayRef(schedule.loops).take_front(schedule.parallelEnd()))) {
    bool isRepeated = number < schedule.repeatedLoops;
    if (nest.dims[loop.dim].reduction)
      return llvm::formatv("loop {0} over a reduction cannot be {1}parallel", number,
                           isRepeated ? "around what is " : "");
    if (!isRepeated && left[loop.dim] != mostPoints(nest.dims[loop.dim]))
      return llvm::formatv("dimension {0} is divided by two parallel loops, or by one and a loop around it", loop.dim);
    left[loop.dim] = std::min(left[loop.dim], loop.size);
  }
  return "";
}

namespace {

struct ParallelEffect : StepEffectInterface::ExternalModel<ParallelEffect, ParallelAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<ParallelAttr>(attr);
    NestSchedule &schedule = state.schedules[step.getNest()];
    schedule.parallelLoops = step.getLoops();
    schedule.repeatedLoops = step.getInside();
    return llvm::Error::success();
  }
};

} // namespace

template <> void attachEffect<ParallelAttr>(mlir::MLIRContext &context) {
  ParallelAttr::attachInterface<ParallelEffect>(context);
}

} // namespace cameo::schedule

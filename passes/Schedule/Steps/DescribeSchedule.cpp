// Describes the nest with the most work, because the others take a small part of the task's time.
#include "passes/Schedule/Steps/DescribeSchedule.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

static std::string loopText(const LoopNest &nest, const Loop &loop) {
  std::string text = "d" + std::to_string(loop.dim);
  return loop.size == 1 || loop.size >= mostPoints(nest.dims[loop.dim]) ? text : text + "/" + std::to_string(loop.size);
}

/// Returns the loops with more than one iteration, such as "d1/14 d3/32, sum d0 d2/4", or "d3/32, sum d0, d1/14, sum
/// d2/4" if reduction loops are around others.
static std::string loopsText(const LoopNest &nest, const NestSchedule &schedule) {
  std::string text;
  bool isSum = false;
  for (const Loop &loop : schedule.loops) {
    if (loop.size >= mostPoints(nest.dims[loop.dim]))
      continue;
    bool wasSum = std::exchange(isSum, nest.dims[loop.dim].reduction);
    if (!text.empty())
      text += wasSum == isSum ? " " : ", ";
    text += (isSum && !wasSum ? "sum " : "") + loopText(nest, loop);
  }
  return text;
}

/// Appends the explanations of the steps of nest `number` except its loops, last step first, without duplicates.
static void addWords(const ScheduledProgram &state, StepsAttr steps, unsigned number,
                     SmallVectorImpl<std::string> &parts) {
  for (Attribute step : llvm::reverse(steps.getSteps())) {
    auto effect = dyn_cast<StepEffectInterface>(step);
    auto named = cast<StepAttrInterface>(step);
    if (!effect || named.replacesNests() || named.getNest() != number)
      continue;
    if (std::string words = effect.explain(state); !words.empty() && !llvm::is_contained(parts, words))
      parts.push_back(std::move(words));
  }
}

/// Returns the points of a thread, such as "2 x 3 points of d5, d3 per thread".
static std::string pointsText(const NestSchedule &schedule) {
  SmallVector<std::string> counts, dims;
  auto add = [&](unsigned dim, int64_t count) {
    counts.push_back(std::to_string(count));
    dims.push_back("d" + std::to_string(dim));
  };
  if (schedule.vectorDim)
    add(*schedule.vectorDim, schedule.lanes);
  for (const Loop &loop : schedule.loops)
    add(loop.dim, loop.size);
  return dims.empty()
             ? "a point per thread"
             : llvm::formatv("{0} points of {1} per thread", llvm::join(counts, " x "), llvm::join(dims, ", ")).str();
}

/// Describes a nest on a GPU, whose steps concern blocks and threads.
static std::string gpuNestText(const ScheduledProgram &state, StepsAttr steps, unsigned number) {
  const LoopNest &nest = *findNest(state.program, number).nest;
  const NestSchedule &schedule = state.schedules[number];
  SmallVector<std::string> parts;
  if (state.gpuSchedules[number].bound.empty() && !state.gpuSchedules[number].online) {
    parts.push_back(pointsText(schedule));
  } else if (std::string loops = loopsText(nest, schedule); !loops.empty())
    parts.push_back(loops);
  addWords(state, steps, number, parts);
  return llvm::join(parts, "; ");
}

static std::string nestText(const ScheduledProgram &state, StepsAttr steps, unsigned number, const Size &pieces) {
  if (state.gpu)
    return gpuNestText(state, steps, number);
  const LoopNest &nest = *findNest(state.program, number).nest;
  const NestSchedule &schedule = state.schedules[number];
  SmallVector<std::string> parts = {pieces == 1 ? std::string("1 piece") : llvm::formatv("{0} pieces", pieces).str()};
  if (schedule.repeatedLoops > 0)
    parts.back() += " inside of d" + std::to_string(schedule.loops[schedule.repeatedLoops - 1].dim);
  if (std::string loops = loopsText(nest, schedule); !loops.empty())
    parts.push_back(loops);
  parts.push_back(schedule.vectorDim ? llvm::formatv("{0} lanes of d{1}", schedule.lanes, *schedule.vectorDim).str()
                                     : "scalar");
  // Rules may make these decisions without a step.
  if (schedule.partialLoop)
    parts.push_back("partial sums");
  addWords(state, steps, number, parts);
  if (schedule.turnsRows)
    parts.push_back("every second row backwards");
  if (schedule.fetchWork > 0)
    parts.push_back("next row fetched");
  return llvm::join(parts, "; ");
}

std::string Description::text(size_t nests) const {
  return replacements + (nests != 1 ? std::to_string(nests) + " nests; " : "") + nest;
}

Description describe(const ScheduledProgram &state, StepsAttr steps) {
  Description description;
  for (Attribute step : replacingSteps(steps))
    if (auto effect = dyn_cast<StepEffectInterface>(step))
      if (std::string words = effect.explain(state); !words.empty())
        description.replacements += words + "; ";
  const LoopNest *largest = nullptr;
  unsigned number = 0, its = 0;
  Size pieces = 1;
  for (const NestGroup &group : state.program.groups) {
    ArrayRef<NestSchedule> own = ArrayRef(state.schedules).slice(number, group.nests.size());
    for (const LoopNest &nest : group.nests) {
      // The last nest of an attention represents the nests before it.
      bool isOnline = state.gpu && state.gpuSchedules[number].online;
      if (!largest || workOf(nest) > workOf(*largest) || (isOnline && workOf(nest) == workOf(*largest))) {
        largest = &nest;
        its = number;
        pieces = parallelExtent(group, own);
      }
      ++number;
    }
  }
  if (largest)
    description.nest = nestText(state, steps, its, pieces);
  return description;
}

} // namespace cameo::schedule

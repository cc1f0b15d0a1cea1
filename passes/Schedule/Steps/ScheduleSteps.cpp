// Applies steps through their interfaces. Only the conversion of the schedules of rules and searches uses their
// classes.
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/Replacements.h"
#include "passes/Schedule/Steps/VerifySchedule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

SmallVector<Attribute> toSteps(MLIRContext *context, ArrayRef<Replacement> replacements) {
  return llvm::map_to_vector(replacements, [&](const Replacement &replacement) -> Attribute {
    return std::visit([&](const auto &plan) { return toStep(context, plan); }, replacement);
  });
}

static void addSteps(MLIRContext *context, unsigned nest, const NestSchedule &schedule,
                     SmallVectorImpl<Attribute> &steps) {
  if (schedule.vectorDim)
    steps.push_back(VectorizeAttr::get(context, nest, *schedule.vectorDim, schedule.lanes));
  for (unsigned buffer : schedule.packedBuffers)
    steps.push_back(PackAttr::get(context, nest, buffer, schedule.packedWidth));
  for (unsigned buffer : schedule.prefetchedBuffers)
    steps.push_back(PrefetchAttr::get(context, nest, buffer));
  if (schedule.dotDim)
    steps.push_back(DotAttr::get(context, nest, *schedule.dotDim));
  for (const Loop &loop : schedule.loops)
    steps.push_back(TileAttr::get(context, nest, loop.dim, loop.size));
  if (schedule.parallelLoops > 0)
    steps.push_back(ParallelAttr::get(context, nest, schedule.parallelLoops, schedule.repeatedLoops));
  if (schedule.partialLoop)
    steps.push_back(RfactorAttr::get(context, nest, *schedule.partialLoop));
}

StepsAttr toSteps(MLIRContext *context, ArrayRef<Replacement> replacements, ArrayRef<NestSchedule> schedules) {
  SmallVector<Attribute> steps = toSteps(context, replacements);
  for (auto [number, schedule] : llvm::enumerate(schedules))
    addSteps(context, number, schedule, steps);
  return StepsAttr::get(context, steps);
}

StepsAttr toSteps(MLIRContext *context, ArrayRef<NestSchedule> schedules, ArrayRef<GpuSchedule> gpuSchedules) {
  SmallVector<Attribute> steps;
  for (auto [number, schedule, gpuSchedule] : llvm::enumerate(schedules, gpuSchedules)) {
    addSteps(context, number, schedule, steps);
    for (const BoundLoop &each : gpuSchedule.bound)
      steps.push_back(BindAttr::get(context, number, each.loop, each.to));
    for (unsigned buffer : gpuSchedule.cachedBuffers)
      steps.push_back(CacheAttr::get(context, number, buffer, gpuSchedule.stages, gpuSchedule.copy));
    if (gpuSchedule.unroll > 0)
      steps.push_back(UnrollAttr::get(context, number, gpuSchedule.unroll));
    if (const std::optional<TensorShape> &shape = gpuSchedule.tensor)
      steps.push_back(TensorAttr::get(context, number, shape->kind, shape->rows, shape->columns, shape->depth));
    if (const std::optional<OnlineTile> &tile = gpuSchedule.online)
      steps.push_back(OnlineAttr::get(context, number, tile->rows, tile->keys));
    if (gpuSchedule.chained)
      steps.push_back(ChainAttr::get(context, number));
    if (!gpuSchedule.pool.empty())
      steps.push_back(PoolAttr::get(context, number));
  }
  return StepsAttr::get(context, steps);
}

/// Whether the text contains only the characters and nesting depth of steps, which bounds the recursion of MLIR's
/// parser.
static bool mayBeSteps(StringRef text) {
  unsigned depth = 0;
  for (char character : text) {
    if (character == '<' && ++depth > 2)
      return false;
    if (character == '>' && depth-- == 0)
      return false;
    if (!llvm::isAlnum(character) && !llvm::isSpace(character) && !StringRef("<>#._=,").contains(character))
      return false;
  }
  return true;
}

StepsAttr parseSteps(StringRef text, MLIRContext *context) {
  if (!mayBeSteps(text))
    return nullptr;
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  return dyn_cast_or_null<StepsAttr>(parseAttribute(text, context));
}

ArrayRef<Attribute> replacingSteps(StepsAttr steps) {
  return steps.getSteps().take_while([](Attribute step) { return cast<StepAttrInterface>(step).replacesNests(); });
}

std::vector<Replacement> replacementsOf(StepsAttr steps) {
  std::vector<Replacement> replacements;
  for (Attribute step : replacingSteps(steps))
    llvm::TypeSwitch<Attribute>(step).Case<WinogradAttr, FuseAttr, FlattenAttr, InlineAttr>(
        [&](auto attr) { replacements.push_back(planOf(attr)); });
  return replacements;
}

static llvm::Error apply(StepAttrInterface step, ScheduledProgram &state, const Machine &machine) {
  if (unsigned count = countNests(state.program); step.getLastNest() >= count)
    return llvm::createStringError("expected a nest below %u, got %u", count, step.getLastNest());
  if (auto effect = dyn_cast<StepEffectInterface>(Attribute(step)))
    return effect.apply(state, machine);
  return llvm::createStringError(llvm::formatv("expected a step that can be applied, got {0}", Attribute(step)));
}

static llvm::Error inNest(unsigned number, const llvm::Twine &wrong) {
  return llvm::createStringError("nest " + llvm::Twine(number) + ": " + wrong);
}

llvm::Error replaceNests(StepsAttr steps, TaskProgram &program, const Machine &machine) {
  ScheduledProgram state{std::move(program), {}};
  auto replacements =
      llvm::map_to_vector(replacingSteps(steps), [](Attribute step) { return cast<StepAttrInterface>(step); });
  // Start from the last nest, because a replacement changes the numbers of the nests after it.
  llvm::sort(replacements, [](StepAttrInterface a, StepAttrInterface b) { return a.getNest() > b.getNest(); });
  llvm::Error error = llvm::Error::success();
  for (StepAttrInterface step : replacements)
    if (!error)
      if (llvm::Error wrong = apply(step, state, machine))
        error = inNest(step.getNest(), llvm::toString(std::move(wrong)));
  program = std::move(state.program);
  return error;
}

static bool isAlone(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Verifies the nests of `state` and the steps by their rules.
static llvm::Error verify(StepsAttr steps, const ScheduledProgram &state, const Machine &machine) {
  for (auto [number, schedule] : llvm::enumerate(state.schedules)) {
    auto [group, nest] = findNest(state.program, number);
    std::string wrong =
        state.gpu
            ? verifyForGpu({*nest, schedule, state.gpuSchedules[number], group->rowDims, isAlone(*group), *state.gpu})
            : verify(*nest, schedule, group->rowDims, machine);
    if (wrong.empty() && !state.gpu && state.gpuSchedules[number] != GpuSchedule())
      wrong = "expected a GPU target for bound loops and shared memory";
    if (!wrong.empty())
      return inNest(number, wrong);
  }
  for (Attribute step : steps.getSteps().drop_front(replacingSteps(steps).size()))
    if (std::string wrong = cast<StepEffectInterface>(step).verify(state, machine); !wrong.empty())
      return inNest(cast<StepAttrInterface>(step).getNest(), wrong);
  return llvm::Error::success();
}

/// Applies the steps that do not replace nests to `state`.
static llvm::Error schedule(StepsAttr steps, ScheduledProgram &state, const Machine &machine) {
  state.schedules.resize(countNests(state.program));
  state.gpuSchedules.resize(state.schedules.size());
  for (Attribute step : steps.getSteps().drop_front(replacingSteps(steps).size()))
    if (llvm::Error error = apply(cast<StepAttrInterface>(step), state, machine))
      return error;
  return verify(steps, state, machine);
}

llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program,
                                                    const Machine &machine) {
  ScheduledProgram state{program, {}};
  if (llvm::Error error = schedule(steps, state, machine))
    return std::move(error);
  return std::move(state.schedules);
}

llvm::Expected<ScheduledProgram> applySteps(StepsAttr steps, TaskProgram program, const Machine &machine,
                                            const GpuMachine *gpu) {
  if (gpu && !replacingSteps(steps).empty())
    return llvm::createStringError("expected no steps that replace nests for a GPU");
  if (llvm::Error error = replaceNests(steps, program, machine))
    return std::move(error);
  ScheduledProgram state{std::move(program), {}, gpu};
  if (llvm::Error error = schedule(steps, state, machine))
    return std::move(error);
  return std::move(state);
}

} // namespace cameo::schedule

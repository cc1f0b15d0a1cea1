#include "utils/Driver/FitBudgets.h"

#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/AssignOffsets.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/DiagnosticSink.h"
#include "utils/Driver/EstimateTask.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo;

namespace {

/// More than any model needs: each round gives something up.
constexpr unsigned mostRounds = 16;

class Fitter {
public:
  Fitter(const Budgets &budgets, PhaseRunner &phases) : budgets(budgets), phases(phases) {}

  std::optional<MemoryUse> run();
  void reportTrades();
  std::optional<llvm::StringMap<schedule::TaskLimits>> findLimits(llvm::StringRef model);

private:
  int64_t scratchAt(size_t step) const;
  llvm::LogicalResult checkFits(llvm::StringRef model) const;
  llvm::LogicalResult shareWeights(llvm::StringMap<schedule::TaskLimits> &found);
  bool exceedsArena() const { return budgets.arena && use->openBuffers == 0 && use->arenaBytes > *budgets.arena; }
  int64_t missingWeights() const { return budgets.weights ? weightBytes() - *budgets.weights : 0; }
  int64_t weightBytes() const;
  bool tightenWeights();
  bool tightenArena();
  bool limitScratch(llvm::StringRef task, int64_t bytes);

  const Budgets &budgets;
  PhaseRunner &phases;
  ScheduleLimits limits;
  std::optional<MemoryUse> use;
  std::optional<int64_t> lastWeights;
  int64_t savedByOrder = 0;
};

} // namespace

/// As the weights lie one behind the other.
int64_t Fitter::weightBytes() const {
  int64_t bytes = 0;
  for (const MemoryUse::Weight &weight : use->weights)
    bytes += llvm::alignTo(weight.bytes, arenaAlignment);
  return bytes;
}

/// What is missing is asked of filters. Kernels lay them out in blocks, so that they save a little more or less than they were asked to.
bool Fitter::tightenWeights() {
  int64_t missing = missingWeights();
  if (missing <= 0 || (lastWeights && weightBytes() >= *lastWeights))
    return false;
  lastWeights = weightBytes();
  limits.savedBytes += missing;
  return true;
}

bool Fitter::limitScratch(llvm::StringRef task, int64_t bytes) {
  auto def = phases.unscheduled().lookupSymbol<task::DefOp>(task);
  auto before = def ? def->getAttrOfType<mlir::IntegerAttr>("most_scratch") : nullptr;
  if (!def || (before && before.getInt() <= bytes))
    return false;
  def->setAttr("most_scratch", mlir::Builder(def.getContext()).getI64IntegerAttr(bytes));
  return true;
}

int64_t Fitter::scratchAt(size_t step) const {
  int64_t bytes = 0, at = static_cast<int64_t>(step);
  for (const MemoryUse::Buffer &buffer : use->buffers)
    if (buffer.isScratch && buffer.first <= at && at <= buffer.last)
      bytes += llvm::alignTo(buffer.bytes, arenaAlignment);
  return bytes;
}

/// An order in which less is alive costs nothing; then tasks in whose steps too much is alive have less scratch memory.
bool Fitter::tightenArena() {
  if (!exceedsArena())
    return false;
  if (!limits.orderTasks)
    return limits.orderTasks = true;
  bool tightens = false;
  for (auto [number, step] : llvm::enumerate(use->steps)) {
    int64_t scratch = scratchAt(number);
    if (int64_t missing = step.aliveBytes - *budgets.arena; missing > 0 && scratch > 0)
      tightens |= limitScratch(step.task, std::max<int64_t>(0, scratch - missing));
  }
  return tightens;
}

std::optional<MemoryUse> Fitter::run() {
  if (llvm::failed(phases.keepUnscheduled()) || llvm::failed(phases.runUntil(Phase::Emit)))
    return std::nullopt;
  use = findMemoryUse(phases.module());
  for (unsigned round = 0; use && round < mostRounds; ++round) {
    bool isOrdered = limits.orderTasks;
    bool tightensWeights = tightenWeights(), tightensArena = tightenArena();
    if (!tightensWeights && !tightensArena)
      break;
    int64_t arena = use->arenaBytes;
    if (llvm::failed(phases.scheduleAgain(limits)))
      return std::nullopt;
    use = findMemoryUse(phases.module());
    if (use && !isOrdered && limits.orderTasks && !tightensWeights)
      savedByOrder = arena - use->arenaBytes;
  }
  return use;
}

void Fitter::reportTrades() {
  if (savedByOrder > 0)
    report(Severity::Remark, "tasks run in another order: " + llvm::Twine(savedByOrder) + " bytes of arena less");
  for (auto def : phases.module().getOps<task::DefOp>())
    if (auto traded = def->getAttrOfType<mlir::StringAttr>("traded"))
      report(Severity::Remark, taskText(def.getSymName(), task::nodeNames(def.getLoc())) + ": " + traded.getValue());
}

/// What the budget leaves beside the schedules of the rules is shared among all tasks.
llvm::LogicalResult Fitter::shareWeights(llvm::StringMap<schedule::TaskLimits> &found) {
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> module = phases.copyWithSchedules();
  if (mlir::failed(module))
    return llvm::failure();
  int64_t share = -missingWeights() / std::max<int64_t>(1, use->tasks.size());
  for (const MemoryUse::Task &task : use->tasks) {
    auto def = (*module)->lookupSymbol<task::DefOp>(task.name);
    auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
    int64_t filters = 0;
    if (steps)
      filters = schedule::winogradUse(schedule::readNests(def), schedule::replacementsOf(steps), phases.target()).filterBytes;
    found[task.name].filterBytes = filters + share / std::max<int64_t>(1, task.calls);
  }
  return llvm::success();
}

/// Tuning begins with what the rules find.
llvm::LogicalResult Fitter::checkFits(llvm::StringRef model) const {
  if (budgets.arena && use->openBuffers > 0)
    return reportFailure(model + ": --max-arena: expected sizes that are known when compiling: --dim NAME=SIZE fixes a size");
  if (exceedsArena())
    return reportFailure(model + ": --max-arena: expected at most " + llvm::Twine(*budgets.arena) + " bytes of arena before tuning, got " + llvm::Twine(use->arenaBytes));
  if (missingWeights() > 0)
    return reportFailure(model + ": --max-weights: expected at most " + llvm::Twine(*budgets.weights) + " bytes of weights before tuning, got " + llvm::Twine(weightBytes()));
  return llvm::success();
}

std::optional<llvm::StringMap<schedule::TaskLimits>> Fitter::findLimits(llvm::StringRef model) {
  if (llvm::failed(checkFits(model)))
    return std::nullopt;
  llvm::StringMap<schedule::TaskLimits> found;
  if (budgets.weights && llvm::failed(shareWeights(found)))
    return std::nullopt;
  if (budgets.arena)
    for (auto [number, step] : llvm::enumerate(use->steps)) {
      int64_t &most = found[step.task].scratchBytes;
      most = std::min(most, *budgets.arena - step.aliveBytes + scratchAt(number));
    }
  return found;
}

std::optional<MemoryUse> cameo::scheduleWithin(const Budgets &budgets, PhaseRunner &phases, bool isVerbose) {
  Fitter fitter(budgets, phases);
  std::optional<MemoryUse> use = fitter.run();
  // For the code only code generation shows what to give up.
  if (!budgets.text)
    phases.dropUnscheduled();
  if (use && isVerbose)
    fitter.reportTrades();
  return use;
}

std::optional<llvm::StringMap<schedule::TaskLimits>> cameo::findTaskLimits(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()))
    return std::nullopt;
  Fitter fitter(options.budgets, phases);
  return fitter.run() ? fitter.findLimits(options.model) : std::nullopt;
}

#include "utils/Driver/Budgets/FitBudgets.h"

#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/AssignOffsets.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Inspect/EstimateTask.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo;

namespace {

/// Limit of the rounds. No model needs as many, because each round changes the limits of some task.
constexpr unsigned mostRounds = 16;

/// Fits the schedules of one target. Each function must be called while `phases` has this target as its current one.
class Fitter {
public:
  Fitter(const Budgets &budgets, PhaseRunner &phases) : budgets(budgets), phases(phases) {}

  llvm::LogicalResult begin();
  /// Lowers the limits of the next schedules: by `missingWeights` bytes of weights, if it is positive, and of the
  /// arena, if that exceeds its budget. Returns false if no limit can be lowered further.
  bool tighten(int64_t missingWeights);
  llvm::LogicalResult scheduleAgain();
  void reportTrades();
  int64_t weightBytes() const;
  std::optional<llvm::StringMap<schedule::TaskLimits>> findLimits(llvm::StringRef model);
  MemoryUse takeUse() { return std::move(*use); }

private:
  int64_t scratchAt(size_t step) const;
  llvm::LogicalResult checkFits(llvm::StringRef model) const;
  llvm::LogicalResult shareWeights(llvm::StringMap<schedule::TaskLimits> &found);
  bool exceedsArena() const { return budgets.arena && use->openBuffers == 0 && use->arenaBytes > *budgets.arena; }
  int64_t missingWeights() const { return budgets.weights ? weightBytes() - *budgets.weights : 0; }
  bool tightenWeights(int64_t missing);
  bool tightenArena();
  bool limitScratch(llvm::StringRef task, int64_t bytes);

  const Budgets &budgets;
  PhaseRunner &phases;
  ScheduleLimits limits;
  std::optional<MemoryUse> use;
  std::optional<int64_t> lastWeights;
  bool ordersFirst = false; ///< whether the next schedules change only the order of the tasks
  int64_t savedByOrder = 0;
};

} // namespace

/// Returns the size of all weights, each padded to its alignment in the object.
int64_t Fitter::weightBytes() const {
  int64_t bytes = 0;
  for (const MemoryUse::Weight &weight : use->weights)
    bytes += llvm::alignTo(weight.bytes, arenaAlignment);
  return bytes;
}

/// Lowers the limit of filters by the missing bytes. Kernels pack filters in blocks, so the saving differs a little
/// from the limit.
bool Fitter::tightenWeights(int64_t missing) {
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

/// First asks for an order of tasks with fewer live bytes, which costs nothing. Then lowers the scratch memory of tasks
/// during which too many bytes are live.
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

llvm::LogicalResult Fitter::begin() {
  if (llvm::failed(phases.keepUnscheduled()) || llvm::failed(phases.runUntil(Phase::Emit)))
    return llvm::failure();
  use = findMemoryUse(phases.module());
  return llvm::success(use.has_value());
}

bool Fitter::tighten(int64_t missingWeights) {
  bool isOrdered = limits.orderTasks;
  bool tightensWeights = tightenWeights(missingWeights), tightensArena = tightenArena();
  ordersFirst = !isOrdered && limits.orderTasks && !tightensWeights;
  return tightensWeights || tightensArena;
}

llvm::LogicalResult Fitter::scheduleAgain() {
  int64_t arena = use->arenaBytes;
  if (llvm::failed(phases.scheduleAgain(limits)))
    return llvm::failure();
  use = findMemoryUse(phases.module());
  if (use && ordersFirst)
    savedByOrder = arena - use->arenaBytes;
  return llvm::success(use.has_value());
}

/// Returns the part of `missing` that a target must save: its share `own` of `all` weights. If the targets share no
/// weights, the parts add up to `missing`; if they share all, each target saves the same bytes.
static int64_t partOf(int64_t missing, int64_t own, int64_t all) {
  return missing <= 0 ? missing
                      : llvm::divideCeil(static_cast<uint64_t>(missing) * static_cast<uint64_t>(own),
                                         static_cast<uint64_t>(all));
}

/// Returns one fitter for each target; none after a reported error.
static std::vector<Fitter> fitAll(const Budgets &budgets, PhaseRunner &phases) {
  std::vector<Fitter> fitters(phases.targets().size(), Fitter(budgets, phases));
  auto forEach = [&](llvm::function_ref<llvm::LogicalResult(Fitter &)> work) {
    auto next = fitters.begin();
    return phases.forEachTarget([&] { return work(*next++); });
  };
  if (llvm::failed(forEach([](Fitter &fitter) { return fitter.begin(); })))
    return {};
  bool tightens = true;
  for (unsigned round = 0; tightens && round < mostRounds; ++round) {
    int64_t all = budgets.weights ? sharedWeightBytes(phases.modules()) : 0,
            missing = all - budgets.weights.value_or(0);
    tightens = false;
    llvm::LogicalResult scheduled = forEach([&](Fitter &fitter) -> llvm::LogicalResult {
      if (!fitter.tighten(partOf(missing, fitter.weightBytes(), all)))
        return llvm::success();
      tightens = true;
      return fitter.scheduleAgain();
    });
    if (llvm::failed(scheduled))
      return {};
  }
  return fitters;
}

void Fitter::reportTrades() {
  if (savedByOrder > 0)
    report(Severity::Remark, "tasks run in another order" + phases.forTarget() + ": " + llvm::Twine(savedByOrder) +
                                 " bytes of arena less");
  for (auto def : phases.module().getOps<task::DefOp>())
    if (auto traded = def->getAttrOfType<mlir::StringAttr>("traded"))
      report(Severity::Remark,
             taskText(def.getSymName(), task::nodeNames(def.getLoc())) + phases.forTarget() + ": " + traded.getValue());
}

/// Divides the bytes of the budget that the default schedules leave among all tasks.
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
      filters =
          schedule::winogradUse(schedule::readNests(def), schedule::replacementsOf(steps), phases.target()).filterBytes;
    found[task.name].filterBytes = filters + share / std::max<int64_t>(1, task.calls);
  }
  return llvm::success();
}

/// Fails if the default schedules exceed a budget, because tuning starts from them.
llvm::LogicalResult Fitter::checkFits(llvm::StringRef model) const {
  if (budgets.arena && use->openBuffers > 0)
    return reportFailure(model +
                         ": --max-arena: expected sizes that are known at compile time: --dim NAME=SIZE fixes a size");
  if (exceedsArena())
    return reportFailure(model + ": --max-arena: expected at most " + llvm::Twine(*budgets.arena) +
                         " bytes of arena before tuning, got " + llvm::Twine(use->arenaBytes));
  if (missingWeights() > 0)
    return reportFailure(model + ": --max-weights: expected at most " + llvm::Twine(*budgets.weights) +
                         " bytes of weights before tuning, got " + llvm::Twine(weightBytes()));
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

std::optional<std::vector<MemoryUse>> cameo::scheduleWithin(const Budgets &budgets, PhaseRunner &phases,
                                                            bool isVerbose) {
  std::vector<Fitter> fitters = fitAll(budgets, phases);
  // A budget for code needs the unscheduled module later, because only code generation shows the size of code.
  if (!budgets.text)
    phases.dropUnscheduled();
  if (fitters.empty())
    return std::nullopt;
  std::vector<MemoryUse> uses;
  llvm::LogicalResult taken = phases.forEachTarget([&] {
    Fitter &fitter = fitters[uses.size()];
    if (isVerbose)
      fitter.reportTrades();
    uses.push_back(fitter.takeUse());
    return llvm::success();
  });
  return llvm::succeeded(taken) ? std::optional(std::move(uses)) : std::nullopt;
}

std::optional<llvm::StringMap<schedule::TaskLimits>>
cameo::findMemoryLimits(const Budgets &budgets, PhaseRunner &phases, llvm::StringRef model) {
  std::vector<Fitter> fitters = fitAll(budgets, phases);
  return fitters.empty() ? std::nullopt : fitters.front().findLimits(model);
}

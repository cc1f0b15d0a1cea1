// Fits the code of a model to a budget. Only code generation shows the size of a schedule's code, so all tasks are
// generated with small register blocks once. Then the tasks with the smallest loss per saved byte get small blocks.
#include "utils/Driver/Budgets/FitText.h"

#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Inspect/EstimateTask.h"

#include <cmath>

using namespace cameo;
using llvm::StringRef;

namespace {

/// Number of registers of a small block. Its code is a half to three quarters as large as that of a block with 32
/// registers; 16 registers would save nothing.
constexpr int64_t fewRegisters = 8;

/// Limit of the rounds. Each round measures the missing bytes again, because the code between the tasks changes a
/// little with them.
constexpr unsigned mostTextRounds = 4;

using CyclesOfTasks = llvm::StringMap<double>;

/// The effect of small blocks on a task.
struct Trade {
  size_t target; ///< index of the target
  std::string task;
  int64_t bytes;
  double cycles; ///< lost cycles of all calls

  double loss() const { return cycles / static_cast<double>(bytes); }
};

class TextFitter {
public:
  TextFitter(int64_t budget, const ModelSize &size, PhaseRunner &phases,
             llvm::function_ref<std::optional<ModelSize>()> generate)
      : budget(budget), before(size), phases(phases), generate(generate) {}

  llvm::LogicalResult run();
  llvm::LogicalResult report();

private:
  llvm::LogicalResult forEachTarget(llvm::function_ref<llvm::LogicalResult(size_t target)> work);
  mlir::FailureOr<CyclesOfTasks> estimateOne();
  mlir::FailureOr<std::vector<CyclesOfTasks>> estimate();
  std::optional<ModelSize> generateWith(llvm::function_ref<bool(size_t target, StringRef task)> isSmall);
  llvm::LogicalResult findTrades();

  int64_t budget;
  const ModelSize &before;
  PhaseRunner &phases;
  llvm::function_ref<std::optional<ModelSize>()> generate;
  std::vector<Trade> trades; ///< in the order in which they are taken
  size_t taken = 0;
};

} // namespace

llvm::LogicalResult TextFitter::forEachTarget(llvm::function_ref<llvm::LogicalResult(size_t target)> work) {
  size_t target = 0;
  return phases.forEachTarget([&] { return work(target++); });
}

/// Returns the estimated cycles of all calls of each task, for its schedule for the current target.
mlir::FailureOr<CyclesOfTasks> TextFitter::estimateOne() {
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> module = phases.copyWithSchedules();
  if (mlir::failed(module))
    return mlir::failure();
  llvm::StringMap<int64_t> calls;
  (*module)->walk([&](task::CallOp call) { ++calls[call.getCallee()]; });
  CyclesOfTasks cycles;
  for (auto def : (*module)->getOps<task::DefOp>()) {
    // A task with dynamic sizes has no estimate, and keeps its schedule.
    if (!schedule::programOf(def) || !schedule::readNests(def).hasKnownSizes())
      continue;
    if (std::optional<double> once = estimateTask(def, phases.target(), /*threads=*/1))
      cycles[def.getSymName()] = *once * static_cast<double>(calls.lookup(def.getSymName()));
  }
  return cycles;
}

/// Returns the estimates for each target.
mlir::FailureOr<std::vector<CyclesOfTasks>> TextFitter::estimate() {
  std::vector<CyclesOfTasks> all;
  llvm::LogicalResult estimated = forEachTarget([&](size_t) {
    mlir::FailureOr<CyclesOfTasks> cycles = estimateOne();
    if (mlir::succeeded(cycles))
      all.push_back(std::move(*cycles));
    return cycles;
  });
  if (llvm::failed(estimated))
    return mlir::failure();
  return all;
}

std::optional<ModelSize> TextFitter::generateWith(llvm::function_ref<bool(size_t target, StringRef task)> isSmall) {
  llvm::LogicalResult scheduled = forEachTarget([&](size_t target) {
    mlir::Builder builder(phases.unscheduled().getContext());
    for (auto def : phases.unscheduled().getOps<task::DefOp>()) {
      if (isSmall(target, def.getSymName()))
        def->setAttr("most_registers", builder.getI64IntegerAttr(fewRegisters));
      else
        def->removeAttr("most_registers");
    }
    return phases.scheduleAgain(phases.limits());
  });
  return llvm::succeeded(scheduled) ? generate() : std::nullopt;
}

llvm::LogicalResult TextFitter::findTrades() {
  mlir::FailureOr<std::vector<CyclesOfTasks>> cyclesBefore = estimate();
  if (mlir::failed(cyclesBefore))
    return llvm::failure();
  std::optional<ModelSize> all = generateWith([](size_t, StringRef) { return true; });
  if (!all)
    return llvm::failure();
  mlir::FailureOr<std::vector<CyclesOfTasks>> cyclesAfter = estimate();
  if (mlir::failed(cyclesAfter))
    return llvm::failure();
  for (size_t target = 0; target < cyclesBefore->size(); ++target)
    for (auto &[name, cycles] : (*cyclesBefore)[target]) {
      int64_t saved = before.variants[target].codeOf(name) - all->variants[target].codeOf(name);
      if (saved > 0)
        trades.push_back({target, name.str(), saved, std::max(0.0, (*cyclesAfter)[target].lookup(name) - cycles)});
    }
  llvm::sort(trades, [](const Trade &a, const Trade &b) {
    return std::tuple(a.loss(), StringRef(a.task), a.target) < std::tuple(b.loss(), StringRef(b.task), b.target);
  });
  return llvm::success();
}

llvm::LogicalResult TextFitter::run() {
  if (llvm::failed(findTrades()))
    return llvm::failure();
  int64_t missing = before.text() - budget;
  for (unsigned round = 0; missing > 0 && round < mostTextRounds; ++round) {
    bool isLast = round + 1 == mostTextRounds;
    size_t first = taken;
    for (; taken < trades.size() && (missing > 0 || isLast); ++taken)
      missing -= trades[taken].bytes;
    if (taken == first && round > 0)
      break;
    std::optional<ModelSize> now = generateWith([&](size_t target, StringRef task) {
      return llvm::any_of(llvm::ArrayRef(trades).take_front(taken),
                          [&](const Trade &trade) { return trade.target == target && trade.task == task; });
    });
    if (!now)
      return llvm::failure();
    missing = now->text() - budget;
  }
  return llvm::success();
}

llvm::LogicalResult TextFitter::report() {
  return forEachTarget([&](size_t target) {
    for (const Trade &trade : llvm::ArrayRef(trades).take_front(taken)) {
      if (trade.target != target)
        continue;
      auto def = phases.unscheduled().lookupSymbol<task::DefOp>(trade.task);
      cameo::report(Severity::Remark, taskText(trade.task, task::nodeNames(def.getLoc())) + phases.forTarget() +
                                          ": blocks of " + llvm::Twine(fewRegisters) + " registers, " +
                                          llvm::Twine(trade.bytes) + " bytes of code less, for about " +
                                          llvm::Twine(std::llround(trade.cycles)) + " cycles more");
    }
    return llvm::success();
  });
}

llvm::LogicalResult cameo::fitText(int64_t budget, const ModelSize &size, PhaseRunner &phases,
                                   llvm::function_ref<std::optional<ModelSize>()> generate, bool isVerbose) {
  if (size.text() <= budget)
    return llvm::success();
  TextFitter fitter(budget, size, phases, generate);
  if (llvm::failed(fitter.run()))
    return llvm::failure();
  return isVerbose ? fitter.report() : llvm::success();
}

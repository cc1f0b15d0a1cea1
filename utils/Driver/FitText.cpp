// How much code a schedule becomes only code generation tells: all tasks are tried with small blocks once, and then those get them that should.
#include "utils/Driver/FitText.h"

#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "utils/Driver/DiagnosticSink.h"
#include "utils/Driver/EstimateTask.h"

#include <cmath>

using namespace cameo;
using llvm::StringRef;

namespace {

/// Blocks of so many take a half to three quarters of the code of those of 32; of 16 they take as much.
constexpr int64_t fewRegisters = 8;

/// What is missing is measured again after each: code between the tasks changes with them a little.
constexpr unsigned mostRounds = 4;

/// What a task saves with small blocks, and loses.
struct Trade {
  std::string task;
  int64_t bytes;
  double cycles; ///< of all calls

  double loss() const { return cycles / static_cast<double>(bytes); }
};

class TextFitter {
public:
  TextFitter(int64_t budget, const ModelSize &size, PhaseRunner &phases, llvm::function_ref<std::optional<ModelSize>()> generate)
      : budget(budget), before(size), phases(phases), generate(generate) {}

  llvm::LogicalResult run();
  void report() const;

private:
  mlir::FailureOr<llvm::StringMap<double>> estimate();
  std::optional<ModelSize> generateWith(llvm::function_ref<bool(StringRef task)> isSmall);
  llvm::LogicalResult findTrades();

  int64_t budget;
  const ModelSize &before;
  PhaseRunner &phases;
  llvm::function_ref<std::optional<ModelSize>()> generate;
  std::vector<Trade> trades; ///< in the order in which they are taken
  size_t taken = 0;
};

} // namespace

/// Cycles of all calls of each task under its schedule.
mlir::FailureOr<llvm::StringMap<double>> TextFitter::estimate() {
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> module = phases.copyWithSchedules();
  if (mlir::failed(module))
    return mlir::failure();
  llvm::StringMap<int64_t> calls;
  (*module)->walk([&](task::CallOp call) { ++calls[call.getCallee()]; });
  llvm::StringMap<double> cycles;
  for (auto def : (*module)->getOps<task::DefOp>()) {
    // A task whose sizes only the run knows has no estimate, and keeps its schedule.
    if (!schedule::programOf(def) || !schedule::readNests(def).hasKnownSizes())
      continue;
    if (std::optional<double> once = estimateTask(def, phases.target(), /*threads=*/1))
      cycles[def.getSymName()] = *once * static_cast<double>(calls.lookup(def.getSymName()));
  }
  return cycles;
}

std::optional<ModelSize> TextFitter::generateWith(llvm::function_ref<bool(StringRef task)> isSmall) {
  mlir::Builder builder(phases.unscheduled().getContext());
  for (auto def : phases.unscheduled().getOps<task::DefOp>()) {
    if (isSmall(def.getSymName()))
      def->setAttr("most_registers", builder.getI64IntegerAttr(fewRegisters));
    else
      def->removeAttr("most_registers");
  }
  return llvm::succeeded(phases.scheduleAgain(phases.limits())) ? generate() : std::nullopt;
}

llvm::LogicalResult TextFitter::findTrades() {
  mlir::FailureOr<llvm::StringMap<double>> cyclesBefore = estimate();
  if (mlir::failed(cyclesBefore))
    return llvm::failure();
  std::optional<ModelSize> all = generateWith([](StringRef) { return true; });
  if (!all)
    return llvm::failure();
  mlir::FailureOr<llvm::StringMap<double>> cyclesAfter = estimate();
  if (mlir::failed(cyclesAfter))
    return llvm::failure();
  for (auto &[name, cycles] : *cyclesBefore) {
    int64_t saved = before.variants.front().codeOf(name) - all->variants.front().codeOf(name);
    if (saved > 0)
      trades.push_back({name.str(), saved, std::max(0.0, cyclesAfter->lookup(name) - cycles)});
  }
  llvm::sort(trades, [](const Trade &a, const Trade &b) { return a.loss() != b.loss() ? a.loss() < b.loss() : a.task < b.task; });
  return llvm::success();
}

llvm::LogicalResult TextFitter::run() {
  if (llvm::failed(findTrades()))
    return llvm::failure();
  int64_t missing = before.text() - budget;
  for (unsigned round = 0; missing > 0 && round < mostRounds; ++round) {
    bool isLast = round + 1 == mostRounds;
    size_t first = taken;
    for (; taken < trades.size() && (missing > 0 || isLast); ++taken)
      missing -= trades[taken].bytes;
    if (taken == first && round > 0)
      break;
    std::optional<ModelSize> now = generateWith([&](StringRef task) {
      return llvm::any_of(llvm::ArrayRef(trades).take_front(taken), [&](const Trade &trade) { return trade.task == task; });
    });
    if (!now)
      return llvm::failure();
    missing = now->text() - budget;
  }
  return llvm::success();
}

void TextFitter::report() const {
  for (const Trade &trade : llvm::ArrayRef(trades).take_front(taken)) {
    auto def = phases.unscheduled().lookupSymbol<task::DefOp>(trade.task);
    cameo::report(Severity::Remark, taskText(trade.task, task::nodeNames(def.getLoc())) + ": blocks of " + llvm::Twine(fewRegisters) + " registers, " +
                                        llvm::Twine(trade.bytes) + " bytes of code less, for about " + llvm::Twine(std::llround(trade.cycles)) + " cycles more");
  }
}

llvm::LogicalResult cameo::fitText(int64_t budget, const ModelSize &size, PhaseRunner &phases, llvm::function_ref<std::optional<ModelSize>()> generate, bool isVerbose) {
  if (size.text() <= budget)
    return llvm::success();
  TextFitter fitter(budget, size, phases, generate);
  if (llvm::failed(fitter.run()))
    return llvm::failure();
  if (isVerbose)
    fitter.report();
  return llvm::success();
}

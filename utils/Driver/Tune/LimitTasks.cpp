#include "utils/Driver/Tune/LimitTasks.h"

#include "dialects/Task/TaskDialect.h"
#include "utils/Driver/Budgets/FitBudgets.h"
#include "utils/Driver/Budgets/FitText.h"

using namespace cameo;

/// Limits code and registers of each task so that the model fits its budget for code. The bytes that the default
/// schedules leave are divided among all tasks.
static llvm::LogicalResult limitCode(int64_t budget, PhaseRunner &phases, llvm::StringRef model,
                                     llvm::StringMap<schedule::TaskLimits> &limits) {
  std::optional<ModelSize> size;
  auto measure = [&] { return size = measurePhases(phases, model); };
  if (!measure() || llvm::failed(fitText(budget, ModelSize(*size), phases, measure, /*isVerbose=*/false)))
    return llvm::failure();
  if (size->text() > budget)
    return reportFailure(model + ": --max-text: expected at most " + llvm::Twine(budget) +
                         " bytes of code and constants before tuning, got " + llvm::Twine(size->text()));
  const ModelSize::Variant &code = size->variants.front();
  int64_t share = (budget - size->text()) / std::max<int64_t>(1, code.memory->tasks.size());
  for (const MemoryUse::Task &task : code.memory->tasks) {
    schedule::TaskLimits &most = limits[task.name];
    most.codeBytes = code.codeOf(task.name) + share;
    if (auto registers = phases.unscheduled().lookupSymbol<task::DefOp>(task.name)->getAttrOfType<mlir::IntegerAttr>(
            "most_registers"))
      most.registers = registers.getInt();
  }
  return llvm::success();
}

std::optional<llvm::StringMap<schedule::TaskLimits>> cameo::findTaskLimits(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()))
    return std::nullopt;
  std::optional<llvm::StringMap<schedule::TaskLimits>> limits =
      findMemoryLimits(options.budgets, phases, options.model);
  if (limits && options.budgets.text && llvm::failed(limitCode(*options.budgets.text, phases, options.model, *limits)))
    return std::nullopt;
  return limits;
}

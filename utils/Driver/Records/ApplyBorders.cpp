#include "utils/Driver/Records/ApplyBorders.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Partition/Passes.h"
#include "passes/Partition/TaskCuts.h"
#include "passes/Partition/TaskNeighbours.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/FitRecords.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// A task boundary, and where it was found.
template <typename Border> struct Found {
  Border border;
  std::string from; ///< describes the record; empty if the caller set the boundary
};

class BorderMover {
public:
  BorderMover(mlir::ModuleOp module, const CompileOptions &options)
      : module(module), options(options), records(options.records) {}

  llvm::Error read(const TargetInfo &target);
  llvm::LogicalResult split();
  llvm::LogicalResult merge();

private:
  llvm::LogicalResult merge(const Found<TaskMerge> &merge);
  llvm::LogicalResult complain(const std::string &message) const;
  void say(const llvm::Twine &message, llvm::StringRef from) const;
  llvm::LogicalResult run(std::unique_ptr<mlir::Pass> pass);

  mlir::ModuleOp module;
  const CompileOptions &options;
  const RecordsOptions &records;
  llvm::StringMap<Found<TaskSplit>> splits; ///< by key of the task
  std::vector<Found<TaskMerge>> merges;
};

} // namespace

void cameo::addBorder(const TuningRecord &border, RecordsOptions &options) {
  if (border.split)
    options.splits.push_back({border.task, *border.split});
  if (border.merge)
    options.merges.push_back({border.task, border.with, *border.merge});
}

llvm::Error BorderMover::read(const TargetInfo &target) {
  auto add = [&](const RecordsOptions &given, const std::string &from) {
    for (const TaskSplit &split : given.splits)
      splits[split.task] = {split, from};
    for (const TaskMerge &merge : given.merges)
      merges.push_back({merge, from});
  };
  if (!records.file.empty() && records.policy != RecordsPolicy::Off) {
    llvm::Expected<RecordFile> file = readRecords(records.file);
    if (!file)
      return file.takeError();
    for (const TuningRecord *record :
         findBorders(file->borders, recordTarget(target, static_cast<unsigned>(options.threads)))) {
      RecordsOptions border;
      addBorder(*record, border);
      add(border,
          llvm::formatv("record of {0}: {1:F3} of the model's time", record->time, record->relativeCost().median));
    }
  }
  add(records, "");
  return llvm::Error::success();
}

llvm::LogicalResult BorderMover::complain(const std::string &message) const {
  std::string whole = (records.file.empty() ? "" : records.file + ": ") + message;
  if (records.policy == RecordsPolicy::Locked)
    return reportFailure(whole);
  if (records.policy == RecordsPolicy::Warn)
    report(Severity::Warning, whole);
  return llvm::success();
}

void BorderMover::say(const llvm::Twine &message, llvm::StringRef from) const {
  if (options.verbose)
    report(Severity::Remark, message + (from.empty() ? "" : ", " + from));
}

llvm::LogicalResult BorderMover::run(std::unique_ptr<mlir::Pass> pass) {
  mlir::PassManager manager(module.getContext());
  manager.addPass(std::move(pass));
  return manager.run(module);
}

llvm::LogicalResult BorderMover::split() {
  bool isSplit = false;
  for (auto def : module.getOps<task::DefOp>()) {
    auto key = def->getAttrOfType<mlir::StringAttr>("key");
    auto split = key ? splits.find(key.strref()) : splits.end();
    if (split == splits.end())
      continue;
    unsigned number = split->second.border.number;
    if (!partition::cutBehind(def.getBody().front(), number)) {
      if (llvm::failed(complain(llvm::formatv("task {0} cannot be split after operation {1}, as a record says",
                                              def.getSymName(), number))))
        return llvm::failure();
      continue;
    }
    def->setAttr("split", mlir::Builder(module.getContext()).getI64IntegerAttr(number));
    say("task " + def.getSymName() + " becomes two", split->second.from);
    isSplit = true;
  }
  if (!isSplit)
    return llvm::success();
  return llvm::success(llvm::succeeded(run(createSplitTasksPass())) &&
                       llvm::succeeded(run(createDeduplicateTasksPass())));
}

/// Merges the two tasks wherever the second one reads a result of the first one. If a task occurs three times in a row,
/// only two of the calls are merged.
llvm::LogicalResult BorderMover::merge(const Found<TaskMerge> &merge) {
  const auto &[task, with, operand] = merge.border;
  mlir::SymbolTable symbols(module);
  task::DefOp firstDef, secondDef;
  for (auto def : module.getOps<task::DefOp>()) {
    auto key = def->getAttrOfType<mlir::StringAttr>("key");
    if (key && key.strref() == task)
      firstDef = def;
    if (key && key.strref() == with)
      secondDef = def;
  }
  if (!firstDef || !secondDef)
    return llvm::success();
  if (operand >= secondDef.getNumArguments())
    return complain(llvm::formatv("task {0} has no operand {1}, by which a record merges it with another one",
                                  secondDef.getSymName(), operand));
  std::vector<task::CallOp> calls;
  module.walk([&](task::CallOp call) {
    if (call.getCallee() == secondDef.getSymName())
      calls.push_back(call);
  });
  std::string message = llvm::formatv("tasks {0} and {1} become one", firstDef.getSymName(), secondDef.getSymName());
  llvm::SmallPtrSet<mlir::Operation *, 8> gone;
  for (task::CallOp second : calls) {
    if (gone.contains(second))
      continue;
    // Merge one pair at a time: a call that could be merged with its neighbour may no longer be after another merge.
    task::CallOp first = partition::TaskNeighbours(*second->getBlock(), symbols).findFirst(second, operand);
    if (!first || first.getCallee() != firstDef.getSymName())
      continue;
    gone.insert(first);
    second->setAttr("merge", mlir::Builder(module.getContext()).getI64IntegerAttr(operand));
    if (llvm::failed(run(createMergeNeighboursPass())))
      return llvm::failure();
  }
  if (gone.empty())
    return llvm::success();
  say(message, merge.from);
  return run(createDeduplicateTasksPass());
}

llvm::LogicalResult BorderMover::merge() {
  for (const Found<TaskMerge> &each : merges)
    if (llvm::failed(merge(each)))
      return llvm::failure();
  return llvm::success();
}

llvm::LogicalResult cameo::applyBorders(mlir::ModuleOp module, const TargetInfo &target,
                                        const CompileOptions &options) {
  BorderMover mover(module, options);
  if (llvm::Error error = mover.read(target))
    return reportFailure(std::move(error));
  return llvm::success(llvm::succeeded(mover.split()) && llvm::succeeded(mover.merge()));
}

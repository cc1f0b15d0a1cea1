#include "utils/Driver/Records/ApplySplits.h"

#include "autotune/Records/RecordFile.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Partition/Passes.h"
#include "passes/Partition/TaskCuts.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/FitRecords.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// Behind which operation a task is divided, and who says so.
struct Division {
  unsigned number;
  std::string from; ///< empty: the caller
};

} // namespace

static llvm::Error readSplits(const TargetInfo &target, const CompileOptions &options,
                              llvm::StringMap<Division> &splits) {
  const RecordsOptions &records = options.records;
  if (!records.file.empty() && records.policy != RecordsPolicy::Off) {
    llvm::Expected<RecordFile> file = readRecords(records.file);
    if (!file)
      return file.takeError();
    for (const TuningRecord *record :
         findSplits(file->splits, recordTarget(target, static_cast<unsigned>(options.threads))))
      splits[record->task] = {*record->split, llvm::formatv("record of {0}: {1:F3} of the model's time", record->time,
                                                            record->relativeCost().median)};
  }
  for (const TaskSplit &split : records.splits)
    splits[split.task] = {split.number, ""};
  return llvm::Error::success();
}

llvm::LogicalResult cameo::applySplits(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options) {
  llvm::StringMap<Division> splits;
  if (llvm::Error error = readSplits(target, options, splits))
    return reportFailure(std::move(error));
  bool isSplit = false;
  for (auto def : module.getOps<task::DefOp>()) {
    auto key = def->getAttrOfType<mlir::StringAttr>("key");
    auto split = key ? splits.find(key.strref()) : splits.end();
    if (split == splits.end())
      continue;
    const auto &[number, from] = split->second;
    if (!partition::cutBehind(def.getBody().front(), number)) {
      std::string message = llvm::formatv("{0}: task {1} cannot be divided behind operation {2}, as a record says",
                                          options.records.file, def.getSymName(), number);
      if (options.records.policy == RecordsPolicy::Locked)
        return reportFailure(message);
      if (options.records.policy == RecordsPolicy::Warn)
        report(Severity::Warning, message);
      continue;
    }
    def->setAttr("split", mlir::Builder(module.getContext()).getI64IntegerAttr(number));
    if (options.verbose)
      report(Severity::Remark, "task " + def.getSymName() + " becomes two" + (from.empty() ? "" : ", " + from));
    isSplit = true;
  }
  if (!isSplit)
    return llvm::success();
  mlir::PassManager manager(module.getContext());
  manager.addPass(createSplitTasksPass());
  manager.addPass(createDeduplicateTasksPass());
  return manager.run(module);
}

// Tries the schedules of records that fit no task any more on similar tasks of the model.
#include "utils/Driver/Tune/Tuning.h"

#include "autotune/Records/BestRecord.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Tune/MapRecords.h"

#include <cmath>

using namespace cameo;
using namespace cameo::autotune;

/// Returns the records that may be tried for a task of this name and size, the most promising first.
static std::vector<TuningRecord> similarRecords(llvm::ArrayRef<TuningRecord> bests, llvm::StringRef name,
                                                double flops) {
  std::vector<TuningRecord> similar;
  for (const TuningRecord &record : bests)
    if (taskKind(record.name) == taskKind(name) && record.flops > 0)
      similar.push_back(record);
  llvm::sort(similar, [flops](const TuningRecord &a, const TuningRecord &b) {
    auto distance = [flops](const TuningRecord &record) {
      return std::abs(std::log(record.flops / std::max(flops, 1.0)));
    };
    return std::tuple(distance(a), a.task) < std::tuple(distance(b), b.task);
  });
  constexpr size_t tried = 3;
  if (similar.size() > tried)
    similar.erase(similar.begin() + tried, similar.end());
  return similar;
}

llvm::LogicalResult Tuning::migrate(std::vector<TuningRecord> &records, llvm::raw_ostream &log) {
  mapRecords(tasks, records, log);
  std::vector<TuningRecord> fitting = takeFitting(records), migrated;
  const TargetInfo &target = phases.target();
  RecordTarget wanted = recordTarget(target, static_cast<unsigned>(options.compile.threads));
  BestRecords bests(fitting);
  std::vector<TuningRecord> distilled = distill(records);
  std::optional<MeasureFunctions> functions;
  for (const SessionTask &each : tasks) {
    if (bests.find(each.task.key, wanted).record)
      continue;
    task::DefOp def = each.task.def;
    auto flops = def->getAttrOfType<mlir::FloatAttr>("flops");
    std::string outcome = "no record of a similar task";
    for (const TuningRecord &old : similarRecords(distilled, def.getSymName(), flops ? flops.getValueAsDouble() : 0)) {
      if (!functions) {
        llvm::Expected<MeasureFunctions> ofMachine = measureOnMachine();
        if (!ofMachine)
          return reportFailure(ofMachine.takeError());
        functions = std::move(*ofMachine);
      }
      TuningRecord record =
          llvm::cantFail(functions->confirm(each.task, old.schedule, /*defaultSchedule=*/"", /*time=*/0),
                         "nobody defers what is migrated");
      if (record.isValid()) {
        outcome = "as " + old.name + " of key " + old.task;
        migrated.push_back(std::move(record));
        break;
      }
      outcome = "the schedule of " + old.name + " fails: " + record.error.message;
    }
    log << def.getSymName() << "  key " << each.task.key << ": " << outcome << '\n';
  }
  llvm::append_range(records, migrated);
  return llvm::success();
}

// Imports schedules that TVM's tuners found as seeds for searches.
#ifndef CAMEO_UTILS_DRIVER_TUNE_IMPORTTVM_H
#define CAMEO_UTILS_DRIVER_TUNE_IMPORTTVM_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Reads logs of TVM (autotune/Records/TvmLog.h) and creates seeds from the tilings whose loops match a task of the
/// model of `options`: for each task only the few that were fastest there. Costs are not imported, because another
/// compiler generated the code. Reports the result for each line on `log`. Fails after a reported error, also for a
/// line that is not from TVM.
llvm::LogicalResult importTvmLogs(const CompileOptions &options, llvm::ArrayRef<std::string> paths,
                                  std::vector<autotune::TuningRecord> &seeds, llvm::raw_ostream &log);

} // namespace cameo

#endif

// What TVM's tuners found, as schedules for searches to begin with.
#ifndef CAMEO_UTILS_DRIVER_TUNE_IMPORTTVM_H
#define CAMEO_UTILS_DRIVER_TUNE_IMPORTTVM_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

/// Reads logs of TVM (autotune/Records/TvmLog.h) and makes seeds of the tilings whose loops a task of the model of
/// `options` has: never more than a few for a task, those that were fastest there. Costs are not taken over: they are
/// another compiler's. Says on `log` what became of the lines. Fails after a reported error, which a line that is none
/// of TVM's is.
llvm::LogicalResult importTvmLogs(const CompileOptions &options, llvm::ArrayRef<std::string> paths,
                                  std::vector<autotune::TuningRecord> &seeds, llvm::raw_ostream &log);

} // namespace cameo

#endif

// Records that were made for other builds of a task's nests, or by a compiler that did not say for which.
#ifndef CAMEO_UTILS_DRIVER_TUNE_MAPRECORDS_H
#define CAMEO_UTILS_DRIVER_TUNE_MAPRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/TaskScheduler/TuningSession.h"

namespace cameo {

/// Makes records of `tasks` fit, which have their keys: those without a digest get one where their steps fit the nests
/// that there are, and those of the same nests in another order get other numbers in their steps. What cannot be mapped
/// stays as it is. Says on `log` of each task that has some what became of them.
void mapRecords(llvm::ArrayRef<autotune::SessionTask> tasks, std::vector<autotune::TuningRecord> &records,
                llvm::raw_ostream &log);

} // namespace cameo

#endif

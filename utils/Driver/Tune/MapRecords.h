// Maps records to the current nests of tasks, if they were made for nests in another order or lack a digest.
#ifndef CAMEO_UTILS_DRIVER_TUNE_MAPRECORDS_H
#define CAMEO_UTILS_DRIVER_TUNE_MAPRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/TaskScheduler/TuningSession.h"

namespace cameo {

/// Maps the records of `tasks`, which are found by key. A record without a digest gets one if its steps fit the current
/// nests. If the nests are the same in another order, the numbers in its steps are changed. Other records are kept as
/// they are. Reports the result for each task with records on `log`.
void mapRecords(llvm::ArrayRef<autotune::SessionTask> tasks, std::vector<autotune::TuningRecord> &records,
                llvm::raw_ostream &log);

} // namespace cameo

#endif

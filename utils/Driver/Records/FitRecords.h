// Which records are of the loops that tasks have: others name nests, dimensions and buffers that are not there, or mean
// others.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_FITRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_FITRECORDS_H

#include "autotune/Records/BestRecord.h"
#include "passes/Target/TargetInfo.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Records that were made for other loops: how many, and why the first one of each task is none, by key.
struct ForeignRecords {
  size_t count = 0;
  llvm::StringMap<std::string> reasons;

  /// "3 records of 2 tasks, which were made for other loop nests than the task has now".
  std::string text() const;
};

/// Takes from `records` those of tasks in `nests`, the digests of their nests by key, that were made for other loops.
/// Those of other tasks and of no known loops stay.
ForeignRecords takeForeign(std::vector<autotune::TuningRecord> &records, const llvm::StringMap<std::string> &nests);

/// What records have to be of, so that code for `target` is made with them.
autotune::RecordTarget recordTarget(const TargetInfo &target, unsigned threads);

} // namespace cameo

#endif

// Finds the records that were made for the current loops of tasks. Other records refer to nests, dimensions and buffers
// that do not exist or have another meaning.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_FITRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_FITRECORDS_H

#include "autotune/Records/BestRecord.h"
#include "passes/Target/TargetInfo.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cameo {

/// Records that were made for other loops: their number, and the reason for the first one of each task, by key.
struct ForeignRecords {
  size_t count = 0;
  llvm::StringMap<std::string> reasons;

  /// Returns "3 records of 2 tasks, which were made for loop nests that differ from those of the task now".
  std::string text() const;
};

/// Removes from `records` those of tasks in `nests`, the digests of their nests by key, that were made for other loops.
/// Records of other tasks, or without a digest, stay.
ForeignRecords takeForeign(std::vector<autotune::TuningRecord> &records, const llvm::StringMap<std::string> &nests);

/// Returns the properties that records must match to be used in code for `target`.
autotune::RecordTarget recordTarget(const TargetInfo &target, unsigned threads);

} // namespace cameo

#endif

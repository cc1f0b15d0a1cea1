// Finds the record that a task is compiled with.
#ifndef CAMEO_AUTOTUNE_RECORDS_BESTRECORD_H
#define CAMEO_AUTOTUNE_RECORDS_BESTRECORD_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace cameo::autotune {

/// The properties of the target that records depend on.
struct RecordTarget {
  std::string triple, cpu;
  std::vector<std::string> extensions;
  unsigned threads = 1;
};

/// Whether the record may replace the default schedule: it is faster with a confidence of 95 %, or was not compared
/// (the record of the default schedule itself).
bool isAtLeastDefault(const TuningRecord &record);

/// Whether a task may be compiled with the record: it is a release measurement, was compared with the naive path, and
/// is no slower than the default schedule.
bool mayBeBest(const TuningRecord &record);

/// Orders valid records of one task: by gain over the default schedule, then by cost, then by text, so that the order
/// of a file does not matter.
bool isFaster(const TuningRecord &a, const TuningRecord &b);

/// Returns the decisive records, in their order, as pointers into `records`. The following rules hold for records of
/// the same nests, processor, number of threads and ranges of sizes. For one schedule, a measurement in calls of the
/// whole model overrides that of the task alone, and one of the whole model overrides both. A schedule that was only
/// measured in the task alone is left out if its gain there is no larger than that of a schedule that was rejected in
/// the model. Of several measurements of one schedule in the task alone, the worst one counts: a failure, or else the
/// smallest gain. For a task with dynamic sizes, only records for the sizes that were measured last count.
std::vector<const TuningRecord *> decisive(llvm::ArrayRef<TuningRecord> records);

/// Replaces `best`, which may be null, by `record` if a task may be compiled with `record` and it is faster.
void keepFaster(const TuningRecord *&best, const TuningRecord &record);

/// Returns the fastest decisive record that the task may be compiled with, as a pointer into `records`, or null. All
/// `records` are of one task, processor and number of threads.
const TuningRecord *fastest(llvm::ArrayRef<TuningRecord> records);

struct BestAnswer {
  const TuningRecord *record = nullptr; ///< owned by the caller; null if there is none
  std::string reason;                   ///< reason why there is none, or how the record differs from the request; often
                                        ///< empty
};

class BestRecords {
public:
  /// `records` must outlive this.
  explicit BestRecords(llvm::ArrayRef<TuningRecord> records);

  /// Returns the fastest record of the task that is a release measurement, was compared with the naive path, is no
  /// slower than the default schedule, and was measured with as many threads on the same architecture with no more
  /// vector extensions than the target has. Records of the same processor are preferred. Records with ranges are
  /// ignored.
  BestAnswer find(llvm::StringRef task, const RecordTarget &target) const;
  /// The same for records with ranges: for each range the fastest record, if it is faster there than the schedule for
  /// all sizes. Of overlapping ranges, the one with the larger gain is kept. In the order of the ranges.
  std::vector<BestAnswer> findRanged(llvm::StringRef task, const RecordTarget &target) const;
  /// Whether any record is of the task.
  bool has(llvm::StringRef task) const { return byTask.contains(task); }

private:
  BestAnswer findAmong(llvm::ArrayRef<const TuningRecord *> records, const RecordTarget &target) const;

  llvm::StringMap<std::vector<const TuningRecord *>> byTask, rangedByTask;
};

/// Returns the borders that a model for `target` is compiled with, as pointers into `borders`: those with which models
/// were clearly faster in each measurement. For each task this is the fastest split; then all merges follow in the
/// order in which they were found, because each was measured together with those before.
std::vector<const TuningRecord *> findBorders(llvm::ArrayRef<TuningRecord> borders, const RecordTarget &target);

/// Returns the records that some target may be compiled with: the best record for each task, processor, number of
/// threads, nests and range of sizes. They are sorted by these, so that the same records give the same file.
std::vector<TuningRecord> distill(llvm::ArrayRef<TuningRecord> records);

/// The same for borders.
std::vector<TuningRecord> distillBorders(llvm::ArrayRef<TuningRecord> borders);

} // namespace cameo::autotune

#endif

// The record that a task is compiled with.
#ifndef CAMEO_AUTOTUNE_RECORDS_BESTRECORD_H
#define CAMEO_AUTOTUNE_RECORDS_BESTRECORD_H

#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

namespace cameo::autotune {

/// What code is compiled for, as far as records depend on it.
struct RecordTarget {
  std::string triple, cpu;
  std::vector<std::string> extensions;
  unsigned threads = 1;
};

/// Whether the record may be preferred to the default schedule: in 95 of 100 cases it is faster, or nobody compared
/// them (the default's own record).
bool isAtLeastDefault(const TuningRecord &record);

/// Whether a task may be compiled with the record at all: it was measured well, compared with the naive path, and is no
/// slower than the default schedule.
bool mayBeBest(const TuningRecord &record);

/// The order of records of one task that are valid: by how much faster than the default schedule they are, then by
/// cost. Ties are decided by the text, so that the order of a file does not matter.
bool isFaster(const TuningRecord &a, const TuningRecord &b);

/// The records that decide, in their order. They point into `records`. Of the same nests, on one processor with as many
/// threads, what calls in the whole model took overrules what the task took alone with the same schedule, and what the
/// whole model took overrules both; and of schedules that only the task alone was timed with, those that gained no more
/// than one that the model refused are left out. Of several times that a task alone was timed with one schedule the
/// worst decides: one that failed, or else the one that gained least. Of a task with dynamic sizes those
/// decide that are for the sizes which were measured last. All this is said of records with the same ranges of sizes.
std::vector<const TuningRecord *> decisive(llvm::ArrayRef<TuningRecord> records);

/// Puts `record` in the place of `best`, which may be null, if a task may be compiled with it and it is the faster one.
void keepFaster(const TuningRecord *&best, const TuningRecord &record);

/// The fastest of those of one task, processor and number of threads that decide and that a task may be compiled with.
/// Points into `records`; null: there is none.
const TuningRecord *fastest(llvm::ArrayRef<TuningRecord> records);

struct BestAnswer {
  const TuningRecord *record = nullptr; ///< the caller's; null: there is none
  std::string reason;                   ///< why there is none; or what of the record is not as asked for, often empty
};

class BestRecords {
public:
  /// `records` must outlive this.
  explicit BestRecords(llvm::ArrayRef<TuningRecord> records);

  /// The fastest record of the task that was measured well, compared with the naive path, is no slower than the default
  /// schedule, and was taken with as many threads on the same architecture with no more vector extensions than the
  /// target has. One of the same processor goes before others. Of a record with ranges this knows nothing.
  BestAnswer find(llvm::StringRef task, const RecordTarget &target) const;
  /// The same for sizes in ranges: of each range the fastest, where that is faster there than the schedule for all
  /// sizes. Of ranges that overlap the one with more gain. In the order of the ranges.
  std::vector<BestAnswer> findRanged(llvm::StringRef task, const RecordTarget &target) const;
  /// Whether any record is of the task.
  bool has(llvm::StringRef task) const { return byTask.contains(task); }

private:
  BestAnswer findAmong(llvm::ArrayRef<const TuningRecord *> records, const RecordTarget &target) const;

  llvm::StringMap<std::vector<const TuningRecord *>> byTask, rangedByTask;
};

/// Of the borders that were tried, those that a model for `target` is compiled with, where models were clearly faster
/// each time that one was measured: of each task the split with which they were fastest, then all merges in the order
/// in which they were found, since each was measured with those before. They point into `borders`.
std::vector<const TuningRecord *> findBorders(llvm::ArrayRef<TuningRecord> borders, const RecordTarget &target);

/// The records that some target may be compiled with, and no others: of each task, processor, number of threads and
/// nests that they were made for, and range of sizes the best. In the order of these, so that the same records give the
/// same file.
std::vector<TuningRecord> distill(llvm::ArrayRef<TuningRecord> records);

/// The same of borders.
std::vector<TuningRecord> distillBorders(llvm::ArrayRef<TuningRecord> borders);

} // namespace cameo::autotune

#endif

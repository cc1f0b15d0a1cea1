// One measurement as a line of JSON with named fields: README.md lists them.
#ifndef CAMEO_AUTOTUNE_RECORDS_TUNINGRECORD_H
#define CAMEO_AUTOTUNE_RECORDS_TUNINGRECORD_H

#include "autotune/Records/CostInterval.h"
#include "autotune/Records/MeasureError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace cameo::autotune {

/// The result of comparing a schedule with the naive path.
struct Proof {
  uint64_t seed = 0;      ///< seed of the random inputs and weights
  double maxAbsolute = 0; ///< the largest difference
  double maxUlp = 0;      ///< largest difference in units of the last place
  double bound = 0;       ///< the allowed difference
};

/// A range of a dynamic size, from `least` to `most`; without `most` there is no upper bound.
struct SizeRange {
  std::string name;
  int64_t least = 0;
  std::optional<int64_t> most;

  bool operator==(const SizeRange &other) const = default;
};

/// Returns "seq from 0 to 45"; several ranges are separated by commas; "" if there are none.
std::string rangesText(llvm::ArrayRef<SizeRange> ranges);

/// Whether some sizes lie in all ranges of both lists.
bool overlap(llvm::ArrayRef<SizeRange> a, llvm::ArrayRef<SizeRange> b);

struct TuningRecord {
  /// The version of the format, the first field. A reader rejects newer versions. A record is written in the oldest
  /// version that can express it, for older readers.
  static constexpr int64_t format = 4, formatOfMerges = 3, formatOfSplits = 2, formatOfSchedules = 1;

  std::string task;                    ///< canonical key
  std::string name;                    ///< name for users
  double flops = 0;                    ///< scalar operations of one call
  std::string triple, cpu;             ///< where it ran
  std::vector<std::string> extensions; ///< instruction set extensions that the code was compiled for
  unsigned threads = 1;
  std::string sizes;             ///< sizes of the runs in which a task with dynamic sizes was measured, and their
                                 ///< weights: "seq=16,128*3"; empty if all sizes are static
  std::vector<SizeRange> ranges; ///< ranges in which the schedule is valid, by name. It was measured in those runs of
                                 ///< `sizes` that are inside, and `defaultCosts` are those of the schedule for all
                                 ///< sizes. Empty: valid for all sizes
  std::string schedule;          ///< text of a #schedule.steps
  unsigned steps = 0;            ///< version of the semantics of its steps; 0: from before versions
  std::string nests;             ///< digest of the nests that the schedule was made for; empty: from before digests
  std::vector<std::string> eachNest; ///< digest of each nest if there are several, but not very many
  std::string target;                ///< text of the #cameo.target that it was measured on; empty in old records
  std::string machine;       ///< identity of the machine that measured, equal for machines whose costs are comparable;
                             ///< empty: unknown
  std::string key, device;   ///< name that users give to such machines, and name of this one in a farm; may be empty
  bool isRelease = false;    ///< measured with many repeats, to compile with; otherwise measured briefly, to compare
                             ///< candidates
  bool isInModel = false;    ///< a release with the costs of its calls in the whole model, not of the task alone
  bool isOfModel = false;    ///< a release with the costs of the whole model, with all schedules that were found and
                             ///< without
  std::vector<double> costs; ///< seconds of one run, one for each measurement; empty if it failed
  std::vector<double> defaultCosts; ///< costs of the default schedule, each measured alternating with one of `costs`;
                                    ///< empty if not measured
  bool isDisturbed = false;         ///< whether the machine was busy with other work
  MeasureError error;
  std::optional<Proof> proof;    ///< nothing if not compared; it may not be used then
  unsigned round = 0;            ///< round of the search of its task
  uint64_t seed = 0;             ///< seed of the search
  std::string time;              ///< UTC, as ISO 8601
  bool isSeed = false;           ///< no measurement: a schedule from another tuner, as a start for searches
  std::optional<unsigned> split; ///< for a split, which has no schedule: the task is split after this operation. The
                                 ///< costs are those of the whole model; `defaultCosts` are those with one task
  std::optional<unsigned> merge; ///< for a merge, which has no schedule: the operand of task `with` that this task
                                 ///< computes; the two become one. The costs are those of the whole model
  std::string with;              ///< for a merge: canonical key of the other task
  std::string origin;            ///< for a seed: its source, for users

  /// Whether it is a split or a merge, which changes the border of a task and not its schedule.
  bool isBorder() const { return split || merge; }
  bool isValid() const { return error.kind == ErrorKind::None && !costs.empty(); }
  /// Returns the median of the costs if they were compared with the default schedule, else their minimum. The record
  /// must be valid.
  double cost() const;
  /// Returns the cost relative to that of the default schedule, which does not depend on the load of the machine on
  /// that day; 1 if they were not compared.
  CostInterval relativeCost() const;
};

/// What the schedules of a task depend on.
struct TaskLoops {
  unsigned steps = 0;
  std::string nests;
};

/// Returns why the schedule of `record` was not made for `loops`; "" if it was, or if this is unknown.
std::string foreignLoops(const TuningRecord &record, const TaskLoops &loops);

/// Returns the kind of the record as written in its line: "tuning", "release", "model", "whole", "seed", "split" or
/// "merge".
llvm::StringRef levelName(const TuningRecord &record);

/// Returns the line without its newline.
std::string toJsonLine(const TuningRecord &record);

/// Parses a line. The error names the field that is missing or wrong.
llvm::Expected<TuningRecord> parseRecord(llvm::StringRef line);

} // namespace cameo::autotune

#endif

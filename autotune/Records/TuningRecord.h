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

/// That a schedule computes what the naive path computes.
struct Proof {
  uint64_t seed = 0;      ///< of the random inputs and weights
  double maxAbsolute = 0; ///< the largest difference
  double maxUlp = 0;      ///< the same in units of the last place
  double bound = 0;       ///< the allowed difference
};

/// Sizes of a dimension that each run chooses, from `least` to `most`; without the second there is no greatest.
struct SizeRange {
  std::string name;
  int64_t least = 0;
  std::optional<int64_t> most;

  bool operator==(const SizeRange &other) const = default;
};

/// "seq from 0 to 45", several with commas between them; "" of none.
std::string rangesText(llvm::ArrayRef<SizeRange> ranges);

/// Whether some run has sizes that all of both hold.
bool overlap(llvm::ArrayRef<SizeRange> a, llvm::ArrayRef<SizeRange> b);

struct TuningRecord {
  /// Written first. A reader refuses newer ones; what older readers know is written as they know it.
  static constexpr int64_t format = 4, formatOfMerges = 3, formatOfSplits = 2, formatOfSchedules = 1;

  std::string task;                    ///< canonical key
  std::string name;                    ///< for people
  double flops = 0;                    ///< of one call
  std::string triple, cpu;             ///< where it ran
  std::vector<std::string> extensions; ///< of the instruction set that the code was made for
  unsigned threads = 1;
  std::string sizes;             ///< of the runs that a task of open sizes was measured in, and how often each counts:
                                 ///< "seq=16,128*3"; empty: all sizes are known
  std::vector<SizeRange> ranges; ///< where the schedule holds alone, by name: of `sizes` it was measured in those
                                 ///< inside, and `defaultCosts` are those of the schedule for all sizes; empty: in
                                 ///< every run
  std::string schedule;          ///< text of a #schedule.steps
  unsigned steps = 0;            ///< version of what its steps mean; 0: from before there were versions
  std::string nests; ///< digest of the nests that the schedule was made for; empty: from before there were digests
  std::vector<std::string> eachNest; ///< of every one of them, where there are several, but not of very many
  std::string target;      ///< text of the #cameo.target that it was measured on; empty: from before it was kept
  std::string machine;     ///< that measured, the same text for machines whose costs compare; empty: nobody said
  std::string key, device; ///< what users call such machines, and what a farm calls this one; empty: nothing
  bool isRelease = false;  ///< measured well, to be compiled with; otherwise briefly, to compare candidates
  bool isInModel = false;  ///< a release whose costs are those of calls in the whole model, not of the task alone
  bool isOfModel = false;  ///< a release whose costs are those of the whole model with all that was found, and without
  std::vector<double> costs;        ///< seconds of one run, one per measurement; empty when it failed
  std::vector<double> defaultCosts; ///< of the default schedule, each taken in turns with one of costs; empty: was not
  bool isDisturbed = false;         ///< the machine was busy with something else
  MeasureError error;
  std::optional<Proof> proof;    ///< none: not compared, it may not be used
  unsigned round = 0;            ///< of its task
  uint64_t seed = 0;             ///< of the search
  std::string time;              ///< UTC, as ISO 8601
  bool isSeed = false;           ///< no measurement: a schedule that another tuner found, for a search to begin with
  std::optional<unsigned> split; ///< of a split, which has no schedule: the operation behind which the task becomes
                                 ///< two; the costs are those of the whole model, with one task by default
  std::optional<unsigned> merge; ///< of a merge, which has none either: the operand of task `with` that the task
                                 ///< computes, and they become one; the costs are those of the whole model, too
  std::string with;              ///< of a merge: canonical key
  std::string origin;            ///< of a seed: for people

  /// Whether it says where a task ends, and not how one is computed.
  bool isBorder() const { return split || merge; }
  bool isValid() const { return error.kind == ErrorKind::None && !costs.empty(); }
  /// Median seconds of what was compared with the default schedule, and the least of what was not; only of a valid
  /// record.
  double cost() const;
  /// The cost as a part of the default schedule's, which does not depend on how busy the machine was that day; 1 where
  /// they were not compared.
  CostInterval relativeCost() const;
};

/// What the schedules of a task refer to.
struct TaskLoops {
  unsigned steps = 0;
  std::string nests;
};

/// Empty where the schedule of `record` was made for `loops`, or nobody knows; otherwise why it was not.
std::string foreignLoops(const TuningRecord &record, const TaskLoops &loops);

/// What was measured, as the line calls it: "tuning", "release", "model", "whole", "seed", "split" or "merge".
llvm::StringRef levelName(const TuningRecord &record);

/// The line, without its end.
std::string toJsonLine(const TuningRecord &record);

/// An error says which field is missing or wrong.
llvm::Expected<TuningRecord> parseRecord(llvm::StringRef line);

} // namespace cameo::autotune

#endif

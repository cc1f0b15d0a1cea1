// The interface of searches: a policy proposes candidates, the caller measures them, and the policy learns. A policy
// measures nothing, so a recorded run can be replayed exactly.
#ifndef CAMEO_AUTOTUNE_SEARCH_SEARCHPOLICY_H
#define CAMEO_AUTOTUNE_SEARCH_SEARCHPOLICY_H

#include "autotune/Search/SearchTask.h"
#include "autotune/Space/KnobDefinitions.h"
#include "autotune/Space/SketchRule.h"
#include "dialects/Schedule/ScheduleDialect.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <vector>

namespace cameo::autotune {

class CostModel;

/// A schedule to measure. It verifies against the task.
struct Candidate {
  schedule::StepsAttr steps;
  double predicted = 0;   ///< higher is faster; comparable within one call of propose only
  bool isDefault = false; ///< whether the other candidates are compared with it: the choice of the rules of
                          ///< passes/Schedule, or a baseline
};

/// The result of measuring `steps`; no cost if it failed.
struct Outcome {
  schedule::StepsAttr steps;
  std::optional<double> costSeconds;
};

struct SearchOptions {
  /// One of searchPolicyNames().
  std::string policy = "evolutionary";
  /// The same seed, outcomes and options give the same proposals.
  uint64_t seed = 0;
  /// Whether the default schedule is the first candidate and a parent of others. If not, the space does not use the
  /// rules.
  bool useDefaults = true;
  /// Replaces the default schedule as the one that others are compared with. If it is null or does not fit the task,
  /// the default schedule is used.
  schedule::StepsAttr baseline;
  /// Proposed after the default schedule and before all others, in this order; those that do not fit the task are
  /// ignored.
  std::vector<schedule::StepsAttr> seeds;
  /// Levels of tiles over parallel (S) and reduction (R) dimensions. The last S and the last R are the register block.
  std::string structure = "SSRSRS";
  /// Rules of plugins, which are applied before the built-in ones.
  SketchRules rules;
  /// For the policies over numbered configurations: knobs that a user defines for this task, instead of the built-in
  /// ones. May be null.
  std::shared_ptr<const TaskKnobDefinitions> knobs;
  /// Predicts costs for the policies that use a cost model; shared by the searches of several tasks. Null:
  /// createCostModel().
  std::shared_ptr<CostModel> model;

  unsigned population = 2048; ///< population of the evolutionary search
  unsigned generations = 4;
  double mutationProbability = 0.85;
  double crossoverProbability = 0.1;
  /// Relative frequencies of mutators, by their names. A mutator that is not listed has its own default.
  llvm::StringMap<double> mutationWeights;
  unsigned walkers = 128, annealingSteps = 500,
           annealingPatience = 50; ///< number of steps without a better state after which annealing ends
  unsigned parents = 100;          ///< number of fastest configurations that are parents in the genetic search
  double geneMutation = 0.1;       ///< probability that a knob of a child is mutated
  /// Share of each proposal that is random.
  double epsilon = 0.05;
};

/// A search over the schedules of one task. Not thread-safe: one thread calls it at a time.
class SearchPolicy {
public:
  virtual ~SearchPolicy();

  /// Returns at most `count` candidates to measure, most promising first, without those that were proposed or observed
  /// before. Returns fewer, or none, if the space holds no more or the policy finds no new ones after many attempts;
  /// then isExhausted() is true. Uses `workers` threads; their number does not change the result.
  virtual std::vector<Candidate> propose(unsigned count, unsigned workers = 1) = 0;

  /// Learns from measurements. `outcomes` may hold schedules that were not proposed, such as records of an earlier run:
  /// these count as measured. Schedules that do not fit the task are ignored.
  virtual void observe(llvm::ArrayRef<Outcome> outcomes) = 0;

  /// Whether propose() will return nothing any more.
  virtual bool isExhausted() const = 0;
};

/// "evolutionary", "random", "grid", "annealing", "genetic".
llvm::ArrayRef<llvm::StringRef> searchPolicyNames();

/// Creates a policy. Fails if the policy or the structure is unknown, or if the schedule emitter does not support a
/// part of the task, which then has no schedules.
llvm::Expected<std::unique_ptr<SearchPolicy>> createSearchPolicy(SearchTask task, SearchOptions options);

/// The stages of a search before measurements.
enum class SearchStage {
  Sketch, ///< structures from the rules, with open sizes
  Sample, ///< complete schedules sampled from the sketches
  Evolve  ///< candidates of the policy: "evolutionary" evolves the samples by the cost model
};

/// Prints `count` results of one stage (all sketches), for `cameo tune --stop-after=STAGE`. Changes nothing.
llvm::Error printStage(const SearchTask &task, const SearchOptions &options, SearchStage stage, unsigned count,
                       llvm::raw_ostream &os);

} // namespace cameo::autotune

#endif

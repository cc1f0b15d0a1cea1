// How schedules are searched: a policy proposes candidates, someone measures them, the policy learns. Nothing here
// measures, so a recorded run replays exactly.
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

/// A schedule worth measuring. It verifies against the task.
struct Candidate {
  schedule::StepsAttr steps;
  double predicted = 0;   ///< higher is faster; comparable within one call of propose only
  bool isDefault = false; ///< what others are compared with: the choice of the rules of passes/Schedule, or a baseline
};

/// What measuring `steps` found; none: it failed.
struct Outcome {
  schedule::StepsAttr steps;
  std::optional<double> costSeconds;
};

struct SearchOptions {
  /// One of searchPolicyNames().
  std::string policy = "evolutionary";
  /// The same seed, outcomes and options give the same proposals.
  uint64_t seed = 0;
  /// Whether the default schedule is the first candidate and an ancestor of others. Without, the space knows nothing of
  /// the rules.
  bool useDefaults = true;
  /// In place of the default schedule as what others are compared with; null, and where it does not fit the task: that
  /// is.
  schedule::StepsAttr baseline;
  /// Proposed after the default schedule and before all others, in this order; those that do not fit the task are
  /// ignored.
  std::vector<schedule::StepsAttr> seeds;
  /// Levels of tiles over parallel (S) and reduction (R) dimensions. The last S and the last R are the register block.
  std::string structure = "SSRSRS";
  /// Asked before our own: those of plugins.
  SketchRules rules;
  /// For the policies over numbered configurations: knobs that a user defines for this task, instead of our own. May be
  /// null.
  std::shared_ptr<const TaskKnobDefinitions> knobs;
  /// Predicts costs for the policies that ask a model; shared by the searches of several tasks. Null:
  /// createCostModel().
  std::shared_ptr<CostModel> model;

  unsigned population = 2048; ///< of evolution
  unsigned generations = 4;
  double mutationProbability = 0.85;
  double crossoverProbability = 0.1;
  /// By names of mutators: how often evolution draws them, relative to others; of those that are not there, what they
  /// say.
  llvm::StringMap<double> mutationWeights;
  unsigned walkers = 128, annealingSteps = 500,
           annealingPatience = 50; ///< steps without a better state, after which annealing ends
  unsigned parents = 100;          ///< fastest configurations that the genetic search breeds from
  double geneMutation = 0.1;       ///< chance that a child of it has another value of a knob
  /// The part of each proposal that is drawn at random.
  double epsilon = 0.05;
};

/// A search over the schedules of one task. Not thread-safe: one thread calls it at a time.
class SearchPolicy {
public:
  virtual ~SearchPolicy();

  /// At most `count` candidates to measure, most promising first. Never one that was proposed or observed before;
  /// fewer, or none, when the space holds no more (then, or when the policy finds no new ones after trying hard,
  /// isExhausted()). `workers` threads do the work; how many does not change what is proposed.
  virtual std::vector<Candidate> propose(unsigned count, unsigned workers = 1) = 0;

  /// Learns from measurements. Also takes schedules that were not proposed, such as records of an earlier run: they
  /// count as measured. Those that do not fit the task are ignored.
  virtual void observe(llvm::ArrayRef<Outcome> outcomes) = 0;

  /// Whether propose() will give nothing any more.
  virtual bool isExhausted() const = 0;
};

/// "evolutionary", "random", "grid", "annealing", "genetic".
llvm::ArrayRef<llvm::StringRef> searchPolicyNames();

/// An error says that the policy or the structure is unknown, or what of the task the emitter does not handle: such a
/// task has no schedule to search.
llvm::Expected<std::unique_ptr<SearchPolicy>> createSearchPolicy(SearchTask task, SearchOptions options);

/// The stages of a search before anything is measured.
enum class SearchStage {
  Sketch, ///< the structures that the rules give, sizes left open
  Sample, ///< complete schedules drawn from them
  Evolve  ///< what the policy makes of these: "evolutionary" by evolution over the cost model
};

/// Prints `count` results of one stage (all sketches): what `cameo tune --stop-after=STAGE` shows. Changes nothing.
llvm::Error printStage(const SearchTask &task, const SearchOptions &options, SearchStage stage, unsigned count,
                       llvm::raw_ostream &os);

} // namespace cameo::autotune

#endif

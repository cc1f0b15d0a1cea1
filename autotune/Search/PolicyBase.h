// Base class of all policies: it holds the space, the schedules that were seen and measured, and the cost model.
#ifndef CAMEO_AUTOTUNE_SEARCH_POLICYBASE_H
#define CAMEO_AUTOTUNE_SEARCH_POLICYBASE_H

#include "autotune/CostModel/CostModel.h"
#include "autotune/Features/ExtractFeatures.h"
#include "autotune/Search/SearchPolicy.h"
#include "autotune/Space/Space.h"

#include <map>
#include <set>

namespace cameo::autotune {

struct SearchContext {
  SearchTask task;
  SearchOptions options;
  std::unique_ptr<Space> space;
};

/// Returns the space of `task` and the cost model of `options`. Fails if the task has no space.
llvm::Expected<SearchContext> createContext(SearchTask task, SearchOptions options);

class PolicyBase : public SearchPolicy {
public:
  struct Measured {
    State state;
    double costSeconds;
  };
  struct Scored {
    State state;
    double score;
  };

  using Pool = std::map<StateKey, Scored>;

  explicit PolicyBase(SearchContext context);

  std::vector<Candidate> propose(unsigned count, unsigned workers) final;
  void observe(llvm::ArrayRef<Outcome> outcomes) final;
  bool isExhausted() const final { return exhausted; }

protected:
  /// Returns the `count` states with the highest scores, highest first; ties in the order of the keys.
  static std::vector<Scored> highest(Pool pool, size_t count);

  /// Returns at most `count` states that are not seen and differ from each other, most promising first. Returns none
  /// only if it found no new state after many attempts. `random` is a generator for this call only.
  virtual std::vector<Scored> search(unsigned count, Random random) = 0;
  /// Called after measured() has grown.
  virtual void learn() {}

  const Space &space() const { return *context.space; }
  const SearchOptions &options() const { return context.options; }
  bool isSeen(const StateKey &key) const { return seen.count(key) > 0; }
  bool isSeen(const State &state) const { return isSeen(context.space->keyOf(state)); }
  /// Returns all successful measurements, fastest first.
  llvm::ArrayRef<Measured> measured() const { return fastest; }
  FeatureMatrix features(const State &state) const;
  /// Calls `work` for the slots 0 to `count` - 1 on the threads of this proposal. `work` must only write to its own
  /// slot.
  void forEachSlot(size_t count, llvm::function_ref<void(size_t)> work) const;
  /// Returns one prediction per state.
  std::vector<double> predict(llvm::ArrayRef<State> states) const { return score(*context.options.model, states); }
  /// Like predict(), but by the analytic model, which ignores measurements.
  std::vector<double> estimate(llvm::ArrayRef<State> states) const { return score(*analytic, states); }

private:
  /// Returns the state of the baseline in the options. Returns nothing if there is none, or it is not in the space.
  std::optional<State> baselineState() const;
  std::vector<double> score(const CostModel &model, llvm::ArrayRef<State> states) const;

  SearchContext context;
  std::vector<FeatureExtractor> extractors; ///< by variant
  std::shared_ptr<const CostModel> analytic;
  std::set<StateKey> seen;
  std::vector<Measured> fastest;
  uint64_t round = 0;
  unsigned threads = 1; ///< threads of the current proposal
  bool exhausted = false;
};

std::unique_ptr<SearchPolicy> createEvolutionarySearch(SearchContext context);
std::unique_ptr<SearchPolicy> createRandomSearch(SearchContext context);

} // namespace cameo::autotune

#endif

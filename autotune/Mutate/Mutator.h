// Small changes of schedules: what evolution makes new candidates with.
#ifndef CAMEO_AUTOTUNE_MUTATE_MUTATOR_H
#define CAMEO_AUTOTUNE_MUTATE_MUTATOR_H

#include "autotune/Space/Space.h"

#include "llvm/ADT/StringMap.h"

namespace cameo::autotune {

class Mutator {
public:
  virtual ~Mutator();
  virtual llvm::StringRef name() const = 0;
  /// How often it is drawn, relative to others.
  virtual double weight() const = 0;
  /// Changes `state`, which is valid and is valid again afterwards. False when there was nothing to change or what came
  /// out is not valid: the state is then unspecified.
  virtual bool apply(const Space &space, State &state, Random &random) const = 0;
};

/// A mutator that changes one nest, drawn by pickNest.
class NestMutator : public Mutator {
public:
  bool apply(const Space &space, State &state, Random &random) const final;

protected:
  /// False when there was nothing to change. Whether the nest is valid afterwards is not its concern.
  virtual bool change(const NestTraits &traits, schedule::NestSchedule &nest, Random &random) const = 0;
};

/// All mutators. Their order is part of what a seed means.
llvm::ArrayRef<const Mutator *> mutators();

/// How often each of mutators() is drawn: what it says itself, or `changed` by its name.
std::vector<double> mutationWeights(const llvm::StringMap<double> &changed = {});

/// `state` after one mutator drawn by `weights`, of mutationWeights(); nothing when several draws gave nothing valid.
std::optional<State> mutate(const Space &space, const State &state, Random &random, llvm::ArrayRef<double> weights);

/// A child of two states of one variant: each nest from either parent, and within one nest the loops over parallel
/// dimensions from one and those over reductions from the other. Nothing when they do not go together.
std::optional<State> crossOver(const Space &space, const State &mother, const State &father, Random &random);

/// A nest to change: those with more work are drawn more often.
unsigned pickNest(const Space &space, const State &state, Random &random);

/// Loops around number `position` over the same dimension become multiples of it again.
void alignOuterLoops(schedule::NestSchedule &nest, unsigned position);

/// Makes a changed nest canonical and its parallel loops possible again; false when it is not valid.
bool settle(const NestTraits &traits, schedule::NestSchedule &schedule);

const Mutator *getTileSizeMutator();
const Mutator *getRegisterBlockMutator();
const Mutator *getLoopOrderMutator();
const Mutator *getLevelsMutator();
const Mutator *getParallelMutator();
const Mutator *getPrefetchMutator();
const Mutator *getUnrollingMutator();
const Mutator *getSketchMutator();
const Mutator *getWinogradMutator();

} // namespace cameo::autotune

#endif

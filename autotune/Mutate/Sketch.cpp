// Draws one nest anew, often from another sketch: another vector dimension, packing, or partial results.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class SketchMutator : public Mutator {
public:
  llvm::StringRef name() const override { return "sketch"; }
  double weight() const override { return 0.05; }

  bool apply(const Space &space, State &state, Random &random) const override {
    unsigned number = pickNest(space, state, random);
    const NestSpace &nest = space.nests(state)[number];
    std::optional<NestSchedule> drawn = sampleNest(nest.traits, random.pick<NestSketch>(nest.sketches), random);
    if (!drawn)
      return false;
    state.nests[number] = std::move(*drawn);
    return true;
  }
};

} // namespace

const Mutator *getSketchMutator() {
  static const SketchMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune

// Another size of tiles or of their blocks. Nests that both have keep their schedules where these fit.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class WinogradMutator : public Mutator {
public:
  llvm::StringRef name() const override { return "winograd"; }
  double weight() const override { return 0.05; }

  bool apply(const Space &space, State &state, Random &random) const override {
    unsigned count = space.allVariants().size();
    if (count < 2)
      return false;
    State other;
    other.variant = random.below(count - 1);
    other.variant += other.variant >= state.variant;
    bool isAlike = haveSameBuffers(space.variant(other), space.variant(state));
    for (auto [number, nest] : llvm::enumerate(space.nests(other))) {
      if (isAlike && isSameKind(nest.traits, space.nests(state)[number].traits)) {
        NestSchedule kept = state.nests[number];
        if (settle(nest.traits, kept)) {
          other.nests.push_back(std::move(kept));
          continue;
        }
      }
      std::optional<NestSchedule> drawn = sampleNest(nest.traits, random.pick<NestSketch>(nest.sketches), random);
      if (!drawn)
        return false;
      other.nests.push_back(std::move(*drawn));
    }
    state = std::move(other);
    return true;
  }

private:
  /// Schedules name buffers by number.
  static bool haveSameBuffers(const Variant &a, const Variant &b) {
    return a.nests.size() == b.nests.size() && a.program.buffers.size() == b.program.buffers.size() &&
           llvm::all_of(llvm::zip(a.program.buffers, b.program.buffers),
                        [](auto pair) { return isSameKind(std::get<0>(pair), std::get<1>(pair)); });
  }

  static bool isSameKind(const Buffer &a, const Buffer &b) { return a.role == b.role && a.perRow == b.perRow; }

  static bool isSameKind(const NestTraits &a, const NestTraits &b) {
    return a.rowDims == b.rowDims && a.nest->dims.size() == b.nest->dims.size() &&
           a.nest->nodes.size() == b.nest->nodes.size();
  }
};

} // namespace

const Mutator *getWinogradMutator() {
  static const WinogradMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune

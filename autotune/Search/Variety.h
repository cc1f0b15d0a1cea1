// What the measurements say of parts of a space, and candidates spread over these parts: variants of a task, their
// kinds, register blocks.
#ifndef CAMEO_AUTOTUNE_SEARCH_VARIETY_H
#define CAMEO_AUTOTUNE_SEARCH_VARIETY_H

#include "autotune/Search/PolicyBase.h"

#include <array>

namespace cameo::autotune {

/// Knows the measurements of the last observe(), and refers to the space it was made for. Not thread-safe while
/// observing.
class Variety {
public:
  using Scored = PolicyBase::Scored;
  using Pool = PolicyBase::Pool;
  /// The variant, and along which dimension how many vectors make the register block of the nest with most of the work.
  using Shape = std::array<int64_t, 3>;

  /// So many measurements of a part say what it is worth.
  static constexpr unsigned tellingMeasurements = 20;

  explicit Variety(const Space &space) : space(space) {}

  /// Forgets what was, for all that succeeded so far, fastest first.
  void observe(llvm::ArrayRef<PolicyBase::Measured> measured);

  /// Whether the variant of `state`, or the kind of it (Space::kindOf), is left: its best is slower than the fastest by
  /// more than a part that is the smaller, the more of it was measured.
  bool isHopeless(const State &state) const;

  Shape shapeOf(const State &state) const;

  /// The first `count`, but no more than a part of what was measured and of them with one register block, and of them
  /// of one variant, as long as there are others: what a model errs in concerns all schedules of a block or a variant
  /// alike. Kinds of variants have their shares of these and of `chosen`, which the same proposal holds.
  std::vector<Scored> takeVaried(std::vector<Scored> sorted, size_t count, llvm::ArrayRef<Scored> chosen) const;

  /// Takes from `pool`, of each shape that was hardly measured, the most promising one, at most `most` of them, those
  /// of new variants first: what scores put behind all others as a whole would never be measured. Kinds have their
  /// shares of a proposal of `count`, which holds `chosen`.
  std::vector<Scored> takeUntried(Pool &pool, size_t most, llvm::ArrayRef<Scored> chosen, size_t count) const;

private:
  /// Of a variant, or of a kind of variants.
  struct Tally {
    unsigned measured = 0;
    double bestSeconds = 0;

    bool isHopeless(double fastest) const;
  };

  std::map<int64_t, size_t> sharesOfKinds(size_t count) const;
  std::vector<int64_t> blocksOf(const State &state) const;

  const Space &space;
  double fastestSeconds = 0;
  std::map<unsigned, Tally> ofVariants;
  std::map<int64_t, Tally> ofKinds;
  std::map<Shape, unsigned> ofShapes;
  std::map<std::vector<int64_t>, size_t> ofBlocks;
};

} // namespace cameo::autotune

#endif

// Rates the parts of a space (variants of a task, kinds of variants, register blocks) by the measurements, and spreads
// candidates over them.
#ifndef CAMEO_AUTOTUNE_SEARCH_VARIETY_H
#define CAMEO_AUTOTUNE_SEARCH_VARIETY_H

#include "autotune/Search/PolicyBase.h"

#include <array>

namespace cameo::autotune {

/// Holds the measurements of the last observe(), and a reference to the space. Not thread-safe during observe().
class Variety {
public:
  using Scored = PolicyBase::Scored;
  using Pool = PolicyBase::Pool;
  /// The variant, and the dimension and the number of vectors of the register block in the nest with the most work.
  using Shape = std::array<int64_t, 3>;

  /// Number of measurements after which the value of a part is known.
  static constexpr unsigned tellingMeasurements = 20;

  explicit Variety(const Space &space) : space(space) {}

  /// Replaces the measurements by `measured`, all successful ones so far, fastest first.
  void observe(llvm::ArrayRef<PolicyBase::Measured> measured);

  /// Whether to drop the variant of `state` or its kind (Space::kindOf): its best schedule is slower than the fastest
  /// one by more than a margin, which shrinks with the number of its measurements.
  bool isHopeless(const State &state) const;

  Shape shapeOf(const State &state) const;

  /// Returns the first `count` of `sorted`. As long as there are others, the number with one register block, and with
  /// one variant, is limited to a share of what was measured and of the result, because an error of the cost model
  /// affects all schedules of a block or a variant alike. Each kind of variants has its share of the result and
  /// `chosen`, which are in the same proposal.
  std::vector<Scored> takeVaried(std::vector<Scored> sorted, size_t count, llvm::ArrayRef<Scored> chosen) const;

  /// Removes from `pool` the most promising state of each shape that has few measurements, at most `most` of them,
  /// those of new variants first, and returns them. Without this, a shape that the cost model ranks last as a whole
  /// would never be measured. Each kind has its share of a proposal of `count`, which includes `chosen`.
  std::vector<Scored> takeUntried(Pool &pool, size_t most, llvm::ArrayRef<Scored> chosen, size_t count) const;

private:
  /// The measurements of a variant or of a kind of variants.
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

// Adds reduction loops around the points of a tile, with partial sums in memory, for operands that the loops over
// points would evict from the cache.
#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {
namespace {

class OuterReductionRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "outer-reduction"; }

  /// The emitter supports this only for whole points: not for lanes along a reduction, and not with partial results.
  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    bool reducesLanes = sketch.vectorDim && traits.isReduction(*sketch.vectorDim);
    bool hasPoints = llvm::count_if(sketch.levels, [](const SketchLevel &level) { return !level.reduction; }) >= 2;
    return traits.needsTiling && hasPoints && !traits.reductions.empty() && !reducesLanes && !sketch.partial
               ? Verdict::Apply
               : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch around = sketch;
    auto reductions = llvm::find_if(around.levels, [](const SketchLevel &level) { return level.reduction; });
    around.levels.insert(std::prev(reductions), {traits.reductions, true});
    return {std::move(around)};
  }
};

} // namespace

std::shared_ptr<const SketchRule> createOuterReductionRule() { return std::make_shared<OuterReductionRule>(); }

} // namespace cameo::autotune

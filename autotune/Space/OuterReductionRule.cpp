// Reductions taken through all points of a tile part by part, which leaves the sums so far in memory: for operands that
// do not stay in the cache while the points are run through.
#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {
namespace {

class OuterReductionRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "outer-reduction"; }

  /// The emitter keeps such sums for whole points only: neither for lanes of a reduction, nor where iterations start
  /// anew.
  Verdict meets(const NestTraits &traits, const NestSketch &sketch) const override {
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

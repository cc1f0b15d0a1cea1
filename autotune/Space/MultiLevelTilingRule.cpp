// Multi-level tiling of nests that read operands again. The structure is as in Ansor (Zheng et al., OSDI 2020); the
// last S and the last R are the register block. The emitter keeps accumulators in registers, so every S is outside of
// every R.
#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {
namespace {

class MultiLevelTilingRule : public SketchRule {
public:
  explicit MultiLevelTilingRule(llvm::StringRef structure)
      : spatialLevels(structure.count('S') - 1), reductionLevels(structure.count('R')) {}

  llvm::StringRef name() const override { return "multi-level-tiling"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    return sketch.levels.empty() && (traits.needsTiling || traits.nest->hasReduction()) ? Verdict::Replace
                                                                                        : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch tiled = sketch;
    // Operands that are read once gain nothing from more than one level.
    unsigned spatial = traits.needsTiling ? spatialLevels : 1;
    if (!traits.parallel.empty())
      tiled.levels.insert(tiled.levels.end(), spatial, {traits.parallel, false});
    // The last level is unrolled.
    unsigned reduction = std::max(1u, reductionLevels - 1);
    if (!traits.reductions.empty())
      tiled.levels.insert(tiled.levels.end(), reduction, {traits.reductions, true});
    return {std::move(tiled)};
  }

private:
  unsigned spatialLevels, reductionLevels;
};

} // namespace

std::shared_ptr<const SketchRule> createMultiLevelTilingRule(llvm::StringRef structure) {
  return std::make_shared<MultiLevelTilingRule>(structure);
}

} // namespace cameo::autotune

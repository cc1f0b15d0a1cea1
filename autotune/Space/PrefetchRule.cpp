// Prefetches a packed operand one block ahead, for constants that may not stay in the first-level cache.
#include "autotune/Space/SketchRule.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class PrefetchRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "prefetch"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    // Hardware prefetchers suffice for blocks of byte groups. Nests of rows without a reduction prefetch the data of
    // the next row.
    bool isFetched = traits.isAlone || (traits.rowDims > 0 && !traits.nest->hasReduction());
    return isFetched && !sketch.dotDim && !largeBuffers(traits, sketch).empty() ? Verdict::Apply : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch fetching = sketch;
    fetching.prefetchedBuffers = largeBuffers(traits, sketch);
    return {std::move(fetching)};
  }

private:
  static llvm::SmallVector<unsigned> largeBuffers(const NestTraits &traits, const NestSketch &sketch) {
    llvm::SmallVector<unsigned> large;
    for (unsigned buffer : sketch.packedBuffers)
      if (traits.program->buffers[buffer].elements * traits.elementBytes > firstLevelBytes)
        large.push_back(buffer);
    return large;
  }
};

} // namespace

std::shared_ptr<const SketchRule> createPrefetchRule() { return std::make_shared<PrefetchRule>(); }

} // namespace cameo::autotune

// Multiplies bytes in groups of four, if the processor has such instructions and the factor that varies along the
// vector dimension is packed.
#include "autotune/Space/SketchRule.h"

#include "passes/Schedule/Rules/ByteDot.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

/// Shorter reductions would leave most of a group empty.
constexpr int64_t minExtent = 3;

class DotRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "dot"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    return candidates(traits, sketch).empty() ? Verdict::Skip : Verdict::Apply;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    std::vector<NestSketch> sketches;
    for (unsigned dim : candidates(traits, sketch))
      sketches.emplace_back(sketch).dotDim = dim;
    return sketches;
  }

private:
  static llvm::SmallVector<unsigned> candidates(const NestTraits &traits, const NestSketch &sketch) {
    const LoopNest &nest = *traits.nest;
    NestSchedule vectors;
    vectors.vectorDim = sketch.vectorDim;
    vectors.lanes = sketch.lanes;
    std::optional<ByteDot> dot = matchByteDot(nest, vectors);
    if (!dot || !canMultiply(traits.machine, *dot, sketch.lanes))
      return {};
    if (!llvm::is_contained(sketch.packedBuffers, nest.nodes[dot->varying()].buffer))
      return {};
    llvm::SmallVector<unsigned> dims;
    for (unsigned dim : traits.reductions)
      if (hasGroupsAlong(nest, *dot, dim) && nest.dims[dim].extent.isKnown() && traits.extent(dim) >= minExtent)
        dims.push_back(dim);
    return dims;
  }
};

} // namespace

std::shared_ptr<const SketchRule> createDotRule() { return std::make_shared<DotRule>(); }

} // namespace cameo::autotune

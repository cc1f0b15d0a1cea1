// Adds partial results per iteration of a reduction loop, apart from blocked summation
// (passes/Schedule/Rules/Complete/BlockedSummation.h). For nests that read operands again only with few points, as in
// Ansor (Zheng et al., OSDI 2020): otherwise accumulators already fill the registers. And where the rules do.
#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {
namespace {

constexpr int64_t minTerms = 64;

class RfactorRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "rfactor"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    bool isLong = llvm::any_of(traits.reductions, [&](unsigned dim) { return traits.extent(dim) >= minTerms; });
    bool hasLoops = llvm::any_of(sketch.levels, [](const SketchLevel &level) { return level.reduction; });
    if (!hasLoops || sketch.dotDim || !traits.isCombinable)
      return Verdict::Skip;
    bool pays = isLong && !(traits.needsTiling && hasManyPoints(traits));
    return pays || traits.defaults.partialLoop ? Verdict::Apply : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch partial = sketch;
    partial.partial = true;
    return {std::move(partial)};
  }

private:
  static bool hasManyPoints(const NestTraits &traits) {
    constexpr double pointsPerThread = 16;
    double points = 1, terms = 1;
    for (unsigned dim : traits.parallel)
      points *= static_cast<double>(traits.extent(dim));
    for (unsigned dim : traits.reductions)
      terms *= static_cast<double>(traits.extent(dim));
    return points > terms ||
           points > pointsPerThread * traits.threads * traits.machine.vectorBytes / traits.elementBytes;
  }
};

} // namespace

std::shared_ptr<const SketchRule> createRfactorRule() { return std::make_shared<RfactorRule>(); }

} // namespace cameo::autotune

// Schedules nests that read nothing again: one level of loops, and one around it for the parts of threads.
#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {
namespace {

class PointwiseRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "pointwise"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    return sketch.levels.empty() && !traits.parallel.empty() ? Verdict::Replace : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch looped = sketch;
    looped.levels.assign(2, {traits.parallel, false});
    return {std::move(looped)};
  }
};

} // namespace

std::shared_ptr<const SketchRule> createPointwiseRule() { return std::make_shared<PointwiseRule>(); }

} // namespace cameo::autotune

// A sketch rule: for nests of one loop, schedules with vectors of sixteen elements, beside those that the compiler's
// own rules give.
#include "Plugin.h"

using namespace cameo::autotune;

namespace {

class WideLanesRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "acme-wide-lanes"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    bool isFlat = traits.parallel.size() == 1 && traits.reductions.empty();
    return isFlat && !sketch.vectorDim ? Verdict::Apply : Verdict::Skip;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch wide = sketch;
    wide.vectorDim = traits.parallel.back();
    wide.lanes = 16;
    return {wide};
  }
};

} // namespace

std::shared_ptr<const SketchRule> acme::createWideLanesRule() { return std::make_shared<WideLanesRule>(); }

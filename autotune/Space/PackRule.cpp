// Layout rewrite: packs constants at compile time, and activations of a reduction by a copy before the group.
#include "autotune/Space/SketchRule.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

/// The fewest uses per element with which a copy at run time can pay off.
constexpr double minUsesOfCopy = 4;

class PackRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "pack"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    if (!sketch.vectorDim || !sketch.packedBuffers.empty() ||
        (packable(traits, sketch).empty() && !isOfDefaults(traits, sketch)))
      return Verdict::Skip;
    // Without packing, these would be gathered lane by lane.
    return traits.isReduction(*sketch.vectorDim) || traits.hasTransforms() || !traits.nest->hasReduction()
               ? Verdict::Replace
               : Verdict::Apply;
  }

  /// Returns the sketch with all constants packed, with all constants and one copied buffer each, and with what the
  /// default schedule packs.
  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    NestSketch constants = sketch;
    llvm::SmallVector<unsigned> copies;
    for (unsigned buffer : packable(traits, sketch))
      (traits.program->buffers[buffer].packable ? constants.packedBuffers : copies).push_back(buffer);
    std::vector<NestSketch> sketches;
    if (!constants.packedBuffers.empty())
      sketches.push_back(constants);
    for (unsigned buffer : copies) {
      NestSketch copied = constants;
      copied.packedBuffers.push_back(buffer);
      sketches.push_back(std::move(copied));
    }
    const NestSchedule &defaults = traits.defaults;
    bool isThere = llvm::any_of(
        sketches, [&](const NestSketch &each) { return llvm::equal(each.packedBuffers, defaults.packedBuffers); });
    if (isOfDefaults(traits, sketch) && !isThere) {
      NestSketch same = sketch;
      same.packedBuffers.assign(defaults.packedBuffers.begin(), defaults.packedBuffers.end());
      sketches.push_back(std::move(same));
    }
    return sketches;
  }

private:
  /// Whether the sketch has the vector dimension along which the default schedule packs operands.
  static bool isOfDefaults(const NestTraits &traits, const NestSketch &sketch) {
    return sketch.vectorDim == traits.defaults.vectorDim && !traits.defaults.packedBuffers.empty();
  }

  static double usesPerElement(const NestTraits &traits, NodeId id) {
    double uses = 1;
    for (unsigned dim : traits.parallel)
      if (!variesAlong(*traits.nest, id, dim))
        uses *= static_cast<double>(traits.extent(dim));
    return uses;
  }

  static llvm::SmallVector<unsigned> packable(const NestTraits &traits, const NestSketch &sketch) {
    llvm::SmallVector<unsigned> buffers;
    for (NodeId id : traits.loads) {
      const Node &node = traits.nest->nodes[id];
      const Size &stride = node.address.coefficients[*sketch.vectorDim];
      bool addsUpLanes = traits.isReduction(*sketch.vectorDim);
      if (node.kind != Node::Kind::Load || stride == 0 ||
          (stride == 1 && (addsUpLanes || !traits.nest->hasReduction())) || llvm::is_contained(buffers, node.buffer))
        continue;
      const Buffer &buffer = traits.program->buffers[node.buffer];
      bool canCopy = traits.nest->hasReduction() && !addsUpLanes && !buffer.isTable() &&
                     !traits.group->writes(node.buffer) && usesPerElement(traits, id) >= minUsesOfCopy;
      if (buffer.packable || canCopy)
        buffers.push_back(node.buffer);
    }
    return buffers;
  }
};

} // namespace

std::shared_ptr<const SketchRule> createPackRule() { return std::make_shared<PackRule>(); }

} // namespace cameo::autotune

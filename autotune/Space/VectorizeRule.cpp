// Chooses candidates for the vector dimension: all with at most one strided access more than the best one, where a
// store counts twice, and that of the default schedule. Measurements decide among them. Decision trees, and nests for
// which the rules choose none, may have none.
#include "autotune/Space/SketchRule.h"

#include "passes/Schedule/Nests/TransposedLoads.h"
#include "passes/Schedule/Rules/ElementwiseBlock.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class VectorizeRule : public SketchRule {
public:
  llvm::StringRef name() const override { return "vectorize"; }

  Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const override {
    return sketch.vectorDim || candidates(traits).empty() ? Verdict::Skip : Verdict::Replace;
  }

  std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const override {
    std::vector<NestSketch> sketches;
    llvm::SmallVector<unsigned> dims = candidates(traits);
    if (!traits.defaults.vectorDim || llvm::any_of(dims, [&](unsigned dim) { return walksTables(*traits.nest, dim); }))
      sketches.push_back(sketch);
    for (unsigned dim : dims) {
      NestSketch with = sketch;
      with.vectorDim = dim;
      with.lanes = std::min<int64_t>(traits.maxLanes(dim), llvm::PowerOf2Ceil(traits.extent(dim)));
      if (!traits.nest->hasReduction() && squareDim(*traits.nest, dim, with.lanes, traits.rowDims))
        with.lanes = std::min<int64_t>(with.lanes, maxTransposedLanes);
      sketches.push_back(with);
      if (unsigned lanes = traits.nest->hasReduction() ? 0 : lanesOfNumbers(*traits.nest, dim, traits.machine);
          lanes > with.lanes) {
        with.lanes = lanes;
        sketches.push_back(with);
      }
      const NestSchedule &defaults = traits.defaults;
      bool hasLanes = llvm::any_of(sketches, [&](const NestSketch &each) {
        return each.vectorDim == defaults.vectorDim && each.lanes == defaults.lanes;
      });
      if (defaults.vectorDim == dim && !hasLanes) {
        with.lanes = defaults.lanes;
        sketches.push_back(std::move(with));
      }
    }
    return sketches;
  }

private:
  /// Returns the number of accesses that need an instruction per lane with any layout of the operands. Stores count
  /// twice, because lanes are extracted first.
  static unsigned stridedAccesses(const NestTraits &traits, unsigned dim) {
    const LoopNest &nest = *traits.nest;
    unsigned count = 0;
    for (NodeId id : traits.loads) {
      const Node &node = nest.nodes[id];
      bool isPackable = nest.hasReduction() || traits.program->buffers[node.buffer].packable;
      bool canPack = isPackable && !traits.isReduction(dim) && node.kind == Node::Kind::Load;
      bool isIndexed = llvm::any_of(node.operands, [&](NodeId operand) { return variesAlong(nest, operand, dim); });
      const Size &stride = node.address.coefficients[dim];
      count += isIndexed || (!canPack && stride != 0 && stride != 1 && !isSpread(node, dim, traits.maxLanes(dim)));
    }
    if (!traits.isReduction(dim))
      for (const Output &output : nest.outputs)
        count += output.address.coefficients[dim] != 1 ? 2 : 0;
    return count;
  }

  /// Whether the dimension suits transformed operands, which only packing computes: they must vary along it, without a
  /// transform of it.
  static bool fitsTransforms(const NestTraits &traits, unsigned dim) {
    return llvm::all_of(traits.nest->nodes, [&](const Node &node) {
      return node.transforms.empty() ||
             (!traits.isReduction(dim) && node.address.coefficients[dim] != 0 &&
              llvm::none_of(node.transforms, [&](const DimensionTransform &each) { return each.dim == dim; }));
    });
  }

  static llvm::SmallVector<unsigned> candidates(const NestTraits &traits) {
    llvm::SmallVector<std::pair<unsigned, unsigned>> strided;
    // Dimensions that do not fill a vector are compared separately from those that do.
    unsigned fewest = ~0u, fewestOfFull = ~0u;
    for (unsigned dim = traits.rowDims; dim < traits.nest->dims.size(); ++dim) {
      if (traits.extent(dim) < 2 || traits.maxLanes(dim) < 2 || !fitsTransforms(traits, dim) ||
          (traits.isReduction(dim) && !traits.isCombinable))
        continue;
      strided.push_back({dim, stridedAccesses(traits, dim)});
      unsigned &least = traits.extent(dim) < traits.maxLanes(dim) ? fewest : fewestOfFull;
      least = std::min(least, strided.back().second);
    }
    llvm::SmallVector<unsigned> found;
    for (auto [dim, count] : strided)
      if (count <= (fewestOfFull != ~0u ? fewestOfFull : fewest) + 1 || traits.defaults.vectorDim == dim)
        found.push_back(dim);
    return found;
  }
};

} // namespace

std::shared_ptr<const SketchRule> createVectorizeRule() { return std::make_shared<VectorizeRule>(); }

} // namespace cameo::autotune

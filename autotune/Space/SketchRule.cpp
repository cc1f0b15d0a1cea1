#include "autotune/Space/SketchRule.h"

namespace cameo::autotune {

SketchRules sketchRules(llvm::StringRef structure, const SketchRules &ofPlugins) {
  SketchRules rules = ofPlugins;
  // Packing and levels depend on the vector dimension, groups of bytes and prefetches on packing, partial results and
  // outer reductions on levels.
  rules.push_back(createVectorizeRule());
  rules.push_back(createPackRule());
  rules.push_back(createDotRule());
  rules.push_back(createPrefetchRule());
  rules.push_back(createMultiLevelTilingRule(structure));
  rules.push_back(createPointwiseRule());
  rules.push_back(createRfactorRule());
  rules.push_back(createOuterReductionRule());
  return rules;
}

std::vector<NestSketch> generateSketches(const NestTraits &traits, const SketchRules &rules) {
  std::vector<NestSketch> sketches(1);
  for (const std::shared_ptr<const SketchRule> &rule : rules) {
    std::vector<NestSketch> next;
    for (NestSketch &sketch : sketches) {
      SketchRule::Verdict verdict = rule->meetCondition(traits, sketch);
      if (verdict != SketchRule::Verdict::Skip)
        for (NestSketch &made : rule->apply(traits, sketch)) {
          made.rules.push_back(rule->name().str());
          next.push_back(std::move(made));
        }
      if (verdict != SketchRule::Verdict::Replace)
        next.push_back(std::move(sketch));
    }
    sketches = std::move(next);
  }
  return sketches;
}

bool isTileStructure(llvm::StringRef structure) {
  return structure.find_first_not_of("SR") == llvm::StringRef::npos && structure.starts_with("S") &&
         structure.count('S') >= 2 && structure.contains('R');
}

void print(const NestSketch &sketch, llvm::raw_ostream &os) {
  if (sketch.vectorDim)
    os << "vectorize d" << *sketch.vectorDim << " by " << sketch.lanes << "; ";
  for (unsigned buffer : sketch.packedBuffers)
    os << (llvm::is_contained(sketch.prefetchedBuffers, buffer) ? "pack and prefetch b" : "pack b") << buffer << "; ";
  if (sketch.dotDim)
    os << "groups of bytes along d" << *sketch.dotDim << "; ";
  os << "loops";
  for (const SketchLevel &level : sketch.levels) {
    os << (level.reduction ? " reduce(" : " (");
    llvm::interleave(level.dims, os, [&](unsigned dim) { os << 'd' << dim; }, " ");
    os << ')';
  }
  if (sketch.partial)
    os << "; partial results";
  os << "  [";
  llvm::interleaveComma(sketch.rules, os);
  os << "]";
}

} // namespace cameo::autotune

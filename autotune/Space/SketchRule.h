// Sketches: schedules of one nest whose structure is chosen and whose sizes are open. Rules make them, one decision
// each.
#ifndef CAMEO_AUTOTUNE_SPACE_SKETCHRULE_H
#define CAMEO_AUTOTUNE_SPACE_SKETCHRULE_H

#include "autotune/Space/NestTraits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cameo::autotune {

/// Loops of one level: over pieces of each of the dimensions, the sizes and the order open.
struct SketchLevel {
  llvm::SmallVector<unsigned> dims;
  bool reduction = false;
};

struct NestSketch {
  std::optional<unsigned> vectorDim;
  unsigned lanes = 1;
  llvm::SmallVector<unsigned> packedBuffers, prefetchedBuffers;
  /// The reduction that bytes are contracted along in groups.
  std::optional<unsigned> dotDim;
  /// Outermost first; the innermost is over reductions, if the nest has any. What they leave is the register block.
  std::vector<SketchLevel> levels;
  /// Whether a loop over a reduction keeps partial results.
  bool partial = false;
  /// The rules that made it, for people.
  llvm::SmallVector<std::string> rules;
};

/// One decision. Rules are asked in order for every sketch so far; what one gives goes on to the next.
class SketchRule {
public:
  enum class Verdict {
    Skip,   ///< has nothing to say: the sketch goes on as it is
    Apply,  ///< what apply() gives goes on beside the sketch as it is
    Replace ///< what apply() gives goes on instead of it
  };

  // Inline, so that plugins need nothing of ours at link time.
  virtual ~SketchRule() = default;
  virtual llvm::StringRef name() const = 0;
  virtual Verdict meets(const NestTraits &traits, const NestSketch &sketch) const = 0;
  virtual std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const = 0;
};

using SketchRules = std::vector<std::shared_ptr<const SketchRule>>;

/// The rules in their order: those of plugins, then our own. `structure`: see SearchOptions.
SketchRules sketchRules(llvm::StringRef structure, const SketchRules &ofPlugins);

std::vector<NestSketch> generateSketches(const NestTraits &traits, const SketchRules &rules);

/// Whether `structure` is made of S and R, begins with S, and has an S and an R to spare for the register block.
bool isTileStructure(llvm::StringRef structure);

/// One line.
void print(const NestSketch &sketch, llvm::raw_ostream &os);

std::shared_ptr<const SketchRule> createVectorizeRule();
std::shared_ptr<const SketchRule> createPackRule();
std::shared_ptr<const SketchRule> createDotRule();
std::shared_ptr<const SketchRule> createPrefetchRule();
std::shared_ptr<const SketchRule> createMultiLevelTilingRule(llvm::StringRef structure);
std::shared_ptr<const SketchRule> createPointwiseRule();
std::shared_ptr<const SketchRule> createRfactorRule();
std::shared_ptr<const SketchRule> createOuterReductionRule();

} // namespace cameo::autotune

#endif

// Sketches: schedules of one nest with a fixed structure and open sizes. Each rule makes one decision about them.
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

/// One level of loops over pieces of the dimensions; sizes and order are open.
struct SketchLevel {
  llvm::SmallVector<unsigned> dims;
  bool reduction = false;
};

struct NestSketch {
  std::optional<unsigned> vectorDim;
  unsigned lanes = 1;
  llvm::SmallVector<unsigned> packedBuffers, prefetchedBuffers;
  /// The reduction along which bytes are multiplied in groups.
  std::optional<unsigned> dotDim;
  /// Outermost first. If the nest has reductions, the innermost level is over these. The points that the levels leave
  /// form the register block.
  std::vector<SketchLevel> levels;
  /// Whether a reduction loop has partial results.
  bool partial = false;
  /// The names of the rules that made the sketch, for output.
  llvm::SmallVector<std::string> rules;
};

/// A rule for one decision. Rules are applied in order to every sketch; the results of one rule are passed to the next.
class SketchRule {
public:
  enum class Verdict {
    Skip,   ///< not applicable: keep the sketch
    Apply,  ///< keep the sketch and add the results of apply()
    Replace ///< replace the sketch by the results of apply()
  };

  // Defined inline, so that plugins need no symbols of this library.
  virtual ~SketchRule() = default;
  virtual llvm::StringRef name() const = 0;
  virtual Verdict meetCondition(const NestTraits &traits, const NestSketch &sketch) const = 0;
  virtual std::vector<NestSketch> apply(const NestTraits &traits, const NestSketch &sketch) const = 0;
};

using SketchRules = std::vector<std::shared_ptr<const SketchRule>>;

/// Returns the rules in order: those of plugins, then the built-in ones. `structure`: see SearchOptions.
SketchRules sketchRules(llvm::StringRef structure, const SketchRules &ofPlugins);

std::vector<NestSketch> generateSketches(const NestTraits &traits, const SketchRules &rules);

/// Whether `structure` consists of S and R, begins with S, and has an additional S and R for the register block.
bool isTileStructure(llvm::StringRef structure);

/// Prints one line.
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

// Spaces of named choices, as in AutoTVM templates: every configuration has a number, so a space can be enumerated,
// searched by neighbours, and used by genetic search. KnobTemplate.h defines the choices of a task.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBSPACE_H
#define CAMEO_AUTOTUNE_SPACE_KNOBSPACE_H

#include "autotune/Space/Random.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace cameo::autotune {

/// The number of the choice for each knob.
using KnobPoint = llvm::SmallVector<unsigned, 32>;

enum class SplitPolicy {
  Factors, ///< divisors only: no remainder
  Power2,  ///< powers of two
  Verbose  ///< both
};

enum class ReorderPolicy {
  Identity,  ///< unchanged
  All,       ///< every permutation
  Interleave ///< unchanged, or with the outer reduction loops around the inner parallel loops
};

enum class AnnotatePolicy {
  None,         ///< plain
  TryUnroll,    ///< plain or unrolled
  TryVec,       ///< plain or vectorised
  TryUnrollVec, ///< any of the three
};

class KnobSpace {
public:
  /// The choices of a knob: lists of numbers of equal length.
  struct Knob {
    std::string name;
    std::vector<llvm::SmallVector<int64_t, 4>> values;
  };

  /// Each define function returns the number of the new knob.
  unsigned defineKnob(llvm::StringRef name, llvm::ArrayRef<int64_t> candidates);
  /// Choices are the sizes of the `outputs` - 1 inner pieces, outer ones first. The product of all sizes is at most
  /// `extent`, and the innermost size is at most `maxInnermost`.
  unsigned defineSplit(llvm::StringRef name, int64_t extent, unsigned outputs, SplitPolicy policy,
                       int64_t maxInnermost);
  /// Defines a split with the given sizes.
  unsigned defineSplit(llvm::StringRef name, std::vector<llvm::SmallVector<int64_t, 4>> candidates);
  /// Choices are permutations of 0 .. count - 1; a single one unless the policy is All.
  unsigned defineReorder(llvm::StringRef name, unsigned count, ReorderPolicy policy);
  /// Choices: 0 none, 1 unrolled, 2 vectorised.
  unsigned defineAnnotate(llvm::StringRef name, AnnotatePolicy policy);

  llvm::ArrayRef<Knob> getKnobs() const { return knobs; }
  llvm::ArrayRef<int64_t> value(const KnobPoint &point, unsigned knob) const { return knobs[knob].values[point[knob]]; }

  /// Returns the number of configurations, in 128 bits.
  llvm::APInt size() const;
  /// Mixed radix, the first knob the least significant digit; `index` < size().
  KnobPoint decode(llvm::APInt index) const;
  llvm::APInt encode(const KnobPoint &point) const;

  KnobPoint sample(Random &random) const;
  /// Returns `point` with the choice of one knob changed; unchanged if no knob has another choice.
  KnobPoint neighbour(const KnobPoint &point, Random &random) const;

private:
  std::vector<Knob> knobs;
};

} // namespace cameo::autotune

#endif

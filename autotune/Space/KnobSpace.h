// Spaces of named choices, as templates of AutoTVM define them: every configuration has a number, so that a space can
// be walked, searched by neighbours, and bred. See KnobTemplate.h for what the choices of a task are.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBSPACE_H
#define CAMEO_AUTOTUNE_SPACE_KNOBSPACE_H

#include "autotune/Space/Random.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace cameo::autotune {

/// One choice per knob, by number.
using KnobPoint = llvm::SmallVector<unsigned, 32>;

enum class SplitPolicy {
  Factors, ///< divisors only: no rest
  Power2,  ///< powers of two
  Verbose  ///< both
};

enum class ReorderPolicy {
  Identity,  ///< as it is
  All,       ///< every permutation
  Interleave ///< as it is, with the outer loops over reductions inside of all outer loops or around the inner ones
};

enum class AnnotatePolicy {
  None,         ///< plain
  TryUnroll,    ///< plain or unrolled
  TryVec,       ///< plain or vectorised
  TryUnrollVec, ///< any of the three
};

class KnobSpace {
public:
  /// What a knob may be set to: lists of numbers, of one length per knob.
  struct Knob {
    std::string name;
    std::vector<llvm::SmallVector<int64_t, 4>> values;
  };

  /// Each gives the number of the new knob.
  unsigned defineKnob(llvm::StringRef name, llvm::ArrayRef<int64_t> candidates);
  /// Sizes of `outputs` - 1 inner pieces, outer ones first; each multiplies to at most `extent` with those inside of
  /// it. No innermost piece is larger than `maxInnermost`.
  unsigned defineSplit(llvm::StringRef name, int64_t extent, unsigned outputs, SplitPolicy policy,
                       int64_t maxInnermost);
  /// The same with the sizes given.
  unsigned defineSplit(llvm::StringRef name, std::vector<llvm::SmallVector<int64_t, 4>> candidates);
  /// Permutations of 0 .. count - 1; of a policy other than All the one of them.
  unsigned defineReorder(llvm::StringRef name, unsigned count, ReorderPolicy policy);
  /// 0 plain, 1 unrolled, 2 vectorised.
  unsigned defineAnnotate(llvm::StringRef name, AnnotatePolicy policy);

  llvm::ArrayRef<Knob> getKnobs() const { return knobs; }
  llvm::ArrayRef<int64_t> value(const KnobPoint &point, unsigned knob) const { return knobs[knob].values[point[knob]]; }

  /// How many configurations there are, in 128 bits.
  llvm::APInt size() const;
  /// Mixed radix, the first knob the least significant digit; `index` < size().
  KnobPoint decode(llvm::APInt index) const;
  llvm::APInt encode(const KnobPoint &point) const;

  KnobPoint sample(Random &random) const;
  /// `point` with one knob set to something else; the same where no knob has a choice.
  KnobPoint neighbour(const KnobPoint &point, Random &random) const;

private:
  std::vector<Knob> knobs;
};

} // namespace cameo::autotune

#endif

// Indices and weights of the input elements of each output element in an interpolation along one dimension, as numbers,
// for sizes and scales that are known at compile time.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTABLE_H
#define CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTABLE_H

#include "passes/Lower/Formulas/InterpolationFormulas.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace cameo::lower {

/// `taps` indices and weights per output element.
struct InterpolationTable {
  int64_t taps = 1;
  llvm::SmallVector<int64_t> indices;
  llvm::SmallVector<double> weights;
  /// Per output element: whether it is outside of the input and gets the extrapolation value.
  llvm::SmallVector<bool> outside;

  bool hasOutside() const;
  /// Returns how often each input element is repeated, if the output consists of such repetitions in order; otherwise
  /// 0.
  int64_t repetition(int64_t input) const;
};

/// Requires that `input` and `output` are integers.
InterpolationTable makeTable(const InterpolationModes &modes, const InterpolatedRange<double> &range);

} // namespace cameo::lower

#endif

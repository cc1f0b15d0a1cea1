// Which input elements, with which weights, make each output element of an interpolation along one dimension: plain
// numbers where sizes and scale are known while compiling.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTABLE_H
#define CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTABLE_H

#include "passes/Lower/Formulas/InterpolationFormulas.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace cameo::lower {

/// `taps` entries per output element.
struct InterpolationTable {
  int64_t taps = 1;
  llvm::SmallVector<int64_t> indices;
  llvm::SmallVector<double> weights;
  /// Output elements that lie outside of the input and get the extrapolation value.
  llvm::SmallVector<bool> outside;

  bool hasOutside() const;
  /// How often each input element appears in a row, all in order; 0 when it is not that simple.
  int64_t repetition(int64_t input) const;
};

/// `input` and `output` are whole numbers.
InterpolationTable makeTable(const InterpolationModes &modes, const InterpolatedRange<double> &range);

} // namespace cameo::lower

#endif

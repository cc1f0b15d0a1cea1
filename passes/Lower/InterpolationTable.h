// Which input elements, with which weights, make each output element of an interpolation along one dimension. Plain
// numbers computed while compiling; the formulas are those of ONNX's Resize.
#ifndef CAMEO_PASSES_LOWER_INTERPOLATIONTABLE_H
#define CAMEO_PASSES_LOWER_INTERPOLATIONTABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace cameo::lower {

/// What Resize states for one dimension.
struct Interpolation {
  int64_t input, output;
  double scale;
  double roiStart = 0, roiEnd = 1;
  llvm::StringRef mode, coordinateMode, nearestMode;
  double cubicCoefficient = -0.75;
  bool excludeOutside = false, antialias = false;
};

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

InterpolationTable makeTable(const Interpolation &interpolation);

/// Keys' cubic kernel with this coefficient.
double cubicKernel(double x, double coefficient);

} // namespace cameo::lower

#endif

// The tables of an interpolation as tensors: constants, or computed by the task if sizes or scales are dynamic.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTAPS_H
#define CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTAPS_H

#include "passes/Lower/Builders/GenericBuilder.h"
#include "passes/Lower/Formulas/InterpolationTable.h"

namespace cameo::lower {

/// `count` input elements for each output element.
struct InterpolationTaps {
  Dim count = 1;
  mlir::Value indices; // (output, tap), i64, in bounds
  mlir::Value weights; // (output, tap); null for the nearest element
  mlir::Value outside; // (output), i1; null if no element is outside
};

/// The operands of an interpolation with dynamic sizes or scales. Scale and region are tensors of one f64; the region
/// may be null.
struct RunInterpolation {
  Dim input, output;
  mlir::Value scale, roiStart, roiEnd;
  /// Upper bound of the input elements that have a weight on each side of a coordinate.
  Dim reach = 1;
};

InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationTable &table, mlir::Type weightType);
InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationModes &modes, const RunInterpolation &interpolation,
                           mlir::Type weightType);

} // namespace cameo::lower

#endif

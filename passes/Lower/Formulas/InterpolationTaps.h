// The tables of an interpolation as tensors: constants, or computed by the task where sizes are dynamic or
// scales.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTAPS_H
#define CAMEO_PASSES_LOWER_FORMULAS_INTERPOLATIONTAPS_H

#include "passes/Lower/Builders/GenericBuilder.h"
#include "passes/Lower/Formulas/InterpolationTable.h"

namespace cameo::lower {

/// For each element of the output, `count` elements of the input.
struct InterpolationTaps {
  Dim count = 1;
  mlir::Value indices; // (output, tap), i64, inside of the input
  mlir::Value weights; // (output, tap); null for the nearest element
  mlir::Value outside; // (output), i1; null where nothing is outside
};

/// What makeTable gets as numbers. Scale and region are tensors of one f64; no region: null.
struct RunInterpolation {
  Dim input, output;
  mlir::Value scale, roiStart, roiEnd;
  /// How many elements of the input on each side of a place may have a weight.
  Dim reach = 1;
};

InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationTable &table, mlir::Type weightType);
InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationModes &modes, const RunInterpolation &interpolation,
                           mlir::Type weightType);

} // namespace cameo::lower

#endif

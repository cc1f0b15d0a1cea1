// Plans a Resize: per dimension that changes a table, or the operands from which the task computes the table.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_RESIZEPLAN_H
#define CAMEO_PASSES_LOWER_FORMULAS_RESIZEPLAN_H

#include "passes/Lower/Formulas/InterpolationTaps.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include <optional>
#include <vector>

namespace cameo::lower {

/// A dimension that changes. Without `table` the task computes one from `run`.
struct ResizedAxis {
  int64_t position;
  std::optional<InterpolationTable> table;
  RunInterpolation run;
};

class ResizePlan {
public:
  ResizePlan(onnx::ResizeOp op, Operands operands, GenericBuilder &b)
      : op(op), operands(operands), b(b), from(shapeOf(operands[0])), to(resultShape(op)) {}
  llvm::LogicalResult make();
  InterpolationTaps tapsOf(const ResizedAxis &axis, mlir::Type weightType) const;

  InterpolationModes modes;
  std::vector<ResizedAxis> resized;

private:
  llvm::LogicalResult readModes();
  llvm::LogicalResult readScales();
  llvm::LogicalResult readCommonScale();
  llvm::LogicalResult addAxis(int64_t number);
  Dim reachBetween(const Dim &input, const Dim &output) const;
  Dim reachOfRun(int64_t number);
  mlir::Value number(double value) { return b.constantFloats(b.getF64Type(), value); }
  mlir::Value element(unsigned operand, int64_t at);
  mlir::Value ratioOfSizes(int64_t number);
  mlir::Value commonRatio();
  int64_t positionOfAxis(int64_t number);

  onnx::ResizeOp op;
  Operands operands;
  GenericBuilder &b;
  Shape from, to;
  Ints axes;
  std::optional<llvm::SmallVector<double>> roi;
  /// Per axis: a number, or else a tensor of one f64 in `runScales`.
  llvm::SmallVector<std::optional<double>> scales;
  llvm::SmallVector<mlir::Value> runScales;
};

} // namespace cameo::lower

#endif

// The window of a convolution per axis: which taps multiply elements, and which multiply padding only.
#ifndef CAMEO_PASSES_GRAPH_CONVWINDOW_H
#define CAMEO_PASSES_GRAPH_CONVWINDOW_H

#include "passes/Graph/OnnxBuilder.h"

namespace cameo::graph {

/// The indices [begin, end) of an axis.
struct Places {
  int64_t begin, end;

  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

/// The window along one spatial axis.
struct WindowAxis {
  int64_t taps, stride, dilation, padBegin, padEnd, in, out;

  int64_t extent() const { return (taps - 1) * dilation + 1; }
  int64_t computedSize() const { return (in + padBegin + padEnd - extent()) / stride + 1; }

  /// Returns the results for which this tap multiplies an element and not padding.
  Places resultsOf(int64_t tap) const;
  bool coversAllResults(int64_t tap) const { return resultsOf(tap).size() == out; }

  /// Returns the fraction of all products along this axis that have an element as factor.
  double usefulPart() const;
};

using Window = llvm::SmallVector<WindowAxis, 3>;

/// Fails if a size is dynamic or an attribute is not stated.
mlir::FailureOr<Window> readWindow(onnx::ConvOp op);
llvm::SmallVector<mlir::NamedAttribute> writeWindow(OnnxBuilder &builder, const Window &window, int64_t group);

/// Creates a Slice of this range of an axis.
mlir::Value cut(OnnxBuilder &builder, mlir::Value value, int64_t axis, Places range);

} // namespace cameo::graph

#endif

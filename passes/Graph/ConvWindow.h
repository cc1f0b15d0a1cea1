// The window of a convolution axis by axis: which taps meet elements, and which meet padding alone.
#ifndef CAMEO_PASSES_GRAPH_CONVWINDOW_H
#define CAMEO_PASSES_GRAPH_CONVWINDOW_H

#include "passes/Graph/OnnxBuilder.h"

namespace cameo::graph {

/// The places [begin, end) of an axis.
struct Places {
  int64_t begin, end;

  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

/// The window along one spatial axis.
struct WindowAxis {
  int64_t taps, stride, dilation, padBegin, padEnd, in, out;

  int64_t extent() const { return (taps - 1) * dilation + 1; }
  int64_t computedSize() const { return (in + padBegin + padEnd - extent()) / stride + 1; }

  /// The results for which this tap lies on an element and not on padding.
  Places resultsOf(int64_t tap) const;
  bool seesWhole(int64_t tap) const { return resultsOf(tap).size() == out; }

  /// The part of all products with this axis that have an element for a factor.
  double usefulPart() const;
};

using Window = llvm::SmallVector<WindowAxis, 3>;

/// Fails where a size is not a number, and where the attributes leave something to a rule.
mlir::FailureOr<Window> readWindow(onnx::ConvOp op);
llvm::SmallVector<mlir::NamedAttribute> writeWindow(OnnxBuilder &builder, const Window &window, int64_t group);

/// This part of an axis.
mlir::Value cut(OnnxBuilder &builder, mlir::Value value, int64_t axis, Places range);

} // namespace cameo::graph

#endif

// Geometry of sliding windows: what convolutions and pools state in attributes, made explicit.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_WINDOW_H
#define CAMEO_PASSES_LOWER_FORMULAS_WINDOW_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// One entry per spatial dimension.
struct Window {
  Shape input, output, kernel;
  Ints strides, dilations;
  /// What the operation states (or SAME implies), before and after. Behind an input of a dynamic size
  /// SAME may imply less.
  Shape padBegin;
  Ints padEnd;
  /// Whether the last window may reach beyond the padding.
  bool roundsUp = false;

  unsigned rank() const { return kernel.size(); }
  /// How far the windows reach beyond the end of the input; negative when the last elements are in no window.
  Dim overhang(unsigned i) const {
    return (output[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - input[i] - padBegin[i];
  }
  /// Elements to add behind the input so that all windows are inside: what the overhang needs, or where that is known
  /// only when the model runs as much as it may be.
  int64_t roomBehind(unsigned i) const;
  /// Number of elements in one window.
  Dim size() const { return sizeOf(kernel); }
};

/// The spatial part of an activation's shape.
Shape spatialShape(ShapeRef shape, bool channelsLast);

/// What the attributes of a windowed operation state.
struct WindowAttributes {
  std::optional<IntsRef> strides, dilations, pads;
  llvm::StringRef autoPad;
  bool roundsUp = false;
};

/// The extents of a convolution's windows: those of the filter, or what the attribute says where the filter leaves them
/// to the run.
template <typename OpTy> Shape kernelOf(OpTy op, mlir::Value filter) {
  std::optional<IntsRef> stated = op.getKernelShape();
  return stated ? toShape(*stated) : spatialShape(shapeOf(filter), /*channelsLast=*/false);
}

/// The filter under the extents of the windows.
mlir::Value adoptKernel(GenericBuilder &b, mlir::Value filter, const Window &window);

/// Fills in defaults and resolves auto_pad from the sizes. Fails after an error at `op` where these must be numbers and
/// are not.
llvm::FailureOr<Window> makeWindow(mlir::Operation *op, ShapeRef input, ShapeRef output, ShapeRef kernel,
                                   const WindowAttributes &attributes);

template <typename OpTy>
llvm::FailureOr<Window> windowOf(OpTy op, mlir::Value input, mlir::Value output, ShapeRef kernel) {
  bool channelsLast = op.getChannelsLast();
  WindowAttributes attributes{op.getStrides(), op.getDilations(), op.getPads(), op.getAutoPad()};
  if constexpr (requires { op.getCeilMode(); })
    attributes.roundsUp = op.getCeilMode() != 0;
  return makeWindow(op, spatialShape(shapeOf(input), channelsLast), spatialShape(shapeOf(output), channelsLast), kernel,
                    attributes);
}

/// The activation with its spatial dimensions grown so that no window reaches beyond it. `first` is the first
/// spatial dimension.
mlir::Value padForWindow(GenericBuilder &b, mlir::Value input, const Window &window, unsigned first,
                         mlir::TypedAttr value);

/// The padded position of element `kernelDim` in window `outputDim`, per spatial dimension.
Exprs windowIndex(GenericBuilder &b, const Window &window, unsigned firstOutputDim, unsigned firstKernelDim);

} // namespace cameo::lower

#endif

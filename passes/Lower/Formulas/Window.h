// The geometry of sliding windows of convolutions and pools, with all defaults of the attributes filled in.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_WINDOW_H
#define CAMEO_PASSES_LOWER_FORMULAS_WINDOW_H

#include "passes/Lower/Builders/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// One entry per spatial dimension.
struct Window {
  Shape input, output, kernel;
  Ints strides, dilations;
  /// Padding that the operation states or that SAME implies, before and after. If the input size is dynamic, `padEnd`
  /// is an upper bound for SAME.
  Shape padBegin;
  Ints padEnd;
  /// Whether the last window may extend beyond the padding.
  bool roundsUp = false;

  unsigned rank() const { return kernel.size(); }
  /// Returns how far the windows extend beyond the end of the input; negative if the last elements are in no window.
  Dim overhang(unsigned i) const {
    return (output[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - input[i] - padBegin[i];
  }
  /// Returns the number of elements to add after the input so that all windows are in bounds: the overhang, or an upper
  /// bound of it if it is dynamic.
  int64_t roomBehind(unsigned i) const;
  /// Number of elements in one window.
  Dim size() const { return sizeOf(kernel); }
};

/// Returns the spatial part of an activation's shape.
Shape spatialShape(ShapeRef shape, bool channelsLast);

/// The attributes of a windowed operation.
struct WindowAttributes {
  std::optional<IntsRef> strides, dilations, pads;
  llvm::StringRef autoPad;
  bool roundsUp = false;
};

/// Returns the sizes of a convolution's windows: those of the filter, or those of the attribute if the filter's are
/// dynamic.
template <typename OpTy> Shape kernelOf(OpTy op, mlir::Value filter) {
  std::optional<IntsRef> stated = op.getKernelShape();
  return stated ? toShape(*stated) : spatialShape(shapeOf(filter), /*channelsLast=*/false);
}

/// Casts the filter to the sizes of the windows.
mlir::Value adoptKernel(GenericBuilder &b, mlir::Value filter, const Window &window);

/// Fills in defaults and resolves auto_pad from the sizes. Fails after an error at `op` if sizes that must be static
/// are dynamic.
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

/// Pads the spatial dimensions of the activation so that no window extends beyond it. `first` is the number of the
/// first spatial dimension.
mlir::Value padForWindow(GenericBuilder &b, mlir::Value input, const Window &window, unsigned first,
                         mlir::TypedAttr value);

/// Returns the index in the padded activation of element `firstKernelDim + i` in window `firstOutputDim + i`, per
/// spatial dimension i.
Exprs windowIndex(GenericBuilder &b, const Window &window, unsigned firstOutputDim, unsigned firstKernelDim);

} // namespace cameo::lower

#endif

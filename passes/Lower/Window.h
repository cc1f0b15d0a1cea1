// Geometry of sliding windows: what convolutions and pools state in attributes, made explicit.
#ifndef CAMEO_PASSES_LOWER_WINDOW_H
#define CAMEO_PASSES_LOWER_WINDOW_H

#include "passes/Lower/GenericBuilder.h"

#include <optional>

namespace cameo::lower {

/// One entry per spatial dimension.
struct Window {
  Ints input, output;
  Ints kernel, strides, dilations;
  /// What the operation states (or SAME implies), before and after.
  Ints padBegin, padEnd;

  unsigned rank() const { return kernel.size(); }
  /// How far the windows reach beyond the end of the input; negative when the last elements are in no window.
  int64_t overhang(unsigned i) const {
    return (output[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - input[i] - padBegin[i];
  }
  /// Number of elements in one window.
  int64_t size() const { return sizeOf(kernel); }
};

/// The spatial part of an activation's shape.
Shape spatialShape(Shape shape, bool channelsLast);

/// Fills in defaults and resolves auto_pad from the sizes.
Window makeWindow(Shape input, Shape output, Shape kernel, std::optional<Shape> strides, std::optional<Shape> dilations,
                  std::optional<Shape> pads, llvm::StringRef autoPad);

template <typename OpTy> Window windowOf(OpTy op, mlir::Value input, mlir::Value output, Shape kernel) {
  bool channelsLast = op.getChannelsLast();
  return makeWindow(spatialShape(shapeOf(input), channelsLast), spatialShape(shapeOf(output), channelsLast), kernel,
                    op.getStrides(), op.getDilations(), op.getPads(), op.getAutoPad());
}

/// The activation with its spatial dimensions grown by as much as the windows reach beyond it. `first` is the first
/// spatial dimension.
mlir::Value padForWindow(GenericBuilder &b, mlir::Value input, const Window &window, unsigned first,
                         mlir::TypedAttr value);

/// The padded position of element `kernelDim` in window `outputDim`, per spatial dimension.
Exprs windowIndex(GenericBuilder &b, const Window &window, unsigned firstOutputDim, unsigned firstKernelDim);

} // namespace cameo::lower

#endif

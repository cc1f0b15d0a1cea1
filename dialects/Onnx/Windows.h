// The windows of convolutions and pooling: kernel, strides, dilations and pads along each spatial axis, with all
// defaults and auto_pad resolved. For shape inference and for lowering.
#ifndef CAMEO_DIALECTS_ONNX_WINDOWS_H
#define CAMEO_DIALECTS_ONNX_WINDOWS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Operation.h"

namespace cameo::onnx {
class SizeConstraints;

/// Along one spatial axis. Element k of window w reads input w * stride + k * dilation - padBegin. (In a transposed
/// convolution it writes that element of the output.)
struct Window {
  /// Open where only the weights tell, and theirs is.
  Dim kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  /// ShapedType::kDynamic where auto_pad makes them depend on a size that is not known.
  int64_t padBegin = 0;
  int64_t padEnd = 0;

  /// Elements from the first to the last that a window touches.
  Dim extent() const { return (kernel - 1) * Dim(dilation) + 1; }
};

struct WindowedDims {
  llvm::SmallVector<Window> windows;
  /// Spatial dimensions of the result.
  DimList output;
};

/// The windows of a Conv, ConvInteger, QLinearConv, DeformConv, ConvTranspose, MaxPool, AveragePool or LpPool and the
/// spatial dimensions of its result. Fails after an error at the operation when they do not fit (never for a verified
/// one), and without one when the rank is not known.
mlir::FailureOr<WindowedDims> getWindows(mlir::Operation *op);
/// The same for the shape rule, which holds runs to the windows.
mlir::FailureOr<WindowedDims> getWindows(mlir::Operation *op, SizeConstraints &sizes);

/// Places of the dimensions in activations of N, C, spatial... or, channels last, N, spatial..., C.
inline int64_t getChannelAxis(int64_t rank, bool channelsLast) { return channelsLast ? rank - 1 : 1; }
inline int64_t getFirstSpatialAxis(bool channelsLast) { return channelsLast ? 1 : 2; }
inline int64_t getSpatialRank(int64_t rank) { return rank - 2; }

/// Dimensions of activations in either layout.
DimList makeActivationDims(const Dim &batch, const Dim &channels, llvm::ArrayRef<Dim> spatial, bool channelsLast);
llvm::ArrayRef<Dim> getSpatialDims(llvm::ArrayRef<Dim> activation, bool channelsLast);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_WINDOWS_H

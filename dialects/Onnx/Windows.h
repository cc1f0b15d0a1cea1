// The windows of convolutions and pools: kernel, strides, dilations and pads along each spatial axis, with defaults and
// auto_pad resolved, for shape inference and lowering.
#ifndef CAMEO_DIALECTS_ONNX_WINDOWS_H
#define CAMEO_DIALECTS_ONNX_WINDOWS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Operation.h"

namespace cameo::onnx {
class SizeConstraints;

/// The window along one spatial axis. Element k of window w reads input w * stride + k * dilation - padBegin; in a
/// transposed convolution it writes that element of the output.
struct Window {
  /// Unknown if it follows from weights of unknown size.
  Dim kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  /// ShapedType::kDynamic if they follow from auto_pad and a dynamic size.
  int64_t padBegin = 0;
  int64_t padEnd = 0;

  /// Returns the number of elements from the first to the last that a window covers.
  Dim extent() const { return (kernel - 1) * Dim(dilation) + 1; }
};

struct WindowedDims {
  llvm::SmallVector<Window> windows;
  /// Spatial dimensions of the result.
  DimList output;
};

/// Returns the windows of a Conv, ConvInteger, QLinearConv, DeformConv, ConvTranspose, MaxPool, AveragePool or LpPool
/// and the spatial dimensions of its result. Fails after an error at the operation if they are invalid (never for a
/// verified operation), and without an error if the rank is unknown.
mlir::FailureOr<WindowedDims> getWindows(mlir::Operation *op);
/// As above for the shape rule, which adds constraints to `sizes`.
mlir::FailureOr<WindowedDims> getWindows(mlir::Operation *op, SizeConstraints &sizes);

/// Positions of the dimensions in activations of N, C, spatial... or, channels last, N, spatial..., C.
inline int64_t getChannelAxis(int64_t rank, bool channelsLast) { return channelsLast ? rank - 1 : 1; }
inline int64_t getFirstSpatialAxis(bool channelsLast) { return channelsLast ? 1 : 2; }
inline int64_t getSpatialRank(int64_t rank) { return rank - 2; }

/// Create and read dimensions of activations in either layout.
DimList makeActivationDims(const Dim &batch, const Dim &channels, llvm::ArrayRef<Dim> spatial, bool channelsLast);
llvm::ArrayRef<Dim> getSpatialDims(llvm::ArrayRef<Dim> activation, bool channelsLast);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_WINDOWS_H

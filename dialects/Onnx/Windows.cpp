#include "dialects/Onnx/Windows.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/ShapeRules.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

DimList cameo::onnx::makeActivationDims(const Dim &batch, const Dim &channels, ArrayRef<Dim> spatial,
                                        bool channelsLast) {
  DimList dims{batch};
  if (!channelsLast)
    dims.push_back(channels);
  llvm::append_range(dims, spatial);
  if (channelsLast)
    dims.push_back(channels);
  return dims;
}

ArrayRef<Dim> cameo::onnx::getSpatialDims(ArrayRef<Dim> activation, bool channelsLast) {
  return activation.slice(getFirstSpatialAxis(channelsLast), getSpatialRank(activation.size()));
}

namespace {

using Ints = std::optional<ArrayRef<int64_t>>;

/// The attributes of an operation with windows, the same for all kinds of operations.
struct Stated {
  Operation *op = nullptr;
  StringRef autoPad;
  Ints kernelShape, strides, dilations, pads;
  bool ceilMode = false;
  bool isPool = false;
  bool channelsLast = false;
  Value weights; // null for pooling
};

/// Far above the sizes of real models; a product of two still fits 64 bits.
constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();

bool isAutoSame(StringRef autoPad) { return autoPad.starts_with("SAME"); }

/// Returns kernel_shape, or the trailing dimensions of the weights if it is absent.
FailureOr<DimList> kernelOf(const Stated &stated, SizeConstraints &sizes, int64_t spatialRank) {
  if (failed(expectInts(stated.op, "kernel_shape", stated.kernelShape, spatialRank, 1, kMaxExtent))) // window_c1
    return failure();
  std::optional<DimList> weights = stated.weights ? getDims(stated.weights) : std::nullopt;
  DimList kernel(spatialRank, Dim::unknown());
  if (stated.kernelShape)
    kernel.assign(stated.kernelShape->begin(), stated.kernelShape->end());
  if (!weights)
    return kernel;
  for (auto [i, size] : llvm::enumerate(kernel)) {
    const Dim &weight = (*weights)[2 + i];
    if (failed(sizes.requireEqual(size, weight))) // window_c2
      return stated.op->emitOpError() << "expected 'kernel_shape' to be that of the weights, " << weight.getSize()
                                      << " along spatial axis " << i << ", got " << size.getSize();
    size = moreSpecific(size, weight);
    if (failed(sizes.requireAtLeast(weight, 1)) || (weight.isStatic() && size.getSize() > kMaxExtent)) // window_c3
      return stated.op->emitOpError() << "expected weights of 1 to " << kMaxExtent << " elements along spatial axis "
                                      << i << ", got " << size.getSize();
  }
  return kernel;
}

LogicalResult expectAttributes(const Stated &stated, int64_t spatialRank) {
  Operation *op = stated.op;
  return failure(failed(expectInts(op, "strides", stated.strides, spatialRank, 1, kMaxExtent)) /*window_c4*/ ||
                 failed(expectInts(op, "dilations", stated.dilations, spatialRank, 1, kMaxExtent)) /*window_c5*/ ||
                 failed(expectInts(op, "pads", stated.pads, 2 * spatialRank, 0, kMaxExtent)) /*window_c6*/);
}

FailureOr<SmallVector<Window>> statedWindows(const Stated &stated, SizeConstraints &sizes, int64_t spatialRank) {
  FailureOr<DimList> kernel = kernelOf(stated, sizes, spatialRank);
  if (failed(kernel) || failed(expectAttributes(stated, spatialRank)))
    return failure();
  SmallVector<Window> windows;
  for (int64_t i = 0; i < spatialRank; ++i) {
    Window window{(*kernel)[i], stated.strides ? (*stated.strides)[i] : 1,
                  stated.dilations ? (*stated.dilations)[i] : 1};
    if (stated.autoPad == "NOTSET" && stated.pads) {
      window.padBegin = (*stated.pads)[i];
      window.padEnd = (*stated.pads)[spatialRank + i];
    }
    Dim extent = window.extent();
    if (extent.isStatic() && extent.getSize() > kMaxExtent) // window_c7
      return stated.op->emitOpError() << "expected windows of at most " << kMaxExtent << " elements, got "
                                      << extent.getSize();
    if (stated.isPool && extent.isStatic() && std::max(window.padBegin, window.padEnd) >= extent.getSize()) // window_c8
      return stated.op->emitOpError() << "expected pads below the window's " << extent.getSize() << " elements, got "
                                      << std::max(window.padBegin, window.padEnd);
    windows.push_back(window);
  }
  return windows;
}

/// Splits `total` evenly into both pads of `window`; the side that `autoPad` names gets an odd element.
void splitPadding(Window &window, const Dim &total, StringRef autoPad) {
  if (!total.isStatic()) {
    window.padBegin = window.padEnd = ShapedType::kDynamic;
    return;
  }
  int64_t padding = std::max<int64_t>(total.getSize(), 0);
  window.padBegin = autoPad == "SAME_UPPER" ? padding / 2 : padding - padding / 2;
  window.padEnd = padding - window.padBegin;
}

/// Sets the pads so that there is one window per started stride, and returns the number of windows.
Dim resolveSame(Window &window, const Dim &input, StringRef autoPad) {
  Dim output = window.stride == 1 ? input : floorDivDim(addDims(input, Dim(window.stride - 1)), window.stride);
  // With a stride of 1 the padding does not depend on the size.
  Dim overhang = window.stride == 1 ? window.extent() - 1 : (output - 1) * Dim(window.stride) + window.extent() - input;
  splitPadding(window, overhang, autoPad);
  return output;
}

/// Returns the number of windows that fit, by ONNX's formulas. A last window that would start in the padding after the
/// input is dropped.
FailureOr<Dim> countWindows(const Stated &stated, SizeConstraints &sizes, Window &window, const Dim &input) {
  if (input.isStatic() && input.getSize() > kMaxExtent) // window_c9
    return stated.op->emitOpError() << "expected at most " << kMaxExtent << " elements along a spatial axis, got "
                                    << input.getSize();
  if (isAutoSame(stated.autoPad))
    return resolveSame(window, input, stated.autoPad);
  Dim slack = input + Dim(window.padBegin + window.padEnd) - window.extent();
  bool ceil = stated.ceilMode && stated.autoPad != "VALID";
  if (failed(
          sizes.requireAtLeastFor(input, input + Dim(window.padBegin + window.padEnd), window.extent()))) // window_c10
    return stated.op->emitOpError() << "expected windows that fit the padded input, got " << window.extent().getSize()
                                    << " elements for " << input.getSize() << " padded by " << window.padBegin
                                    << " and " << window.padEnd;
  if (!slack.isStatic()) {
    if (!ceil || window.stride == 1)
      return floorDivDim(slack, window.stride) + 1;
    Dim started = floorDivDim(slack + (window.stride - 1), window.stride) + 1;
    // If a window extends beyond the padding at the end, the last window starts inside the input for every size.
    if (window.extent().isStatic() && window.stride + window.padEnd <= window.extent().getSize())
      return started;
    return minDims(started, floorDivDim(input + (window.padBegin - 1), window.stride) + 1);
  }
  if (slack.getSize() < 0) // the input is empty
    return Dim(0);
  if (!ceil)
    return Dim(slack.getSize() / window.stride + 1);
  int64_t count = llvm::divideCeil(slack.getSize(), window.stride) + 1;
  if ((count - 1) * window.stride >= input.getSize() + window.padBegin)
    --count;
  return Dim(count);
}

FailureOr<WindowedDims> slideWindows(const Stated &stated, SizeConstraints &sizes, Value activation) {
  std::optional<DimList> dims = getDims(activation);
  if (!dims)
    return failure();
  FailureOr<SmallVector<Window>> windows = statedWindows(stated, sizes, getSpatialRank(dims->size()));
  if (failed(windows))
    return failure();
  WindowedDims result{std::move(*windows), {}};
  for (auto [window, input] : llvm::zip(result.windows, getSpatialDims(*dims, stated.channelsLast))) {
    FailureOr<Dim> count = countWindows(stated, sizes, window, input);
    if (failed(count))
      return failure();
    result.output.push_back(*count);
  }
  return result;
}

/// Reads the attributes that convolutions and pooling have in common.
template <typename OpTy> Stated readCommon(OpTy op) {
  Stated stated;
  stated.op = op;
  stated.autoPad = op.getAutoPad();
  stated.kernelShape = op.getKernelShape();
  stated.strides = op.getStrides();
  stated.dilations = op.getDilations();
  stated.pads = op.getPads();
  stated.channelsLast = op.getChannelsLast();
  return stated;
}

template <typename OpTy> FailureOr<WindowedDims> convWindows(OpTy op, SizeConstraints &sizes, Value weights) {
  Stated stated = readCommon(op);
  stated.weights = weights;
  return slideWindows(stated, sizes, op->getOperand(0));
}

/// DeformConv has neither auto_pad nor a layout.
FailureOr<WindowedDims> deformWindows(DeformConvOp op, SizeConstraints &sizes) {
  Stated stated;
  stated.op = op;
  stated.autoPad = "NOTSET";
  stated.kernelShape = op.getKernelShape();
  stated.strides = op.getStrides();
  stated.dilations = op.getDilations();
  stated.pads = op.getPads();
  stated.weights = op.getW();
  return slideWindows(stated, sizes, op.getX());
}

template <typename OpTy> FailureOr<WindowedDims> poolWindows(OpTy op, SizeConstraints &sizes) {
  Stated stated = readCommon(op);
  stated.isPool = true;
  stated.ceilMode = op.getCeilMode() != 0;
  stated.kernelShape = op.getKernelShape();
  return slideWindows(stated, sizes, op.getX());
}

//===- Transposed convolution ----------------------------------------------===//

/// Returns the size of the result of a transposed convolution along one axis, and sets the pads if a size is requested.
Dim growWindow(Window &window, const Dim &input, int64_t outputPadding, std::optional<int64_t> requested,
               StringRef autoPad) {
  Dim full = (input - 1) * Dim(window.stride) + window.extent() + outputPadding;
  if (!requested && !isAutoSame(autoPad))
    return subDims(full, Dim(window.padBegin + window.padEnd));
  Dim output = requested ? Dim(*requested) : mulDims(input, Dim(window.stride));
  // A result that is larger than the windows reach ends in zeros.
  splitPadding(window, full - output, autoPad);
  return output;
}

FailureOr<WindowedDims> transposedWindows(ConvTransposeOp op, SizeConstraints &sizes) {
  Stated stated = readCommon(op);
  stated.weights = op.getW();
  std::optional<DimList> dims = getDims(op.getX());
  if (!dims)
    return failure();
  int64_t spatialRank = getSpatialRank(dims->size());
  FailureOr<SmallVector<Window>> windows = statedWindows(stated, sizes, spatialRank);
  Ints padding = op.getOutputPadding(), shape = op.getOutputShape();
  if (failed(windows) ||
      failed(expectInts(op, "output_padding", padding, spatialRank, 0, kMaxExtent)) /*convtranspose_c7*/ ||
      failed(expectInts(op, "output_shape", shape, spatialRank, 0, kMaxExtent)) /*convtranspose_c8*/)
    return failure();
  WindowedDims result{std::move(*windows), {}};
  for (auto [i, input] : llvm::enumerate(getSpatialDims(*dims, stated.channelsLast))) {
    if (input.isStatic() && input.getSize() > kMaxExtent)
      return op.emitOpError() << "expected at most " << kMaxExtent << " elements along a spatial axis, got "
                              << input.getSize();
    Dim output = growWindow(result.windows[i], input, padding ? (*padding)[i] : 0,
                            shape ? std::optional<int64_t>((*shape)[i]) : std::nullopt, op.getAutoPad());
    if (input.isStatic() && input.getSize() == 0 && !shape)
      output = Dim(0);
    if (output.isStatic() && output.getSize() < 0) // convtranspose_c9
      return op.emitOpError() << "expected pads that leave a result, got a size of " << output.getSize()
                              << " along spatial axis " << i;
    result.output.push_back(output);
  }
  return result;
}

} // namespace

FailureOr<WindowedDims> cameo::onnx::getWindows(Operation *op) {
  SizeConstraints sizes;
  return getWindows(op, sizes);
}

FailureOr<WindowedDims> cameo::onnx::getWindows(Operation *op, SizeConstraints &sizes) {
  return llvm::TypeSwitch<Operation *, FailureOr<WindowedDims>>(op)
      .Case<ConvOp>([&](auto conv) { return convWindows(conv, sizes, conv.getW()); })
      .Case<ConvIntegerOp>([&](auto conv) { return convWindows(conv, sizes, conv.getW()); })
      .Case<QLinearConvOp>([&](auto conv) { return convWindows(conv, sizes, conv.getW()); })
      .Case<MaxPoolOp, AveragePoolOp, LpPoolOp>([&](auto pool) { return poolWindows(pool, sizes); })
      .Case<DeformConvOp>([&](auto conv) { return deformWindows(conv, sizes); })
      .Case<ConvTransposeOp>([&](auto conv) { return transposedWindows(conv, sizes); })
      .Default([](Operation *) { return failure(); });
}

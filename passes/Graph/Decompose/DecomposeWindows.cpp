// Makes the windows of convolutions and pools explicit: kernel_shape, strides, dilations and pads, without auto_pad and
// defaults.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Decompose/DecomposePatterns.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// The window of one op, one entry per spatial dimension; `pads` has the begins, then the ends.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations, pads;

  int64_t rank() const { return kernel.size(); }
  int64_t extent(int64_t i) const { return (kernel[i] - 1) * dilations[i] + 1; }
  bool operator==(const Window &other) const = default;
};

SmallVector<int64_t> getOr(std::optional<ArrayRef<int64_t>> values, int64_t count, int64_t fallback) {
  return values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(count, fallback);
}

template <typename OpTy> Window readWindow(OpTy op, ArrayRef<int64_t> kernel) {
  int64_t rank = kernel.size();
  return {SmallVector<int64_t>(kernel), getOr(op.getStrides(), rank, 1), getOr(op.getDilations(), rank, 1),
          getOr(op.getPads(), 2 * rank, 0)};
}

ArrayRef<int64_t> getSpatialShape(Value activation, bool channelsLast) {
  RankedTensorType type = getStaticType(activation);
  if (!type || type.getRank() < 3)
    return {};
  return channelsLast ? type.getShape().drop_front().drop_back() : type.getShape().drop_front(2);
}

/// Sets the pads of dimension `dim` to `total` zeros. An odd one is at the end, or at the beginning if `oddFirst`.
void setPads(Window &window, int64_t dim, int64_t total, bool oddFirst) {
  int64_t less = total / 2;
  window.pads[dim] = oddFirst ? total - less : less;
  window.pads[window.rank() + dim] = total - window.pads[dim];
}

template <typename OpTy>
LogicalResult writeWindow(OpTy op, const Window &window, PatternRewriter &rewriter, bool changed) {
  auto isWritten = [&](std::optional<ArrayRef<int64_t>> have, ArrayRef<int64_t> want) { return have && *have == want; };
  std::optional<ArrayRef<int64_t>> kernel = op.getKernelShape();
  if (!changed && op.getAutoPad() == "NOTSET" && isWritten(kernel, window.kernel) &&
      isWritten(op.getStrides(), window.strides) && isWritten(op.getDilations(), window.dilations) &&
      isWritten(op.getPads(), window.pads))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setAutoPad("NOTSET");
    op.setKernelShape(window.kernel);
    op.setStrides(window.strides);
    op.setDilations(window.dilations);
    op.setPads(window.pads);
  });
  return success();
}

/// The spatial shapes of the input and output of a convolution, and its window.
struct Sliding {
  ArrayRef<int64_t> in, out;
  Window window;
};

/// Fails if a size is dynamic.
template <typename OpTy> FailureOr<Sliding> readConv(OpTy op) {
  ArrayRef<int64_t> in = getSpatialShape(op.getX(), op.getChannelsLast());
  ArrayRef<int64_t> out = getSpatialShape(op.getY(), op.getChannelsLast());
  RankedTensorType weight = getStaticType(op.getW());
  if (in.empty() || out.empty() || !weight)
    return failure();
  return Sliding{in, out, readWindow(op, weight.getShape().drop_front(2))};
}

struct ExplicitConv : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, PatternRewriter &rewriter) const override {
    FailureOr<Sliding> conv = readConv(op);
    if (failed(conv))
      return failure();
    auto &[in, out, window] = *conv;
    if (op.getAutoPad() == "VALID")
      window.pads.assign(2 * in.size(), 0);
    if (op.getAutoPad().starts_with("SAME"))
      for (int64_t i = 0; i < window.rank(); ++i)
        setPads(window, i, std::max<int64_t>(0, (out[i] - 1) * window.strides[i] + window.extent(i) - in[i]),
                op.getAutoPad() == "SAME_LOWER");
    return writeWindow(op, window, rewriter, false);
  }
};

struct ExplicitConvTranspose : OpRewritePattern<onnx::ConvTransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvTransposeOp op, PatternRewriter &rewriter) const override {
    FailureOr<Sliding> conv = readConv(op);
    if (failed(conv))
      return failure();
    auto &[in, out, window] = *conv;
    SmallVector<int64_t> outputPadding = getOr(op.getOutputPadding(), window.rank(), 0);
    bool hasRule = op.getAutoPad().starts_with("SAME") || op.getOutputShape();
    if (op.getAutoPad() == "VALID" && !op.getOutputShape())
      window.pads.assign(2 * in.size(), 0);
    if (hasRule)
      for (int64_t i = 0; i < window.rank(); ++i) {
        int64_t total = window.strides[i] * (in[i] - 1) + outputPadding[i] + window.extent(i) - out[i];
        if (total < 0)
          return failure();
        setPads(window, i, total, op.getAutoPad() != "SAME_UPPER");
      }
    bool changed = op.getOutputShape() || !op.getOutputPadding();
    if (failed(writeWindow(op, window, rewriter, changed)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.removeOutputShapeAttr();
      op.setOutputPadding(outputPadding);
    });
    return success();
  }
};

/// Whether the op treats padding like elements beyond it, so that a window that overhangs only needs more padding.
bool ignoresPadding(onnx::MaxPoolOp) { return true; }
bool ignoresPadding(onnx::LpPoolOp) { return true; }
bool ignoresPadding(onnx::AveragePoolOp op) { return !op.getCountIncludePad(); }

template <typename OpTy> struct ExplicitPool : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> in = getSpatialShape(op.getX(), op.getChannelsLast());
    ArrayRef<int64_t> out = getSpatialShape(op.getY(), op.getChannelsLast());
    if (in.empty() || out.empty())
      return failure();
    Window window = readWindow(op, op.getKernelShape());
    bool hangsOver = false;
    for (int64_t i = 0; i < window.rank(); ++i) {
      int64_t covered = (out[i] - 1) * window.strides[i] + window.extent(i);
      if (op.getAutoPad() == "VALID")
        window.pads[i] = window.pads[window.rank() + i] = 0;
      if (op.getAutoPad().starts_with("SAME"))
        setPads(window, i, std::max<int64_t>(0, covered - in[i]), op.getAutoPad() == "SAME_LOWER");
      int64_t &end = window.pads[window.rank() + i];
      hangsOver |= covered - in[i] - window.pads[i] > end;
      end = std::max(end, covered - in[i] - window.pads[i]);
    }
    if (hangsOver && !ignoresPadding(op))
      return failure();
    bool changed = op.getCeilMode() != 0;
    if (failed(writeWindow(op, window, rewriter, changed)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setCeilMode(0); });
    return success();
  }
};

} // namespace

void populateDecomposeWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<ExplicitConv, ExplicitConvTranspose, ExplicitPool<onnx::MaxPoolOp>, ExplicitPool<onnx::AveragePoolOp>,
               ExplicitPool<onnx::LpPoolOp>>(patterns.getContext());
}

} // namespace cameo::graph

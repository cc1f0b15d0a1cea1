// --fold-strides: makes a strided convolution of few channels one without strides, whose channels are those of blocks
// of pixels.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/ConvWindow.h"
#include "passes/Graph/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FOLDSTRIDESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// One axis in blocks of as many elements as the stride. The window begins with a block: taps of zero stand before its
/// first tap and behind its last one.
struct BlockedAxis {
  int64_t size, in, taps, padBegin, padEnd; ///< elements of a block, then numbers of blocks
  int64_t tapsBefore, tapsBehind;           ///< elements

  explicit BlockedAxis(const WindowAxis &axis)
      : size(axis.stride), in(axis.in / size), padBegin(llvm::divideCeil(axis.padBegin, size)) {
    tapsBefore = padBegin * size - axis.padBegin;
    taps = llvm::divideCeil(tapsBefore + axis.taps, size);
    tapsBehind = taps * size - tapsBefore - axis.taps;
    padEnd = axis.out + taps - 1 - padBegin - in;
  }
};

using BlockedWindow = SmallVector<BlockedAxis, 3>;

int64_t elementsOf(const BlockedWindow &window) {
  int64_t all = 1;
  for (const BlockedAxis &axis : window)
    all *= axis.size;
  return all;
}

/// Creates Pad with `begin` and `end` elements along each dimension.
Value pad(OnnxBuilder &builder, Value value, SmallVector<int64_t> begin, ArrayRef<int64_t> end) {
  begin.append(end.begin(), end.end());
  return builder.make<onnx::PadOp>({value, builder.ints(begin)});
}

/// Returns the image with blocks as channels, `channels` times as many as elements of a block. Channels are last in
/// memory, so that one pass over the image makes it.
Value blocksOf(OnnxBuilder &builder, Value image, const BlockedWindow &window, int64_t channels) {
  ArrayRef<int64_t> shape = getStaticType(image).getShape();
  auto rank = static_cast<int64_t>(window.size());
  SmallVector<int64_t> parted = {shape[0], shape[1]}, order = {0}, last = {1}, begin = {0}, end = {0},
                       whole = {shape[0]}, first = {0, rank + 1};
  for (auto [number, axis] : llvm::enumerate(window)) {
    auto place = static_cast<int64_t>(2 + 2 * number);
    parted.append({axis.in, axis.size});
    order.push_back(place);
    last.push_back(place + 1);
    begin.push_back(axis.padBegin);
    end.push_back(axis.padEnd);
    whole.push_back(axis.in + axis.padBegin + axis.padEnd);
    first.push_back(static_cast<int64_t>(1 + number));
  }
  order.append(last);
  begin.append(1 + rank, 0);
  end.push_back(channels - shape[1]);
  end.append(rank, 0);
  whole.push_back(channels * elementsOf(window));
  Value blocks = builder.transpose(builder.reshape(image, parted), order);
  return builder.transpose(builder.reshape(pad(builder, blocks, begin, end), whole), first);
}

/// Returns the weights for these channels.
Value weightsOf(OnnxBuilder &builder, Value weights, const BlockedWindow &window, int64_t channels) {
  ArrayRef<int64_t> shape = getStaticType(weights).getShape();
  SmallVector<int64_t> begin = {0, 0}, end = {0, channels - shape[1]}, parted = {shape[0], channels}, order = {0, 1},
                       last, whole = {shape[0], channels * elementsOf(window)};
  for (auto [number, axis] : llvm::enumerate(window)) {
    auto place = static_cast<int64_t>(2 + 2 * number);
    begin.push_back(axis.tapsBefore);
    end.push_back(axis.tapsBehind);
    parted.append({axis.taps, axis.size});
    order.push_back(place + 1);
    last.push_back(place);
    whole.push_back(axis.taps);
  }
  order.append(last);
  return builder.reshape(builder.transpose(builder.reshape(pad(builder, weights, begin, end), parted), order), whole);
}

struct FoldStrides : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, PatternRewriter &rewriter) const override {
    // The steps of an instruction of a matrix unit, and the channels that one access of 16 bytes reads.
    constexpr int64_t kSteps = 16, kVector = 8, kMostTimes = 2;
    FailureOr<Window> window = readWindow(op);
    if (failed(window) || op.getGroup() != 1 || !onnx::getConstantAttr(op.getW()))
      return failure();
    RankedTensorType image = getStaticType(op.getX());
    bool isStrided = llvm::any_of(*window, [](const WindowAxis &axis) { return axis.stride > 1; }),
         isHalf = image.getElementType().isF16() || image.getElementType().isBF16();
    if (!isStrided || !isHalf || image.getDimSize(1) >= kVector)
      return failure();
    BlockedWindow blocked;
    int64_t steps = image.getDimSize(1), blockedTaps = 1;
    for (const WindowAxis &axis : *window) {
      blocked.emplace_back(axis);
      if (axis.dilation != 1 || axis.in % axis.stride != 0 || blocked.back().padEnd < 0)
        return failure();
      steps *= axis.taps;
      blockedTaps *= blocked.back().taps;
    }
    int64_t channels = image.getDimSize(1), elements = elementsOf(blocked);
    while (channels * elements % kSteps != 0)
      ++channels;
    if (blockedTaps * channels * elements > kMostTimes * static_cast<int64_t>(llvm::alignTo(steps, kSteps)))
      return failure();
    OnnxBuilder builder(rewriter, op.getLoc());
    Window plain;
    for (auto [axis, blocks] : llvm::zip_equal(*window, blocked))
      plain.push_back({blocks.taps, 1, 1, 0, 0, blocks.padBegin + blocks.in + blocks.padEnd, axis.out});
    Value made = builder.make<onnx::ConvOp>(
        {blocksOf(builder, op.getX(), blocked, channels), weightsOf(builder, op.getW(), blocked, channels), op.getB()},
        writeWindow(builder, plain, 1));
    rewriter.replaceOp(op, builder.as(made, op.getType()));
    return success();
  }
};

struct FoldStridesPass : impl::FoldStridesPassBase<FoldStridesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldStrides>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

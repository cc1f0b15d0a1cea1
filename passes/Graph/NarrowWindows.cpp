// --narrow-windows: reduces convolutions to the results that are used and the taps that multiply elements.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/ConvWindow.h"
#include "passes/Graph/Passes.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_NARROWWINDOWSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// Returns the range of each dimension that a Slice keeps, for constant bounds and steps of 1.
std::optional<SmallVector<Places>> readSlice(onnx::SliceOp op) {
  RankedTensorType type = getStaticType(op.getData());
  std::optional<SmallVector<int64_t>> starts = onnx::getConstantInts(op.getStarts()),
                                      ends = onnx::getConstantInts(op.getEnds());
  if (!type || !starts || !ends)
    return std::nullopt;
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  if (!onnx::isAbsent(op.getAxes())) {
    std::optional<SmallVector<int64_t>> stated = getAxes(op.getAxes(), type.getRank());
    if (!stated)
      return std::nullopt;
    axes = *stated;
  }
  if (!onnx::isAbsent(op.getSteps()) && !isSplatOf(op.getSteps(), 1))
    return std::nullopt;
  SmallVector<Places> ranges;
  for (int64_t size : type.getShape())
    ranges.push_back({0, size});
  for (auto [axis, start, end] : llvm::zip_equal(axes, *starts, *ends)) {
    int64_t size = type.getDimSize(axis);
    auto place = [&](int64_t index) {
      return std::clamp<int64_t>(index < 0 ? std::max(index, -size) + size : index, 0, size);
    };
    ranges[axis] = {place(start), place(end)};
  }
  return ranges;
}

/// Computes only the results that a Slice keeps, as in causal convolutions that pad both sides and then drop the last
/// results.
struct ComputeWhatIsKept : OpRewritePattern<onnx::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::SliceOp op, PatternRewriter &rewriter) const override {
    auto conv = op.getData().getDefiningOp<onnx::ConvOp>();
    std::optional<SmallVector<Places>> kept = readSlice(op);
    if (!conv || !conv->hasOneUse() || !kept)
      return failure();
    FailureOr<Window> window = readWindow(conv);
    ArrayRef<int64_t> shape = getStaticType(conv.getY()).getShape();
    if (failed(window) || (*kept)[0].size() != shape[0] || (*kept)[1].size() != shape[1])
      return failure();
    for (auto [axis, range] : llvm::zip_equal(*window, ArrayRef(*kept).drop_front(2))) {
      int64_t skipped = range.begin * axis.stride;
      int64_t end = (range.end - 1) * axis.stride + axis.extent() - axis.padBegin - axis.in;
      if (range.size() == 0 || skipped > axis.padBegin)
        return failure();
      axis.padBegin -= skipped;
      axis.padEnd = std::max<int64_t>(0, end);
      axis.out = range.size();
      if (axis.computedSize() != axis.out)
        return failure();
    }
    OnnxBuilder builder(rewriter, rewriter.getFusedLoc({conv.getLoc(), op.getLoc()}));
    Value narrow = builder.make<onnx::ConvOp>({conv.getX(), conv.getW(), conv.getB()},
                                              writeWindow(builder, *window, conv.getGroup()));
    rewriter.replaceOp(op, builder.as(narrow, op.getType()));
    return success();
  }
};

/// Drops taps at either end that multiply padding only, as in wide dilations over small planes.
struct DropTapsOnPadding : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, PatternRewriter &rewriter) const override {
    FailureOr<Window> window = readWindow(op);
    if (failed(window) || !onnx::getConstantAttr(op.getW()))
      return failure();
    SmallVector<Places> kept;
    for (WindowAxis &axis : *window) {
      Places range = {0, axis.taps};
      while (axis.taps > 1 && axis.padBegin >= axis.dilation && axis.resultsOf(0).size() == 0) {
        axis.padBegin -= axis.dilation;
        --axis.taps;
        ++range.begin;
      }
      while (axis.taps > 1 && axis.padEnd >= axis.dilation && axis.resultsOf(axis.taps - 1).size() == 0) {
        axis.padEnd -= axis.dilation;
        --axis.taps;
        --range.end;
      }
      kept.push_back(range);
    }
    OnnxBuilder builder(rewriter, op.getLoc());
    Value weight = op.getW();
    for (auto [index, range] : llvm::enumerate(kept))
      if (range.size() != getStaticType(op.getW()).getDimSize(2 + index))
        weight = cut(builder, weight, 2 + index, range);
    if (weight == op.getW())
      return failure();
    Value narrow =
        builder.make<onnx::ConvOp>({op.getX(), weight, op.getB()}, writeWindow(builder, *window, op.getGroup()));
    rewriter.replaceOp(op, builder.as(narrow, op.getType()));
    return success();
  }
};

struct NarrowWindowsPass : impl::NarrowWindowsPassBase<NarrowWindowsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ComputeWhatIsKept, DropTapsOnPadding>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

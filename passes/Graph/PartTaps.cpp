// --part-taps: splits a convolution most of whose products are with padding into one per tap, each over the elements
// that its tap reads.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/ConvWindow.h"
#include "passes/Graph/Passes.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_PARTTAPSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// Creates one convolution per tap of the marked axes, each over the elements that its tap reads, and their sum.
class TapSum {
public:
  TapSum(OnnxBuilder &builder, onnx::ConvOp op, Window window, ArrayRef<bool> isParted)
      : builder(builder), op(op), window(std::move(window)), isParted(isParted) {}

  Value make() { return make(op.getX(), op.getW(), op.getB(), 0); }

private:
  /// `bias` is absent if another term of the sum has it.
  Value make(Value x, Value weight, Value bias, size_t axis) {
    if (axis == window.size())
      return builder.make<onnx::ConvOp>({x, weight, bias}, writeWindow(builder, window, 1));
    if (!isParted[axis])
      return make(x, weight, bias, axis + 1);
    const WindowAxis whole = window[axis];
    window[axis] = {1, 1, 1, 0, 0, whole.in, whole.out};
    auto term = [&](int64_t tap, Value termBias) {
      Places results = whole.resultsOf(tap);
      int64_t offset = tap * whole.dilation - whole.padBegin;
      Value seen = cut(builder, x, 2 + axis, {results.begin + offset, results.end + offset});
      Value made = make(seen, cut(builder, weight, 2 + axis, {tap, tap + 1}), termBias, axis + 1);
      return results.size() == whole.out ? made : pad(made, axis, results.begin, whole.out - results.end);
    };
    int64_t first = 0;
    while (!whole.coversAllResults(first))
      ++first;
    Value sum = term(first, bias);
    for (int64_t tap = 0; tap < whole.taps; ++tap)
      if (tap != first && whole.resultsOf(tap).size() > 0)
        sum = builder.make<onnx::AddOp>({sum, term(tap, builder.none())});
    window[axis] = whole;
    return sum;
  }

  Value pad(Value value, size_t axis, int64_t begin, int64_t end) {
    int64_t rank = window.size() + 2;
    SmallVector<int64_t> pads(2 * rank, 0);
    pads[2 + axis] = begin;
    pads[rank + 2 + axis] = end;
    return builder.make<onnx::PadOp>({value, builder.ints(pads)});
  }

  OnnxBuilder &builder;
  onnx::ConvOp op;
  Window window;
  ArrayRef<bool> isParted;
};

/// Matches wide dilations over planes that are hardly wider, as in DeepLab. RATIONALE.md has the thresholds.
struct PartTaps : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, PatternRewriter &rewriter) const override {
    constexpr double kMostUseful = 0.6, kUsefulAlongAxis = 0.85;
    constexpr int64_t kLeastResults = 256, kLeastSaved = 128;
    FailureOr<Window> window = readWindow(op);
    if (failed(window) || op.getGroup() != 1 || !onnx::getConstantAttr(op.getW()))
      return failure();
    double useful = 1.0;
    int64_t results = 1;
    SmallVector<bool> isParted;
    for (const WindowAxis &axis : *window) {
      auto taps = llvm::seq<int64_t>(0, axis.taps);
      bool parts = axis.stride == 1 && axis.usefulPart() < kUsefulAlongAxis &&
                   llvm::any_of(taps, [&](int64_t tap) { return axis.coversAllResults(tap); });
      isParted.push_back(parts);
      results *= axis.out;
      if (parts)
        useful *= axis.usefulPart();
    }
    int64_t channels = getStaticType(op.getX()).getDimSize(1);
    if (useful > kMostUseful || results < kLeastResults || channels * (1.0 - useful) < kLeastSaved)
      return failure();
    OnnxBuilder builder(rewriter, op.getLoc());
    rewriter.replaceOp(op, builder.as(TapSum(builder, op, *window, isParted).make(), op.getType()));
    return success();
  }
};

struct PartTapsPass : impl::PartTapsPassBase<PartTapsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PartTaps>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

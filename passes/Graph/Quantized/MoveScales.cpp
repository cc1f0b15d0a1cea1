// --move-scales: squeeze and excitation multiplies a plane by one factor per channel. Scaling the weights of the
// pointwise convolution after it takes fewer multiplications.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_MOVESCALESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

/// Fewest elements of the plane per weight, because weights that depend on a run have to be packed in every run, too.
constexpr int64_t minElementsPerWeight = 8;

/// Whether `factors`, which broadcast to a tensor of this rank, vary along the channel axis only.
bool isPerChannel(Value factors, int64_t rank) {
  RankedTensorType type = getStaticType(factors);
  if (!type || type.getRank() > rank)
    return false;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    if (size != 1 && int64_t(axis) + rank - type.getRank() != 1)
      return false;
  return true;
}

/// Whether `weight` is a constant of a pointwise convolution and small compared with the plane `x`.
bool isSmallPointwise(Value weight, RankedTensorType x) {
  RankedTensorType type = getStaticType(weight);
  return type && type.getElementType().isF32() && isa_and_nonnull<onnx::ConstantOp>(weight.getDefiningOp()) &&
         llvm::all_of(type.getShape().drop_front(2), [](int64_t size) { return size == 1; }) &&
         type.getNumElements() * minElementsPerWeight <= x.getNumElements();
}

struct ScaleWeights : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp conv, PatternRewriter &rewriter) const override {
    auto product = conv.getX().getDefiningOp<onnx::MulOp>();
    RankedTensorType type = getStaticType(conv.getX());
    if (!product || !type || conv.getGroup() != 1 || conv.getChannelsLast() || !product->hasOneUse() ||
        !isSmallPointwise(conv.getW(), type))
      return failure();
    for (auto [plane, factors] :
         {std::pair(product.getA(), product.getB()), std::pair(product.getB(), product.getA())}) {
      // If nothing else uses the plane, the multiplication fuses with the op that computes it and costs nothing.
      if (plane.getType() != type || plane.hasOneUse() || !isPerChannel(factors, type.getRank()))
        continue;
      Location loc = rewriter.getFusedLoc({product.getLoc(), conv.getLoc()});
      Value weight = onnx::MulOp::create(rewriter, loc, TypeRange(conv.getW().getType()),
                                         ValueRange{conv.getW(), factors}, ArrayRef<NamedAttribute>{});
      rewriter.modifyOpInPlace(conv, [&] {
        conv->setOperand(0, plane);
        conv->setOperand(1, weight);
      });
      rewriter.eraseOp(product);
      return success();
    }
    return failure();
  }
};

struct MoveScalesPass : impl::MoveScalesPassBase<MoveScalesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ScaleWeights>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

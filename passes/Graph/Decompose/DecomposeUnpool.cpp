// A MaxUnpool that makes the shape of the operand of its MaxPool scatters elements to the places that the MaxPool
// counted. In general its indices count the smaller tensor that the windows cover.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"

using namespace mlir;

namespace cameo::graph {
namespace {

struct ScatterToPlaces : OpRewritePattern<onnx::MaxUnpoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MaxUnpoolOp op, PatternRewriter &rewriter) const override {
    auto pool = op.getI().getDefiningOp<onnx::MaxPoolOp>();
    if (onnx::isAbsent(op.getOutputShape()) || !pool || pool.getStorageOrder() != 0)
      return failure();
    std::optional<onnx::DimList> dims = onnx::getDims(pool.getX());
    if (!dims || dims != onnx::getDims(op.getOutput()) || !onnx::getDims(op.getX()) || dims == op.getPooledDims())
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    auto flatten = [&](Value value) { return b.reshape(value, {-1}); };
    Value shape = b.make<onnx::ShapeOp>(pool.getX());
    Type element = getElementTypeOrSelf(op.getType());
    auto zero = DenseElementsAttr::get(RankedTensorType::get(1, element), b.getZeroAttr(element));
    Value zeros = b.make<onnx::ConstantOfShapeOp>(shape, b.getNamedAttr("value", zero));
    Value scattered = b.make<onnx::ScatterElementsOp>({flatten(zeros), flatten(op.getI()), flatten(op.getX())});
    rewriter.replaceOp(op, b.as(b.make<onnx::ReshapeOp>({scattered, shape}), op.getType()));
    return success();
  }
};

} // namespace

void populateDecomposeUnpoolPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterToPlaces>(patterns.getContext());
}

} // namespace cameo::graph

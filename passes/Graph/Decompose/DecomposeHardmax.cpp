// Hardmax compares the places along an axis with that of the greatest element, which ArgMax finds as one task: in one
// task with the comparison it would be found row by row, without vectors.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Returns the numbers of the elements along `axis`, of which there are `extent`.
Value placesAlong(OnnxBuilder &b, Value value, int64_t axis, const Dim &extent) {
  if (extent.isStatic())
    return b.ints(llvm::to_vector(llvm::seq<int64_t>(extent.getSize())));
  auto scalar = [&](Value vector) { return b.make<onnx::SqueezeOp>({vector, b.ints(0)}); };
  return b.make<onnx::RangeOp>({scalar(b.ints(0)), scalar(b.sizeOf(value, axis)), scalar(b.ints(1))});
}

struct ComparePlaces : OpRewritePattern<onnx::HardmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::HardmaxOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> dims = onnx::getDims(op.getInput());
    int64_t rank = dims ? dims->size() : 0, axis = op.getAxis() < 0 ? op.getAxis() + rank : op.getAxis();
    // ArgMax needs an element.
    if (!dims || (*dims)[axis] == 0)
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    SmallVector<int64_t> shape(rank - axis, 1);
    shape[0] = -1;
    Value places = b.reshape(placesAlong(b, op.getInput(), axis, (*dims)[axis]), shape);
    Value greatest = b.make<onnx::ArgMaxOp>(op.getInput(), {b.attr("axis", axis), b.attr("keepdims", 1)});
    Value isGreatest = b.make<onnx::EqualOp>({greatest, places});
    rewriter.replaceOp(op, b.as(b.cast(isGreatest, getElementTypeOrSelf(op.getType())), op.getType()));
    return success();
  }
};

} // namespace

void populateDecomposeHardmaxPatterns(RewritePatternSet &patterns) {
  patterns.add<ComparePlaces>(patterns.getContext());
}

} // namespace cameo::graph

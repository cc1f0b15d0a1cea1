// --sink-views: reshapes go behind elementwise ops, where they cost nothing and part nobody.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_SINKVIEWSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

/// What the value was before a reshape, if that has the wanted shape.
Value lookBehindReshape(Value value, ArrayRef<onnx::Dim> shape) {
  auto reshape = value.getDefiningOp<onnx::ReshapeOp>();
  return reshape && ArrayRef(getShape(reshape.getData())) == shape ? reshape.getData() : Value();
}

struct SinkView : OpTraitRewritePattern<onnx::PointwiseOnnxOp> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (getRole(op) != OpRole::Elementwise)
      return failure();
    for (Value operand : op->getOperands()) {
      auto reshape = operand.getDefiningOp<onnx::ReshapeOp>();
      if (!reshape || !operand.hasOneUse() || getShape(operand) != getShape(op->getResult(0)) || !isComputed(reshape.getData()))
        continue;
      if (succeeded(sink(op, reshape, rewriter)))
        return success();
    }
    return failure();
  }

private:
  /// Only what a task computes can take the op as its epilogue.
  static bool isComputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || getShape(value).empty())
      return false;
    OpRole role = getRole(op);
    return role == OpRole::Anchor || role == OpRole::Elementwise || role == OpRole::Row;
  }

  static LogicalResult sink(Operation *op, onnx::ReshapeOp reshape, PatternRewriter &rewriter) {
    onnx::DimList before = getShape(reshape.getData()), after = getShape(reshape.getReshaped());
    // A single number broadcasts whatever its rank: without it no operand gives the result its shape.
    if (isNumber(reshape.getReshaped()) || !onnx::canStateShape(before) || !onnx::canStateShape(after))
      return failure();
    auto isRow = [&](Value value) {
      onnx::DimList shape = getShape(value);
      return before.back() == after.back() && !shape.empty() && shape.back() == after.back() &&
             llvm::all_of(ArrayRef(shape).drop_back(), [](const onnx::Dim &dim) { return dim == 1; });
    };
    for (Value operand : op->getOperands()) {
      if (!isNumber(operand) && !isRow(operand) && getShape(operand) != after)
        return failure();
      // Its new reshape would sink in turn, and so on forever.
      if (!isNumber(operand) && getShape(operand) == after && !lookBehindReshape(operand, before) && isComputed(operand))
        return failure();
    }

    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (isNumber(operand))
        operands.push_back(singleDimension(operand) ? operand : onnx::makeDimReshape(rewriter, op->getLoc(), operand, {}));
      else if (getShape(operand) != after)
        operands.push_back(getShape(operand).size() == 1 ? operand : onnx::makeDimReshape(rewriter, op->getLoc(), operand, after.back()));
      else if (Value original = lookBehindReshape(operand, before))
        operands.push_back(original);
      else
        operands.push_back(onnx::makeDimReshape(rewriter, op->getLoc(), operand, before));
    }
    Operation *moved = rewriter.clone(*op);
    moved->setOperands(operands);
    Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
    moved->getResult(0).setType(onnx::makeTensorType(before, element));
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op->getLoc(), moved->getResult(0), after));
    return success();
  }

  /// A number with more dimensions than the new shape would add to it.
  static bool singleDimension(Value number) {
    auto type = dyn_cast<RankedTensorType>(number.getType());
    return !type || type.getRank() <= 1;
  }
};

struct SinkViewsPass : impl::SinkViewsPassBase<SinkViewsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkView>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

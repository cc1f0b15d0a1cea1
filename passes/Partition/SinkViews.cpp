// --sink-views: reshapes go behind elementwise ops, where they cost nothing and part nobody.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_SINKVIEWSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

Value createReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  auto shapeType = RankedTensorType::get({static_cast<int64_t>(shape.size())}, builder.getI64Type());
  Value sizes = onnx::ConstantOp::create(builder, loc, shapeType, DenseElementsAttr::get(shapeType, shape));
  return onnx::ReshapeOp::create(builder, loc, TypeRange(RankedTensorType::get(shape, element)), ValueRange{value, sizes},
                                 ArrayRef<NamedAttribute>(builder.getNamedAttr("allowzero", builder.getI64IntegerAttr(1))));
}

/// What the value was before a reshape, if that has the wanted shape.
Value lookBehindReshape(Value value, ArrayRef<int64_t> shape) {
  auto reshape = value.getDefiningOp<onnx::ReshapeOp>();
  return reshape && getShape(reshape.getData()) == shape ? reshape.getData() : Value();
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
    ArrayRef<int64_t> before = getShape(reshape.getData()), after = getShape(reshape.getReshaped());
    // A single number broadcasts whatever its rank: without it no operand gives the result its shape.
    if (cast<RankedTensorType>(reshape.getType()).getNumElements() == 1)
      return failure();
    auto isRow = [&](Value value) {
      ArrayRef<int64_t> shape = getShape(value);
      return before.back() == after.back() && !shape.empty() && shape.back() == after.back() &&
             llvm::all_of(shape.drop_back(), [](int64_t size) { return size == 1; });
    };
    auto isNumber = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      return !type || type.getNumElements() == 1;
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
        operands.push_back(singleDimension(operand) ? operand : createReshape(rewriter, op->getLoc(), operand, {}));
      else if (getShape(operand) != after)
        operands.push_back(getShape(operand).size() == 1 ? operand : createReshape(rewriter, op->getLoc(), operand, after.back()));
      else if (Value original = lookBehindReshape(operand, before))
        operands.push_back(original);
      else
        operands.push_back(createReshape(rewriter, op->getLoc(), operand, before));
    }
    Operation *moved = rewriter.clone(*op);
    moved->setOperands(operands);
    Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
    moved->getResult(0).setType(RankedTensorType::get(before, element));
    rewriter.replaceOp(op, createReshape(rewriter, op->getLoc(), moved->getResult(0), after));
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

// --sink-views: moves reshapes behind elementwise ops and before slices and transposes, where they cost nothing and do
// not separate ops that could be fused.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_SINKVIEWSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

/// Returns the operand of the reshape that computes `value` if it has the shape `shape`, otherwise null.
Value lookBehindReshape(Value value, ArrayRef<Dim> shape) {
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
      if (!reshape || !operand.hasOneUse() || getShape(operand) != getShape(op->getResult(0)) ||
          !isComputed(reshape.getData()))
        continue;
      if (succeeded(sink(op, reshape, rewriter)))
        return success();
    }
    return failure();
  }

private:
  /// Whether the op could become the epilogue of the task that computes the value.
  static bool isComputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || getShape(value).empty())
      return false;
    OpRole role = getRole(op);
    return role == OpRole::Anchor || role == OpRole::Elementwise || role == OpRole::Row;
  }

  static LogicalResult sink(Operation *op, onnx::ReshapeOp reshape, PatternRewriter &rewriter) {
    onnx::DimList before = getShape(reshape.getData()), after = getShape(reshape.getReshaped());
    // A single number broadcasts to any rank, so without the reshape no operand would give the result its shape.
    if (isNumber(reshape.getReshaped()) || !onnx::canStateShape(before) || !onnx::canStateShape(after))
      return failure();
    auto isRow = [&](Value value) {
      onnx::DimList shape = getShape(value);
      return before.back() == after.back() && !shape.empty() && shape.back() == after.back() &&
             llvm::all_of(ArrayRef(shape).drop_back(), [](const Dim &dim) { return dim == 1; });
    };
    for (Value operand : op->getOperands()) {
      if (!isNumber(operand) && !isRow(operand) && getShape(operand) != after)
        return failure();
      // The reshape created for this operand would sink in turn, and the patterns would never end.
      if (!isNumber(operand) && getShape(operand) == after && !lookBehindReshape(operand, before) &&
          isComputed(operand))
        return failure();
    }

    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (isNumber(operand))
        operands.push_back(singleDimension(operand) ? operand
                                                    : onnx::makeDimReshape(rewriter, op->getLoc(), operand, {}));
      else if (getShape(operand) != after)
        operands.push_back(getShape(operand).size() == 1
                               ? operand
                               : onnx::makeDimReshape(rewriter, op->getLoc(), operand, after.back()));
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

  /// Whether the single number has at most one dimension. More dimensions would add to the rank of the result.
  static bool singleDimension(Value number) {
    auto type = dyn_cast<RankedTensorType>(number.getType());
    return !type || type.getRank() <= 1;
  }
};

/// Matches a reshape that drops a dimension in which a slice takes one element, as for queries, keys and values
/// computed by one product. The dimension is collapsed with the next one, which leaves a slice, and perhaps a
/// transpose, of a reshape: views that other ops read through.
struct RaiseView : OpRewritePattern<onnx::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto slice = op.getData().getDefiningOp<onnx::SliceOp>();
    std::optional<Element> element = slice && slice->hasOneUse() ? matchElement(slice) : std::nullopt;
    auto result = cast<RankedTensorType>(op.getReshaped().getType());
    if (!element || !result.hasStaticShape())
      return failure();
    SmallVector<int64_t> rest(cast<RankedTensorType>(slice.getData().getType()).getShape());
    rest.erase(rest.begin() + element->axis);
    auto transpose = slice.getData().getDefiningOp<onnx::TransposeOp>();
    if (ArrayRef(rest) != result.getShape() || (transpose && !transpose.getPerm()))
      return failure();
    Value source = transpose ? transpose.getData() : slice.getData();
    SmallVector<int64_t> order =
        transpose ? llvm::to_vector(*transpose.getPerm()) : llvm::to_vector(llvm::seq<int64_t>(rest.size() + 1));
    int64_t axis = order[element->axis];
    SmallVector<int64_t> shape(cast<RankedTensorType>(source.getType()).getShape());
    if (axis + 1 == std::ssize(shape))
      return failure();
    int64_t width = shape[axis + 1];
    shape[axis + 1] *= shape[axis];
    shape.erase(shape.begin() + axis);
    Type type = result.getElementType();
    Value part = onnx::makeReshape(rewriter, op.getLoc(), source, shape);
    SmallVector<Value> operands = {part};
    for (int64_t bound : {element->index * width, (element->index + 1) * width, axis})
      operands.push_back(onnx::makeIntsConstant(rewriter, op.getLoc(), bound));
    operands.push_back(onnx::makeNone(rewriter, op.getLoc()));
    shape[axis] = width;
    part = onnx::SliceOp::create(rewriter, slice.getLoc(), TypeRange(RankedTensorType::get(shape, type)), operands,
                                 ArrayRef<NamedAttribute>());
    order.erase(order.begin() + element->axis);
    for (int64_t &dim : order)
      dim -= dim > axis;
    if (!llvm::is_sorted(order)) {
      NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr(order));
      part =
          onnx::TransposeOp::create(rewriter, transpose.getLoc(), TypeRange(result), ValueRange(part), ArrayRef(perm));
    }
    rewriter.replaceOp(op, part);
    return success();
  }

private:
  struct Element {
    int64_t axis, index;
  };

  /// Returns the axis and index of the element that `slice` takes if it takes one element along one axis.
  static std::optional<Element> matchElement(onnx::SliceOp slice) {
    auto whole = dyn_cast<RankedTensorType>(slice.getData().getType()),
         part = dyn_cast<RankedTensorType>(slice.getOutput().getType());
    auto starts = onnx::getConstantInts(slice.getStarts()), axes = onnx::getConstantInts(slice.getAxes());
    if (!whole || !part || !whole.hasStaticShape() || !part.hasStaticShape() || !starts || !axes || axes->size() != 1 ||
        getRole(slice) != OpRole::Slice)
      return std::nullopt;
    int64_t axis = axes->front() < 0 ? axes->front() + whole.getRank() : axes->front();
    int64_t index = starts->front() < 0 ? starts->front() + whole.getDimSize(axis) : starts->front();
    if (part.getDimSize(axis) != 1 || index < 0 || index >= whole.getDimSize(axis))
      return std::nullopt;
    return Element{axis, index};
  }
};

struct SinkViewsPass : impl::SinkViewsPassBase<SinkViewsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkView, RaiseView>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

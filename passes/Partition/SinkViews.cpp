// --sink-views: moves reshapes behind elementwise ops and before slices and transposes, where they cost nothing and do
// not separate ops that could be fused.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// Bounds the look-around; no activation function is written in more ops.
constexpr unsigned mostSinking = 24;

struct SinkView : OpTraitRewritePattern<onnx::PointwiseOnnxOp> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (getRole(op) != OpRole::Elementwise)
      return failure();
    for (Value operand : op->getOperands()) {
      auto reshape = operand.getDefiningOp<onnx::ReshapeOp>();
      if (!reshape || getShape(operand) != getShape(op->getResult(0)) || !isComputed(reshape.getData()) ||
          !allUsersSink(reshape))
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

  /// Whether the operand needs no reshape of a value that is computed, or an op that sinks, too, computes it.
  static bool isReadBefore(Value operand, ArrayRef<Dim> before, ArrayRef<Dim> after,
                           llvm::SmallPtrSetImpl<Operation *> &sinking) {
    if (isNumber(operand) || getShape(operand) != after || !isComputed(operand) || lookBehindReshape(operand, before))
      return true;
    return sinks(operand.getDefiningOp(), before, after, sinking);
  }

  /// Whether `op` and the elementwise ops that compute its operands can be moved before reshapes to the shape `after`.
  static bool sinks(Operation *op, ArrayRef<Dim> before, ArrayRef<Dim> after,
                    llvm::SmallPtrSetImpl<Operation *> &sinking) {
    if (getRole(op) != OpRole::Elementwise || getShape(op->getResult(0)) != after)
      return false;
    if (!sinking.insert(op).second)
      return true;
    return sinking.size() <= mostSinking && llvm::all_of(op->getOperands(), [&](Value operand) {
             return isReadBefore(operand, before, after, sinking);
           });
  }

  /// Whether all that use the reshape sink before it. If some stayed they would have no task in common with the others.
  static bool allUsersSink(onnx::ReshapeOp reshape) {
    if (reshape.getReshaped().hasOneUse())
      return true;
    onnx::DimList before = getShape(reshape.getData()), after = getShape(reshape.getReshaped());
    llvm::SmallPtrSet<Operation *, 16> sinking;
    return llvm::all_of(reshape->getUsers(), [&](Operation *user) { return sinks(user, before, after, sinking); });
  }

  static LogicalResult sink(Operation *op, onnx::ReshapeOp reshape, PatternRewriter &rewriter) {
    onnx::DimList before = getShape(reshape.getData()), after = getShape(reshape.getReshaped());
    // A single number broadcasts to any rank, so without the reshape no operand would give the result its shape.
    if (isNumber(reshape.getReshaped()) || !onnx::canStateShape(after, before) || !onnx::canStateShape(before, after))
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

/// A slice along one axis.
struct SlicedAxis {
  int64_t axis, begin, extent, whole;
};

/// Returns what `slice` takes if it takes steps of 1 along one axis, and the sizes along this axis are numbers.
std::optional<SlicedAxis> getSlicedAxis(onnx::SliceOp slice) {
  auto starts = onnx::getConstantInts(slice.getStarts()), axes = onnx::getConstantInts(slice.getAxes());
  onnx::DimList whole = getShape(slice.getData()), part = getShape(slice.getOutput());
  if (getRole(slice) != OpRole::Slice || !starts || !axes || axes->size() != 1 || part.empty())
    return std::nullopt;
  int64_t axis = axes->front() < 0 ? axes->front() + std::ssize(whole) : axes->front();
  if (!whole[axis].isStatic() || !part[axis].isStatic())
    return std::nullopt;
  int64_t size = whole[axis].getSize(), begin = starts->front() < 0 ? starts->front() + size : starts->front(),
          extent = part[axis].getSize();
  if (begin < 0 || begin + extent > size)
    return std::nullopt;
  return SlicedAxis{axis, begin, extent, size};
}

/// Creates a slice of `extent` elements from `begin` on along an axis.
Value createSlice(OpBuilder &builder, Location loc, Value value, int64_t axis, int64_t begin, int64_t extent) {
  onnx::DimList shape = getShape(value);
  shape[axis] = extent;
  SmallVector<Value> operands = {value};
  for (int64_t bound : {begin, begin + extent, axis})
    operands.push_back(onnx::makeIntsConstant(builder, loc, bound));
  operands.push_back(onnx::makeNone(builder, loc));
  Type type = onnx::makeTensorType(shape, cast<RankedTensorType>(value.getType()).getElementType());
  return onnx::SliceOp::create(builder, loc, TypeRange(type), operands, ArrayRef<NamedAttribute>());
}

/// Matches a reshape that removes a dimension in which a slice of a transpose takes one element, as for queries, keys
/// and values computed by one product. The dimension is collapsed with the next one, which leaves a slice, and perhaps
/// a transpose, of a reshape: views that other ops read through.
struct RaiseView : OpRewritePattern<onnx::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto slice = op.getData().getDefiningOp<onnx::SliceOp>();
    std::optional<SlicedAxis> element = slice && slice->hasOneUse() ? getSlicedAxis(slice) : std::nullopt;
    auto transpose = slice ? slice.getData().getDefiningOp<onnx::TransposeOp>() : onnx::TransposeOp();
    if (!element || element->extent != 1 || !transpose || !transpose.getPerm())
      return failure();
    onnx::DimList rest = getShape(transpose.getTransposed());
    rest.erase(rest.begin() + element->axis);
    if (rest != getShape(op.getReshaped()))
      return failure();
    SmallVector<int64_t> order = llvm::to_vector(*transpose.getPerm());
    int64_t axis = order[element->axis];
    onnx::DimList from = getShape(transpose.getData()), shape = from;
    if (axis + 1 == std::ssize(shape) || !shape[axis + 1].isStatic())
      return failure();
    int64_t width = shape[axis + 1].getSize();
    shape[axis + 1] = width * element->whole;
    shape.erase(shape.begin() + axis);
    if (!onnx::canStateShape(from, shape))
      return failure();
    Value whole = onnx::makeDimReshape(rewriter, op.getLoc(), transpose.getData(), shape);
    Value part = createSlice(rewriter, slice.getLoc(), whole, axis, element->begin * width, width);
    order.erase(order.begin() + element->axis);
    for (int64_t &dim : order)
      dim -= dim > axis;
    if (!llvm::is_sorted(order)) {
      NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr(order));
      part = onnx::TransposeOp::create(rewriter, transpose.getLoc(), TypeRange(op.getReshaped().getType()),
                                       ValueRange(part), ArrayRef(perm));
    }
    rewriter.replaceOp(op, part);
    return success();
  }
};

/// Matches a reshape of a slice that divides the sliced dimension, as into heads, or joins it with the next ones. After
/// a reshape of the whole tensor the slice takes whole parts, and is a view that other ops read through.
struct RaiseDivision : OpRewritePattern<onnx::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto slice = op.getData().getDefiningOp<onnx::SliceOp>();
    std::optional<SlicedAxis> sliced = slice && slice->hasOneUse() ? getSlicedAxis(slice) : std::nullopt;
    if (!sliced)
      return failure();
    onnx::DimList whole = getShape(slice.getData()), shape = getShape(op.getReshaped());
    Dim before = productOf(ArrayRef(whole).take_front(sliced->axis));
    std::optional<size_t> axis = findEnd(before, shape);
    // Without elements the counts do not tell which dimension is sliced.
    if (!axis || before == Dim(0))
      return failure();
    Dim step = productOf(ArrayRef(whole).drop_front(sliced->axis + 1)),
        inner = productOf(ArrayRef(shape).drop_front(*axis + 1));
    if (!step.isStatic() || !inner.isStatic() || !shape[*axis].isStatic() || inner.getSize() == 0)
      return failure();
    auto countParts = [&](int64_t steps) { return exactDivDims(steps * step.getSize(), inner); };
    Dim begin = countParts(sliced->begin), size = countParts(sliced->whole);
    int64_t extent = shape[*axis].getSize();
    shape[*axis] = size;
    if (!begin.isStatic() || !size.isStatic() || !onnx::canStateShape(whole, shape))
      return failure();
    Value divided = onnx::makeDimReshape(rewriter, op.getLoc(), slice.getData(), shape);
    rewriter.replaceOp(op, createSlice(rewriter, slice.getLoc(), divided, *axis, begin.getSize(), extent));
    return success();
  }

private:
  /// Returns the largest number of first dimensions, less than all, that have `count` elements.
  static std::optional<size_t> findEnd(const Dim &count, ArrayRef<Dim> shape) {
    for (size_t end = shape.size(); end-- > 0;)
      if (productOf(shape.take_front(end)) == count)
        return end;
    return std::nullopt;
  }
};

struct SinkViewsPass : impl::SinkViewsPassBase<SinkViewsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkView, RaiseView, RaiseDivision>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

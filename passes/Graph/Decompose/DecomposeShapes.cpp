// Rewrites ops that only change shapes to Reshape, Slice and Transpose, so that later passes handle three ops instead
// of ten.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Decompose/DecomposePatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Traits.h"

using namespace mlir;

namespace cameo::graph {
namespace {

Value createTranspose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(type.getDimSize(dim));
  NamedAttribute attr = builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm));
  return onnx::TransposeOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()), value, attr);
}

Value createSlice(OpBuilder &builder, Location loc, Value value, int64_t axis, int64_t start, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  SmallVector<Value> operands = {
      value, onnx::makeIntsConstant(builder, loc, {start}), onnx::makeIntsConstant(builder, loc, {start + size}),
      onnx::makeIntsConstant(builder, loc, {axis}), onnx::makeIntsConstant(builder, loc, {1})};
  return onnx::SliceOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType()), operands,
                               ArrayRef<NamedAttribute>{});
}

/// Rewrites Flatten, Squeeze and Unsqueeze of static shape.
template <typename OpTy> struct RewriteAsReshape : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op->getResult(0));
    if (!type || !getStaticType(op->getOperand(0)))
      return failure();
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), op->getOperand(0), type.getShape()));
    return success();
  }
};

/// Gives Reshape a constant shape without -1 and without 0 for the operand's size.
struct ExplicitReshape : OpRewritePattern<onnx::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ReshapeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getReshaped());
    if (!type || !getStaticType(op.getData()))
      return failure();
    std::optional<SmallVector<int64_t>> shape = onnx::getConstantInts(op.getShape());
    if (shape && ArrayRef<int64_t>(*shape) == type.getShape() && op.getAllowzero())
      return failure();
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), op.getData(), type.getShape()));
    return success();
  }
};

struct SplitToSlices : OpRewritePattern<onnx::SplitOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::SplitOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getInput());
    if (!type || !llvm::all_of(op.getOutputs(), [](Value part) { return getStaticType(part) != nullptr; }))
      return failure();
    int64_t axis = op.getAxis() < 0 ? op.getAxis() + type.getRank() : op.getAxis();
    int64_t start = 0;
    SmallVector<Value> slices;
    for (Value part : op.getOutputs()) {
      int64_t size = getStaticType(part).getDimSize(axis);
      slices.push_back(createSlice(rewriter, op.getLoc(), op.getInput(), axis, start, size));
      start += size;
    }
    rewriter.replaceOp(op, slices);
    return success();
  }
};

/// Rewrites a Gather of one constant index along an axis.
struct GatherToSlice : OpRewritePattern<onnx::GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::GatherOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getData());
    RankedTensorType result = getStaticType(op->getResult(0));
    std::optional<SmallVector<int64_t>> index = onnx::getConstantInts(op.getIndices());
    if (!type || !result || !index || index->size() != 1)
      return failure();
    int64_t axis = op.getAxis() < 0 ? op.getAxis() + type.getRank() : op.getAxis();
    int64_t start = index->front() < 0 ? index->front() + type.getDimSize(axis) : index->front();
    if (start < 0 || start >= type.getDimSize(axis))
      return failure();
    Value slice = createSlice(rewriter, op.getLoc(), op.getData(), axis, start, 1);
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), slice, result.getShape()));
    return success();
  }
};

struct DepthToSpaceToTranspose : OpRewritePattern<onnx::DepthToSpaceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::DepthToSpaceOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getInput());
    RankedTensorType result = getStaticType(op.getOutput());
    if (!type || !result || type.getRank() != 4)
      return failure();
    int64_t block = op.getBlocksize(), n = type.getDimSize(0), h = type.getDimSize(2), w = type.getDimSize(3);
    int64_t c = result.getDimSize(1);
    bool blocksFirst = op.getMode() == "DCR";
    SmallVector<int64_t> split =
        blocksFirst ? SmallVector<int64_t>{n, block, block, c, h, w} : SmallVector<int64_t>{n, c, block, block, h, w};
    SmallVector<int64_t> perm =
        blocksFirst ? SmallVector<int64_t>{0, 3, 4, 1, 5, 2} : SmallVector<int64_t>{0, 1, 4, 2, 5, 3};
    Value value = onnx::makeReshape(rewriter, op.getLoc(), op.getInput(), split);
    value = createTranspose(rewriter, op.getLoc(), value, perm);
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), value, result.getShape()));
    return success();
  }
};

struct SpaceToDepthToTranspose : OpRewritePattern<onnx::SpaceToDepthOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::SpaceToDepthOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getInput());
    RankedTensorType result = getStaticType(op.getOutput());
    if (!type || !result || type.getRank() != 4)
      return failure();
    int64_t block = op.getBlocksize(), n = type.getDimSize(0), c = type.getDimSize(1);
    int64_t h = result.getDimSize(2), w = result.getDimSize(3);
    Value value = onnx::makeReshape(rewriter, op.getLoc(), op.getInput(), {n, c, h, block, w, block});
    value = createTranspose(rewriter, op.getLoc(), value, {0, 3, 5, 1, 2, 4});
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), value, result.getShape()));
    return success();
  }
};

bool isReduction(Operation *op) {
  return isa<onnx::OnnxDialect>(op->getDialect()) && op->getName().stripDialect().starts_with("Reduce");
}

/// Gives reductions explicit, ascending axes, which they keep with size 1: the form that row fusion expects.
struct ExplicitReduction : RewritePattern {
  explicit ExplicitReduction(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isReduction(op))
      return failure();
    RankedTensorType type = getStaticType(op->getOperand(0));
    RankedTensorType result = getStaticType(op->getResult(0));
    std::optional<SmallVector<int64_t>> axes = readAxes(op, type);
    if (!type || !result || !axes || axes->empty())
      return failure();
    bool keeps = op->getAttrOfType<IntegerAttr>("keepdims").getInt();
    if (keeps && onnx::getConstantInts(op->getOperand(1)) == axes)
      return failure();

    SmallVector<int64_t> shape(type.getShape());
    for (int64_t axis : *axes)
      shape[axis] = 1;
    OperationState state(op->getLoc(), op->getName());
    state.addOperands({op->getOperand(0), onnx::makeIntsConstant(rewriter, op->getLoc(), *axes)});
    state.addTypes(RankedTensorType::get(shape, result.getElementType()));
    state.addAttribute("keepdims", rewriter.getI64IntegerAttr(1));
    Value reduced = rewriter.create(state)->getResult(0);
    rewriter.replaceOp(op, keeps ? reduced : onnx::makeReshape(rewriter, op->getLoc(), reduced, result.getShape()));
    return success();
  }

private:
  static std::optional<SmallVector<int64_t>> readAxes(Operation *op, RankedTensorType type) {
    if (!type)
      return std::nullopt;
    std::optional<SmallVector<int64_t>> axes = getAxes(op->getOperand(1), type.getRank());
    bool isAbsent = isa<NoneType>(op->getOperand(1).getType());
    if ((isAbsent || (axes && axes->empty())) && !op->getAttrOfType<IntegerAttr>("noop_with_empty_axes").getInt())
      return llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    if (axes)
      llvm::sort(*axes);
    return axes;
  }
};

/// Counts axes from the front, so that equal ops look equal.
struct CountAxisFromFront : RewritePattern {
  explicit CountAxisFromFront(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    // The axis of OneHot counts in the rank of its result.
    if (!isa<onnx::OnnxDialect>(op->getDialect()) || isa<onnx::OneHotOp>(op) || op->getNumOperands() == 0)
      return failure();
    auto axis = op->getAttrOfType<IntegerAttr>("axis");
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!axis || axis.getInt() >= 0 || !type)
      return failure();
    rewriter.modifyOpInPlace(op,
                             [&] { op->setAttr("axis", rewriter.getI64IntegerAttr(axis.getInt() + type.getRank())); });
    return success();
  }
};

/// Rewrites Sum, Max and Min of n operands to a chain of binary ops; Mean also divides by n.
template <typename OpTy, typename BinaryTy> struct ChainVariadic : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    ValueRange inputs = op.getInputs();
    constexpr bool isMean = std::is_same_v<OpTy, onnx::MeanOp>;
    constexpr bool isBinary = std::is_same_v<OpTy, BinaryTy>;
    RankedTensorType result = getStaticType(op->getResult(0));
    if (!result || (isBinary && inputs.size() == 2) || (inputs.size() == 1 && inputs[0].getType() != result))
      return failure();
    Value value = inputs[0];
    for (Value next : inputs.drop_front()) {
      SmallVector<int64_t> shape;
      if (!getStaticType(value) || !getStaticType(next) ||
          !OpTrait::util::getBroadcastedShape(getStaticType(value).getShape(), getStaticType(next).getShape(), shape))
        return failure();
      auto type = RankedTensorType::get(shape, result.getElementType());
      value =
          BinaryTy::create(rewriter, op.getLoc(), TypeRange(type), ValueRange{value, next}, ArrayRef<NamedAttribute>{});
    }
    if (isMean && inputs.size() > 1) {
      Value count = createScalar(rewriter, op.getLoc(), result.getElementType(), inputs.size());
      value = onnx::DivOp::create(rewriter, op.getLoc(), result, {value, count}, ArrayRef<NamedAttribute>{});
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

} // namespace

void populateDecomposeShapePatterns(RewritePatternSet &patterns) {
  patterns.add<RewriteAsReshape<onnx::FlattenOp>, RewriteAsReshape<onnx::SqueezeOp>,
               RewriteAsReshape<onnx::UnsqueezeOp>, ExplicitReshape, SplitToSlices, GatherToSlice,
               DepthToSpaceToTranspose, SpaceToDepthToTranspose, ExplicitReduction, CountAxisFromFront,
               ChainVariadic<onnx::SumOp, onnx::AddOp>, ChainVariadic<onnx::MeanOp, onnx::AddOp>,
               ChainVariadic<onnx::MaxOp, onnx::MaxOp>, ChainVariadic<onnx::MinOp, onnx::MinOp>>(patterns.getContext());
}

} // namespace cameo::graph

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
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  onnx::DimList dims = *onnx::getDims(value), shape;
  for (int64_t dim : perm)
    shape.push_back(dims[dim]);
  NamedAttribute attr = builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm));
  return onnx::TransposeOp::create(builder, loc, onnx::makeTensorType(shape, element), value, attr);
}

Value createSlice(OpBuilder &builder, Location loc, Value value, int64_t axis, int64_t start, int64_t size) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  onnx::DimList shape = *onnx::getDims(value);
  shape[axis] = size;
  SmallVector<Value> operands = {
      value, onnx::makeIntsConstant(builder, loc, {start}), onnx::makeIntsConstant(builder, loc, {start + size}),
      onnx::makeIntsConstant(builder, loc, {axis}), onnx::makeIntsConstant(builder, loc, {1})};
  return onnx::SliceOp::create(builder, loc, onnx::makeTensorType(shape, element), operands,
                               ArrayRef<NamedAttribute>{});
}

/// Rewrites Flatten, Squeeze and Unsqueeze.
template <typename OpTy> struct RewriteAsReshape : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> from = onnx::getDims(op->getOperand(0)), to = onnx::getDims(op->getResult(0));
    if (!from || !to || !onnx::areKnown(*from) || !onnx::areKnown(*to) || !onnx::canStateShape(*from, *to))
      return failure();
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op.getLoc(), op->getOperand(0), *to));
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
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!type)
      return failure();
    int64_t axis = op.getAxis() < 0 ? op.getAxis() + type.getRank() : op.getAxis();
    if (type.isDynamicDim(axis) || !llvm::all_of(op.getOutputs(), [&](Value part) {
          auto partType = dyn_cast<RankedTensorType>(part.getType());
          return partType && !partType.isDynamicDim(axis);
        }))
      return failure();
    int64_t start = 0;
    SmallVector<Value> slices;
    OnnxBuilder b(rewriter, op.getLoc());
    for (Value part : op.getOutputs()) {
      int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(axis);
      Value slice = createSlice(rewriter, op.getLoc(), op.getInput(), axis, start, size);
      slices.push_back(b.as(slice, part.getType()));
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
    std::optional<onnx::DimList> from = onnx::getDims(op.getData()), to = onnx::getDims(op->getResult(0));
    std::optional<SmallVector<int64_t>> index = onnx::getConstantInts(op.getIndices());
    if (!from || !to || !onnx::areKnown(*from) || !onnx::areKnown(*to) || !index || index->size() != 1)
      return failure();
    int64_t axis = op.getAxis() < 0 ? op.getAxis() + std::ssize(*from) : op.getAxis();
    if (!(*from)[axis].isStatic())
      return failure();
    int64_t size = (*from)[axis].getSize(), start = index->front() < 0 ? index->front() + size : index->front();
    (*from)[axis] = 1;
    if (start < 0 || start >= size || !onnx::canStateShape(*from, *to))
      return failure();
    Value slice = createSlice(rewriter, op.getLoc(), op.getData(), axis, start, 1);
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op.getLoc(), slice, *to));
    return success();
  }
};

struct DepthToSpaceToTranspose : OpRewritePattern<onnx::DepthToSpaceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::DepthToSpaceOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> from = onnx::getDims(op.getInput()), to = onnx::getDims(op.getOutput());
    if (!from || !to || from->size() != 4 || !onnx::areKnown(*from) || !onnx::areKnown(*to))
      return failure();
    Dim block = op.getBlocksize(), n = (*from)[0], h = (*from)[2], w = (*from)[3], c = (*to)[1];
    bool blocksFirst = op.getMode() == "DCR";
    onnx::DimList split =
        blocksFirst ? onnx::DimList{n, block, block, c, h, w} : onnx::DimList{n, c, block, block, h, w};
    SmallVector<int64_t> perm =
        blocksFirst ? SmallVector<int64_t>{0, 3, 4, 1, 5, 2} : SmallVector<int64_t>{0, 1, 4, 2, 5, 3};
    if (!onnx::canStateShape(*from, split) || !onnx::canStateShape({n, c, h, block, w, block}, *to))
      return failure();
    Value value = onnx::makeDimReshape(rewriter, op.getLoc(), op.getInput(), split);
    value = createTranspose(rewriter, op.getLoc(), value, perm);
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op.getLoc(), value, *to));
    return success();
  }
};

struct SpaceToDepthToTranspose : OpRewritePattern<onnx::SpaceToDepthOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::SpaceToDepthOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> from = onnx::getDims(op.getInput()), to = onnx::getDims(op.getOutput());
    if (!from || !to || from->size() != 4 || !onnx::areKnown(*from) || !onnx::areKnown(*to))
      return failure();
    Dim block = op.getBlocksize(), n = (*from)[0], c = (*from)[1], h = (*to)[2], w = (*to)[3];
    onnx::DimList split = {n, c, h, block, w, block};
    if (!onnx::canStateShape(*from, split) || !onnx::canStateShape({n, block, block, c, h, w}, *to))
      return failure();
    Value value = onnx::makeDimReshape(rewriter, op.getLoc(), op.getInput(), split);
    value = createTranspose(rewriter, op.getLoc(), value, {0, 3, 5, 1, 2, 4});
    rewriter.replaceOp(op, onnx::makeDimReshape(rewriter, op.getLoc(), value, *to));
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
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    std::optional<onnx::DimList> shape = onnx::getDims(op->getOperand(0)), result = onnx::getDims(op->getResult(0));
    std::optional<SmallVector<int64_t>> axes = readAxes(op, type);
    if (!type || !onnx::areKnown(*shape) || !result || !onnx::areKnown(*result) || !axes || axes->empty())
      return failure();
    bool keeps = op->getAttrOfType<IntegerAttr>("keepdims").getInt();
    if (keeps && onnx::getConstantInts(op->getOperand(1)) == axes)
      return failure();

    for (int64_t axis : *axes)
      (*shape)[axis] = 1;
    if (!keeps && !onnx::canStateShape(*shape, *result))
      return failure();
    Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
    OperationState state(op->getLoc(), op->getName());
    state.addOperands({op->getOperand(0), onnx::makeIntsConstant(rewriter, op->getLoc(), *axes)});
    state.addTypes(keeps ? op->getResult(0).getType() : onnx::makeTensorType(*shape, element));
    state.addAttribute("keepdims", rewriter.getI64IntegerAttr(1));
    Value reduced = rewriter.create(state)->getResult(0);
    rewriter.replaceOp(op, keeps ? reduced : onnx::makeDimReshape(rewriter, op->getLoc(), reduced, *result));
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
    auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!result || (isBinary && inputs.size() == 2) || (inputs.size() == 1 && inputs[0].getType() != result))
      return failure();
    onnx::DimList shape = *onnx::getDims(result);
    if (!llvm::all_of(inputs, [&](Value input) {
          std::optional<onnx::DimList> dims = onnx::getDims(input);
          return dims && onnx::broadcastsTo(*dims, shape);
        }))
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    Value value = inputs[0];
    for (Value next : inputs.drop_front())
      value = b.make<BinaryTy>({value, next});
    if (isMean && inputs.size() > 1)
      value = b.make<onnx::DivOp>({value, b.numberLike(value, inputs.size())});
    value = b.as(value, result);
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

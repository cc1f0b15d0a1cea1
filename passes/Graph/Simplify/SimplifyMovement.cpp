// Removes ops that return their operand unchanged, and merges consecutive shape changes.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Simplify/SimplifyPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

bool areAll(Value value, int64_t expected) {
  std::optional<SmallVector<int64_t>> numbers = onnx::getConstantInts(value);
  return numbers && llvm::all_of(*numbers, [&](int64_t number) { return number == expected; });
}

bool areAll(std::optional<ArrayRef<int64_t>> numbers, int64_t expected) {
  return !numbers || llvm::all_of(*numbers, [&](int64_t number) { return number == expected; });
}

/// Whether the window has one element at every position.
template <typename OpTy> bool isUnitPool(OpTy op) {
  return areAll(op.getKernelShape(), 1) && areAll(op.getStrides(), 1) && areAll(op.getPads(), 0) &&
         op.getAutoPad() == "NOTSET";
}

/// Whether the op returns its first operand unchanged. The caller compares the types, and with them all sizes.
bool changesNothing(Operation *op) {
  if (isa<onnx::IdentityOp, onnx::CastOp, onnx::CastLikeOp, onnx::ReshapeOp, onnx::ExpandOp>(op))
    return true;
  if (auto dropout = dyn_cast<onnx::DropoutOp>(op)) {
    bool isInactive = isa<NoneType>(dropout.getTrainingMode().getType()) || isSplatOf(dropout.getTrainingMode(), 0);
    return isInactive && dropout.getMask().use_empty();
  }
  if (auto pad = dyn_cast<onnx::PadOp>(op))
    return areAll(pad.getPads(), 0);
  if (auto slice = dyn_cast<onnx::SliceOp>(op)) {
    // With equal sizes a step of 1 takes all elements; a step of -1 would reverse them.
    return isa<NoneType>(slice.getSteps().getType()) || areAll(slice.getSteps(), 1);
  }
  if (auto tile = dyn_cast<onnx::TileOp>(op))
    return areAll(tile.getRepeats(), 1);
  if (auto concat = dyn_cast<onnx::ConcatOp>(op))
    return concat.getInputs().size() == 1;
  if (auto pool = dyn_cast<onnx::AveragePoolOp>(op))
    return isUnitPool(pool);
  if (auto pool = dyn_cast<onnx::MaxPoolOp>(op))
    return isUnitPool(pool) && pool.getIndices().use_empty();
  if (auto resize = dyn_cast<onnx::ResizeOp>(op))
    return resize.getCoordinateTransformationMode() != "tf_crop_and_resize" &&
           (isa<NoneType>(resize.getScales().getType()) || getSplatNumber(resize.getScales()) == 1.0);
  if (isa<onnx::GlobalAveragePoolOp, onnx::GlobalMaxPoolOp>(op))
    return true;
  return false;
}

struct RemoveNoOp : RewritePattern {
  explicit RemoveNoOp(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<onnx::OnnxOp>(op) || op->getNumOperands() == 0 || op->getNumResults() == 0)
      return failure();
    Value operand = op->getOperand(0);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    // Two unknown sizes may differ, unless the op never changes sizes.
    bool sameSizes =
        type && (type.hasStaticShape() || isa<onnx::IdentityOp, onnx::CastOp, onnx::CastLikeOp, onnx::DropoutOp>(op));
    if (!sameSizes || operand.getType() != op->getResult(0).getType() || !changesNothing(op))
      return failure();
    rewriter.replaceAllUsesWith(op->getResult(0), operand);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Rewrites a reshape of a reshape to a reshape of the first operand.
struct MergeReshapes : OpRewritePattern<onnx::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getData().getDefiningOp<onnx::ReshapeOp>();
    RankedTensorType type = getStaticType(op.getReshaped());
    if (!inner || !type || !getStaticType(inner.getData()))
      return failure();
    rewriter.replaceOp(op, onnx::makeReshape(rewriter, op.getLoc(), inner.getData(), type.getShape()));
    return success();
  }
};

/// Drops Expand before elementwise ops, which broadcast themselves.
struct DropExpand : OpTraitRewritePattern<onnx::PointwiseOnnxOp> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> result = op->getNumOperands() > 1 ? onnx::getDims(op->getResult(0)) : std::nullopt;
    if (!result || isa<onnx::ClipOp, onnx::CastLikeOp>(op))
      return failure();
    for (OpOperand &operand : op->getOpOperands()) {
      auto expand = operand.get().getDefiningOp<onnx::ExpandOp>();
      bool anotherGivesShape = llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
        return &other != &operand && onnx::getDims(other.get()) == result;
      });
      std::optional<onnx::DimList> given = expand ? onnx::getDims(expand.getInput()) : std::nullopt;
      if (!given || !anotherGivesShape || !onnx::broadcastsTo(*given, *result))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(expand.getInput()); });
      return success();
    }
    return failure();
  }
};

/// Rewrites an AveragePool over the whole plane.
struct PoolToGlobal : OpRewritePattern<onnx::AveragePoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::AveragePoolOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getX());
    if (!type || op.getAutoPad() != "NOTSET" || !areAll(op.getPads(), 0) || !areAll(op.getDilations(), 1))
      return failure();
    ArrayRef<int64_t> plane = type.getShape().drop_front(op.getChannelsLast() ? 1 : 2);
    if (op.getChannelsLast())
      plane = plane.drop_back();
    if (plane != op.getKernelShape())
      return failure();
    SmallVector<NamedAttribute> attrs;
    if (op.getChannelsLast())
      attrs.push_back(rewriter.getNamedAttr("channels_last", rewriter.getUnitAttr()));
    rewriter.replaceOpWithNewOp<onnx::GlobalAveragePoolOp>(op, TypeRange(op.getY().getType()), ValueRange(op.getX()),
                                                           attrs);
    return success();
  }
};

/// Merges nested Concats along the same axis.
struct FlattenConcat : OpRewritePattern<onnx::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConcatOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs, waiting(llvm::reverse(op.getInputs()));
    SmallVector<Operation *> flattened;
    while (!waiting.empty()) {
      Value input = waiting.pop_back_val();
      auto inner = input.getDefiningOp<onnx::ConcatOp>();
      if (inner && input.hasOneUse() && inner.getAxis() == op.getAxis()) {
        llvm::append_range(waiting, llvm::reverse(inner.getInputs()));
        flattened.push_back(inner);
      } else {
        inputs.push_back(input);
      }
    }
    if (flattened.empty())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getInputsMutable().assign(inputs); });
    // Each is used only by the one before it.
    for (Operation *inner : flattened)
      rewriter.eraseOp(inner);
    return success();
  }
};

/// Rewrites the Shape of a slice that ends at a symbolic size to that size. Otherwise the slice would be stored for the
/// Shape, while its other users read through it.
struct SizeOfSlice : OpRewritePattern<onnx::ShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ShapeOp op, PatternRewriter &rewriter) const override {
    auto slice = op.getData().getDefiningOp<onnx::SliceOp>();
    std::optional<SmallVector<int64_t>> axes = slice ? onnx::getConstantInts(slice.getAxes()) : std::nullopt;
    if (!axes || axes->size() != 1 || op.getStart() != axes->front() || op.getEnd() != axes->front() + 1)
      return failure();
    std::optional<onnx::DimList> dims = onnx::getDims(slice.getOutput()), ends = onnx::getKnownDims(slice.getEnds());
    if (!dims || !ends || ends->size() != 1 || ends->front() != (*dims)[axes->front()] ||
        slice.getEnds().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, slice.getEnds());
    return success();
  }
};

} // namespace

void populateSimplifyMovementPatterns(RewritePatternSet &patterns) {
  patterns.add<RemoveNoOp, MergeReshapes, DropExpand, PoolToGlobal, FlattenConcat, SizeOfSlice>(patterns.getContext());
}

} // namespace cameo::graph

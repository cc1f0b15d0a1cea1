// Gives Slice and Pad one form: bounds counted from the front and clamped, only the axes that are cut, pads for every
// dimension.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Decompose/DecomposePatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

using Ints = SmallVector<int64_t>;

struct SliceBounds {
  Ints starts, ends, axes, steps;
};

/// Returns nothing if a bound is not a constant or a step is negative, because an end before the first element cannot
/// be expressed otherwise.
std::optional<SliceBounds> readBounds(onnx::SliceOp op, RankedTensorType type) {
  std::optional<Ints> starts = onnx::getConstantInts(op.getStarts());
  std::optional<Ints> ends = onnx::getConstantInts(op.getEnds());
  if (!starts || !ends)
    return std::nullopt;
  std::optional<Ints> axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  std::optional<Ints> steps = Ints(starts->size(), 1);
  if (!isa<NoneType>(op.getAxes().getType()))
    axes = getAxes(op.getAxes(), type.getRank());
  if (!isa<NoneType>(op.getSteps().getType()))
    steps = onnx::getConstantInts(op.getSteps());
  if (!axes || !steps || llvm::any_of(*steps, [](int64_t step) { return step < 1; }))
    return std::nullopt;

  SliceBounds bounds;
  Ints order = llvm::to_vector(llvm::seq<int64_t>(0, axes->size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return (*axes)[a] < (*axes)[b]; });
  for (int64_t i : order) {
    int64_t size = type.getDimSize((*axes)[i]);
    auto clamp = [&](int64_t bound) { return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size); };
    int64_t start = clamp((*starts)[i]), end = std::max(start, clamp((*ends)[i]));
    if (start == 0 && end == size && (*steps)[i] == 1)
      continue;
    bounds.starts.push_back(start);
    bounds.ends.push_back(end);
    bounds.axes.push_back((*axes)[i]);
    bounds.steps.push_back((*steps)[i]);
  }
  return bounds;
}

struct ExplicitSlice : OpRewritePattern<onnx::SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::SliceOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getData());
    std::optional<SliceBounds> bounds = type ? readBounds(op, type) : std::nullopt;
    if (!bounds)
      return failure();
    if (bounds->axes.empty()) {
      if (op.getData().getType() != op.getOutput().getType())
        return failure();
      rewriter.replaceOp(op, op.getData());
      return success();
    }
    auto holds = [](Value value, const Ints &wanted) {
      return onnx::getConstantInts(value) == std::optional<Ints>(wanted);
    };
    if (holds(op.getStarts(), bounds->starts) && holds(op.getEnds(), bounds->ends) &&
        holds(op.getAxes(), bounds->axes) && holds(op.getSteps(), bounds->steps))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> operands = {op.getData(), onnx::makeIntsConstant(rewriter, loc, bounds->starts),
                                   onnx::makeIntsConstant(rewriter, loc, bounds->ends),
                                   onnx::makeIntsConstant(rewriter, loc, bounds->axes),
                                   onnx::makeIntsConstant(rewriter, loc, bounds->steps)};
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
    return success();
  }
};

struct ExplicitPad : OpRewritePattern<onnx::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::PadOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getData().getType());
    std::optional<Ints> pads = onnx::getConstantInts(op.getPads());
    if (!type || !pads)
      return failure();
    bool hasAxes = !isa<NoneType>(op.getAxes().getType());
    bool statesZero = !isa<NoneType>(op.getConstantValue().getType()) && getSplatNumber(op.getConstantValue()) == 0.0;
    if (!hasAxes && !statesZero)
      return failure();
    Ints full(2 * type.getRank(), 0);
    Ints axes = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    if (hasAxes) {
      std::optional<Ints> given = getAxes(op.getAxes(), type.getRank());
      if (!given || pads->size() != 2 * given->size())
        return failure();
      axes = *given;
    }
    for (auto [index, axis] : llvm::enumerate(axes)) {
      full[axis] = (*pads)[index];
      full[type.getRank() + axis] = (*pads)[axes.size() + index];
    }
    Value none = onnx::makeNone(rewriter, op.getLoc());
    Value wholePads = onnx::makeIntsConstant(rewriter, op.getLoc(), full);
    rewriter.modifyOpInPlace(op, [&] {
      op.getPadsMutable().assign(wholePads);
      op.getAxesMutable().assign(none);
      if (statesZero)
        op.getConstantValueMutable().assign(none);
    });
    return success();
  }
};

} // namespace

void populateDecomposeBoundsPatterns(RewritePatternSet &patterns) {
  patterns.add<ExplicitSlice, ExplicitPad>(patterns.getContext());
}

} // namespace cameo::graph

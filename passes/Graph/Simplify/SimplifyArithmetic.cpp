// Removes elementwise ops without effect and repetitions. Every rewrite preserves the bits of the result.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Simplify/SimplifyPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "mlir/Dialect/Traits.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace cameo::graph {
namespace {

/// Returns the operand that the binary op returns unchanged because the other one is a neutral constant; null
/// otherwise.
Value getNeutralPartner(Operation *op) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  bool isFloat = isa<FloatType>(cast<ShapedType>(left.getType()).getElementType());
  auto isExactly = [](Value value, double number) {
    std::optional<double> splat = getSplatNumber(value);
    return splat && *splat == number && std::signbit(*splat) == std::signbit(number);
  };
  // -0.0 + 0.0 is 0.0, so only the negative zero leaves every float unchanged.
  double additive = isFloat ? -0.0 : 0.0;
  if (isa<onnx::MulOp>(op) && isExactly(left, 1.0))
    return right;
  if (isa<onnx::AddOp>(op) && isExactly(left, additive))
    return right;
  if (isa<onnx::MulOp, onnx::DivOp, onnx::PowOp>(op) && isExactly(right, 1.0))
    return left;
  if ((isa<onnx::AddOp>(op) && isExactly(right, additive)) || (isa<onnx::SubOp>(op) && isExactly(right, 0.0)))
    return left;
  return {};
}

template <typename OpTy> struct RemoveNeutral : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Value partner = getNeutralPartner(op);
    if (!partner || partner.getType() != op->getResult(0).getType())
      return failure();
    rewriter.replaceOp(op, partner);
    return success();
  }
};

/// Replaces division by a power of two by the cheaper multiplication by its reciprocal.
struct DivideByPowerOfTwo : OpRewritePattern<onnx::DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::DivOp op, PatternRewriter &rewriter) const override {
    Type element = cast<ShapedType>(op.getC().getType()).getElementType();
    std::optional<double> divisor = getSplatNumber(op.getB());
    int exponent = 0;
    if (!divisor || !element.isF32() || std::abs(std::frexp(*divisor, &exponent)) != 0.5 || std::abs(exponent) > 100)
      return failure();
    auto type = cast<RankedTensorType>(op.getB().getType());
    Value factor = onnx::ConstantOp::create(
        rewriter, op.getLoc(), type, DenseElementsAttr::get(type, rewriter.getFloatAttr(element, 1.0 / *divisor)));
    rewriter.replaceOpWithNewOp<onnx::MulOp>(op, TypeRange(op.getC().getType()), ValueRange{op.getA(), factor},
                                             ArrayRef<NamedAttribute>{});
    return success();
  }
};

/// Expands small integer powers to products, which agree with pow(); the square is correctly rounded. Square roots are
/// not used, because they differ for minus zero and minus infinity.
struct ExpandPower : OpRewritePattern<onnx::PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::PowOp op, PatternRewriter &rewriter) const override {
    Value x = op.getA();
    Type type = op.getC().getType();
    std::optional<double> exponent = getSplatNumber(op.getB());
    if (!exponent || x.getType() != type || !isa<FloatType>(cast<ShapedType>(type).getElementType()))
      return failure();
    auto create = [&]<typename OpTy>(ValueRange operands) -> Value {
      return OpTy::create(rewriter, op.getLoc(), TypeRange(type), operands, ArrayRef<NamedAttribute>{});
    };
    Value result;
    if (*exponent == 2.0)
      result = create.template operator()<onnx::MulOp>({x, x});
    else if (*exponent == 3.0)
      result = create.template operator()<onnx::MulOp>({create.template operator()<onnx::MulOp>({x, x}), x});
    else if (*exponent == -1.0)
      result = create.template operator()<onnx::ReciprocalOp>(x);
    else
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Replaces splat constants by scalars, so that equal tasks look equal.
struct ShrinkSplat : OpTraitRewritePattern<onnx::PointwiseOnnxOp> {
  using OpTraitRewritePattern::OpTraitRewritePattern;
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumOperands() < 2 || isa<onnx::ClipOp>(op))
      return failure();
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      DenseElementsAttr elements;
      if (!type || type.getRank() == 0 || !matchPattern(operand.get(), m_Constant(&elements)) || !elements.isSplat() ||
          !type.getElementType().isIntOrFloat() || !othersGiveShape(op, operand) ||
          (isa<onnx::PReluOp>(op) && operand.getOperandNumber() == 0))
        continue;
      auto scalar = RankedTensorType::get({}, type.getElementType());
      Value number = onnx::ConstantOp::create(rewriter, op->getLoc(), scalar, elements.resizeSplat(scalar));
      rewriter.modifyOpInPlace(op, [&] { operand.set(number); });
      return success();
    }
    return failure();
  }

private:
  static bool othersGiveShape(Operation *op, OpOperand &without) {
    auto result = cast<ShapedType>(op->getResult(0).getType());
    SmallVector<int64_t> shape;
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (&operand == &without || !type)
        continue;
      if (!type.hasStaticShape())
        return type == result;
      SmallVector<int64_t> before = shape;
      if (!OpTrait::util::getBroadcastedShape(before, type.getShape(), shape))
        return false;
    }
    return result.hasRank() && result.getShape() == ArrayRef<int64_t>(shape);
  }
};

/// The interval to which an activation clamps.
struct Interval {
  double low, high;
};

std::optional<Interval> getClamp(Operation *op) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa_and_nonnull<onnx::ReluOp>(op))
    return Interval{0.0, infinity};
  auto clip = dyn_cast_or_null<onnx::ClipOp>(op);
  if (!clip)
    return std::nullopt;
  auto read = [](Value bound, double absent) -> std::optional<double> {
    return isa<NoneType>(bound.getType()) ? absent : getSplatNumber(bound);
  };
  std::optional<double> low = read(clip.getMin(), -infinity), high = read(clip.getMax(), infinity);
  return low && high && *low <= *high ? std::optional(Interval{*low, *high}) : std::nullopt;
}

/// Merges Relu and Clip in a row to the intersection of both intervals.
template <typename OpTy> struct MergeClamps : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Operation *inner = op->getOperand(0).getDefiningOp();
    std::optional<Interval> second = getClamp(op), first = getClamp(inner);
    Type type = op->getResult(0).getType();
    Type element = cast<ShapedType>(type).getElementType();
    if (!first || !second || !element.isF32())
      return failure();
    // The interval of the first op is within that of the second.
    if (second->low <= first->low && second->high >= first->high) {
      rewriter.replaceOp(op, inner->getResult(0));
      return success();
    }
    double low = std::max(first->low, second->low), high = std::min(first->high, second->high);
    if (low > high)
      return failure();
    auto bound = [&](double number) {
      return std::isinf(number) ? onnx::makeNone(rewriter, op.getLoc())
                                : createScalar(rewriter, op.getLoc(), element, number);
    };
    rewriter.replaceOpWithNewOp<onnx::ClipOp>(
        op, TypeRange(type), ValueRange{inner->getOperand(0), bound(low), bound(high)}, ArrayRef<NamedAttribute>{});
    return success();
  }
};

/// Rewrites Clip to [0, inf) to Relu; for unsigned numbers it has no effect.
struct ClipToRelu : OpRewritePattern<onnx::ClipOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ClipOp op, PatternRewriter &rewriter) const override {
    std::optional<Interval> interval = getClamp(op);
    if (!interval || interval->low != 0.0 || !std::isinf(interval->high))
      return failure();
    if (getElementTypeOrSelf(op.getInput()).isUnsignedInteger())
      rewriter.replaceOp(op, op.getInput());
    else
      rewriter.replaceOpWithNewOp<onnx::ReluOp>(op, op.getOutput().getType(), op.getInput());
    return success();
  }
};

/// Rewrites Min(Max(x, a), b) with numbers a <= b, which some exporters write for Clip.
struct MinMaxToClip : OpRewritePattern<onnx::MinOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MinOp op, PatternRewriter &rewriter) const override {
    auto split = [](ValueRange operands) -> std::optional<std::pair<Value, double>> {
      if (operands.size() != 2)
        return std::nullopt;
      for (auto [value, bound] : {std::pair(operands[0], operands[1]), std::pair(operands[1], operands[0])})
        if (std::optional<double> number = getSplatNumber(bound))
          return std::pair(value, *number);
      return std::nullopt;
    };
    auto high = split(op.getInputs());
    auto max = high ? high->first.getDefiningOp<onnx::MaxOp>() : onnx::MaxOp();
    auto low = max ? split(max.getInputs()) : std::nullopt;
    Type type = op.getResult().getType();
    if (!low || low->second > high->second || low->first.getType() != type)
      return failure();
    Type element = cast<ShapedType>(type).getElementType();
    if (!element.isF32())
      return failure();
    rewriter.replaceOpWithNewOp<onnx::ClipOp>(op, TypeRange(type),
                                              ValueRange{low->first,
                                                         createScalar(rewriter, op.getLoc(), element, low->second),
                                                         createScalar(rewriter, op.getLoc(), element, high->second)},
                                              ArrayRef<NamedAttribute>{});
    return success();
  }
};

/// Removes the second of Relu(Relu), Abs(Abs), Ceil(Ceil), ... Neg(Neg) is the value itself.
struct CollapseRepeated : RewritePattern {
  explicit CollapseRepeated(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<onnx::ReluOp, onnx::AbsOp, onnx::CeilOp, onnx::FloorOp, onnx::RoundOp, onnx::SignOp, onnx::NegOp,
             onnx::NotOp>(op))
      return failure();
    Operation *inner = op->getOperand(0).getDefiningOp();
    if (!inner || inner->getName() != op->getName())
      return failure();
    rewriter.replaceOp(op, isa<onnx::NegOp, onnx::NotOp>(op) ? inner->getOperand(0) : inner->getResult(0));
    return success();
  }
};

/// Whether all elements are zero, the default of an absent state.
bool isZero(Value value) {
  if (auto filled = value.getDefiningOp<onnx::ConstantOfShapeOp>()) {
    auto number = dyn_cast_if_present<DenseFPElementsAttr>(filled.getValueAttr());
    return !filled.getValueAttr() || (number && number.isSplat() && number.getSplatValue<APFloat>().isZero());
  }
  return getSplatNumber(value) == 0.0;
}

/// Drops initial states of zeros, which exporters write. Without them the first step has no product.
template <typename OpTy> struct DropZeroState : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> states = {&op.getInitialHMutable()};
    if constexpr (std::is_same_v<OpTy, onnx::LSTMOp>)
      states.push_back(&op.getInitialCMutable());
    llvm::erase_if(states,
                   [](OpOperand *state) { return isa<NoneType>(state->get().getType()) || !isZero(state->get()); });
    if (states.empty())
      return failure();
    Value none = onnx::NoneOp::create(rewriter, op.getLoc(), rewriter.getNoneType());
    rewriter.modifyOpInPlace(op, [&] {
      for (OpOperand *state : states)
        state->set(none);
    });
    return success();
  }
};

} // namespace

void populateSimplifyArithmeticPatterns(RewritePatternSet &patterns) {
  patterns.add<RemoveNeutral<onnx::AddOp>, RemoveNeutral<onnx::SubOp>, RemoveNeutral<onnx::MulOp>,
               RemoveNeutral<onnx::DivOp>, RemoveNeutral<onnx::PowOp>, DivideByPowerOfTwo, ExpandPower, ShrinkSplat,
               MergeClamps<onnx::ReluOp>, MergeClamps<onnx::ClipOp>, ClipToRelu, MinMaxToClip, CollapseRepeated,
               DropZeroState<onnx::RNNOp>, DropZeroState<onnx::GRUOp>, DropZeroState<onnx::LSTMOp>>(
      patterns.getContext());
}

} // namespace cameo::graph

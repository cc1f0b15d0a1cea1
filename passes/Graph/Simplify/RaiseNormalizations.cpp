// Raises decomposed LayerNormalization and RMSNormalization. Matches the division by the standard deviation first, and
// then folds in scale and shift one by one, so that all variants share the patterns.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Simplify/RaisePatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Returns the number of innermost axes over which `mean` is a mean that keeps dimensions; 0 for other values.
int64_t getMeanRank(Value mean) {
  auto reduce = mean.getDefiningOp<onnx::ReduceMeanOp>();
  auto type = reduce ? dyn_cast<RankedTensorType>(reduce.getData().getType()) : RankedTensorType();
  std::optional<SmallVector<int64_t>> axes = type ? getAxes(reduce.getAxes(), type.getRank()) : std::nullopt;
  if (!axes || axes->empty() || !reduce.getKeepdims())
    return 0;
  llvm::sort(*axes);
  for (auto [index, axis] : llvm::enumerate(*axes))
    if (axis != type.getRank() - static_cast<int64_t>(axes->size() - index))
      return 0;
  return axes->size();
}

bool isSquareOf(Value square, Value x) {
  if (auto mul = square.getDefiningOp<onnx::MulOp>())
    return mul.getA() == x && mul.getB() == x;
  auto pow = square.getDefiningOp<onnx::PowOp>();
  return pow && pow.getA() == x && isSplatOf(pow.getB(), 2.0);
}

/// value = numerator / sqrt(mean(square) + epsilon)
struct Deviation {
  Value numerator, square;
  double epsilon;
  int64_t rank;
};

/// Returns x if `value` is x to the power of `exponent`, otherwise null.
Value getBase(Value value, double exponent) {
  auto pow = value.getDefiningOp<onnx::PowOp>();
  return pow && isSplatOf(pow.getB(), exponent) ? pow.getA() : Value();
}

/// Returns x if `root` is the square root of x, otherwise null.
Value getRadicand(Value root) {
  auto sqrt = root.getDefiningOp<onnx::SqrtOp>();
  return sqrt ? sqrt.getX() : getBase(root, 0.5);
}

std::optional<Deviation> matchRadicand(Value radicand, Value numerator) {
  auto add = radicand ? radicand.getDefiningOp<onnx::AddOp>() : onnx::AddOp();
  if (!add)
    return std::nullopt;
  for (auto [mean, epsilon] : {std::pair(add.getA(), add.getB()), std::pair(add.getB(), add.getA())}) {
    std::optional<double> number = getSplatNumber(epsilon);
    int64_t rank = getMeanRank(mean);
    if (number && rank > 0)
      return Deviation{numerator, mean.getDefiningOp<onnx::ReduceMeanOp>().getData(), *number, rank};
  }
  return std::nullopt;
}

std::optional<Deviation> matchDeviation(Operation *op) {
  if (auto div = dyn_cast<onnx::DivOp>(op)) {
    if (auto deviation = matchRadicand(getRadicand(div.getB()), div.getA()))
      return deviation;
    return std::nullopt;
  }
  for (auto [numerator, inverse] :
       {std::pair(op->getOperand(0), op->getOperand(1)), std::pair(op->getOperand(1), op->getOperand(0))}) {
    Value radicand = getBase(inverse, -0.5);
    if (auto reciprocal = inverse.getDefiningOp<onnx::ReciprocalOp>())
      radicand = getRadicand(reciprocal.getX());
    else if (auto div = inverse.getDefiningOp<onnx::DivOp>(); div && isSplatOf(div.getA(), 1.0))
      radicand = getRadicand(div.getB());
    if (auto deviation = matchRadicand(radicand, numerator))
      return deviation;
  }
  return std::nullopt;
}

Value createOnes(OpBuilder &builder, Location loc, RankedTensorType like, int64_t rank) {
  auto type = RankedTensorType::get(like.getShape().take_back(rank), like.getElementType());
  auto ones = DenseElementsAttr::get(type, builder.getFloatAttr(like.getElementType(), 1.0));
  return onnx::ConstantOp::create(builder, loc, type, ones);
}

bool isOnes(Value scale) { return getSplatNumber(scale) == 1.0; }

struct RaiseNormalization : RewritePattern {
  RaiseNormalization(StringRef root, MLIRContext *context) : RewritePattern(root, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    std::optional<Deviation> deviation = matchDeviation(op);
    if (!type || !isa<FloatType>(type.getElementType()) || !deviation || deviation->numerator.getType() != type ||
        ShapedType::isDynamicShape(type.getShape().take_back(deviation->rank)))
      return failure();
    Location loc = op->getLoc();
    NamedAttribute attrs[] = {
        rewriter.getNamedAttr("axis", rewriter.getI64IntegerAttr(type.getRank() - deviation->rank)),
        rewriter.getNamedAttr("epsilon", rewriter.getF32FloatAttr(deviation->epsilon))};
    if (Value x = matchCentred(*deviation); x && x.getType() == type) {
      Type none = rewriter.getNoneType();
      Value operands[] = {x, createOnes(rewriter, loc, type, deviation->rank), onnx::makeNone(rewriter, loc)};
      auto norm = onnx::LayerNormalizationOp::create(rewriter, loc, TypeRange{type, none, none}, operands, attrs);
      rewriter.replaceOp(op, norm.getY());
      return success();
    }
    if (!isSquareOf(deviation->square, deviation->numerator))
      return failure();
    Value operands[] = {deviation->numerator, createOnes(rewriter, loc, type, deviation->rank)};
    rewriter.replaceOpWithNewOp<onnx::RMSNormalizationOp>(op, TypeRange(type), operands, attrs);
    return success();
  }

private:
  /// Returns x if the numerator is x - mean(x) and the square is its square. Some exporters compute the difference
  /// twice.
  static Value matchCentred(const Deviation &deviation) {
    auto difference = deviation.numerator.getDefiningOp<onnx::SubOp>();
    if (!difference || getMeanRank(difference.getB()) != deviation.rank)
      return {};
    Value x = difference.getA();
    if (difference.getB().getDefiningOp<onnx::ReduceMeanOp>().getData() != x)
      return {};
    return isSquareOf(deviation.square, deviation.numerator) ? x : Value();
  }
};

/// Returns a tensor of the shape of the normalized axes, perhaps with leading ones, reshaped to that shape; null for
/// others.
Value getRowParameter(Value value, Operation *norm, int64_t axis, PatternRewriter &rewriter) {
  RankedTensorType type = getStaticType(value);
  auto whole = cast<RankedTensorType>(norm->getOperand(0).getType());
  if (!type || type.getElementType() != whole.getElementType())
    return {};
  ArrayRef<int64_t> row = whole.getShape().drop_front(axis < 0 ? axis + whole.getRank() : axis);
  if (type.getRank() < static_cast<int64_t>(row.size()) || type.getShape().take_back(row.size()) != row ||
      !llvm::all_of(type.getShape().drop_back(row.size()), [](int64_t size) { return size == 1; }))
    return {};
  return type.getShape() == row ? value : onnx::makeReshape(rewriter, norm->getLoc(), value, row);
}

/// Folds norm(x) * scale.
template <typename NormTy> struct TakeScale : OpRewritePattern<onnx::MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MulOp op, PatternRewriter &rewriter) const override {
    for (auto [result, scale] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      auto norm = result.getDefiningOp<NormTy>();
      if (!norm || !result.hasOneUse() || result != norm->getResult(0) || !isOnes(norm->getOperand(1)) ||
          hasShift(norm) || op.getC().getType() != result.getType())
        continue;
      Value row = getRowParameter(scale, norm, norm.getAxis(), rewriter);
      if (!row)
        continue;
      // The scale may be defined after the normalization.
      Operation *moved = rewriter.clone(*norm);
      moved->setOperand(1, row);
      rewriter.replaceOp(op, moved->getResult(0));
      return success();
    }
    return failure();
  }

private:
  static bool hasShift(onnx::LayerNormalizationOp norm) { return !isa<NoneType>(norm.getB().getType()); }
  static bool hasShift(onnx::RMSNormalizationOp) { return false; }
};

/// Folds norm(x) + shift.
struct TakeShift : OpRewritePattern<onnx::AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::AddOp op, PatternRewriter &rewriter) const override {
    for (auto [result, shift] : {std::pair(op.getA(), op.getB()), std::pair(op.getB(), op.getA())}) {
      auto norm = result.getDefiningOp<onnx::LayerNormalizationOp>();
      if (!norm || !result.hasOneUse() || result != norm.getY() || !isa<NoneType>(norm.getB().getType()) ||
          op.getC().getType() != result.getType())
        continue;
      // A residual of the size of one row looks like a shift, and computes the same.
      Value row = getRowParameter(shift, norm, norm.getAxis(), rewriter);
      if (!row)
        continue;
      Operation *moved = rewriter.clone(*norm);
      moved->setOperand(2, row);
      rewriter.replaceOp(op, moved->getResult(0));
      return success();
    }
    return failure();
  }
};

} // namespace

void populateRaiseNormalizationPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<RaiseNormalization>("onnx.Div", context);
  patterns.add<RaiseNormalization>("onnx.Mul", context);
  patterns.add<TakeScale<onnx::LayerNormalizationOp>, TakeScale<onnx::RMSNormalizationOp>, TakeShift>(context);
}

} // namespace cameo::graph

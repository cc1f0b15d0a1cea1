// Raises decomposed activations. All are products of x and a function of x, so one pattern at Mul and Div collects the
// factors, in any order, and tries each activation.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Simplify/RaisePatterns.h"

#include "dialects/Onnx/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;

namespace cameo::graph {

static void collectFactors(Value value, bool isRoot, Product &product) {
  Operation *op = value.getDefiningOp();
  if (isRoot || value.hasOneUse()) {
    if (auto mul = dyn_cast_or_null<onnx::MulOp>(op)) {
      collectFactors(mul.getA(), false, product);
      collectFactors(mul.getB(), false, product);
      return;
    }
    std::optional<double> divisor;
    if (auto div = dyn_cast_or_null<onnx::DivOp>(op))
      divisor = getSplatNumber(div.getB());
    if (divisor && *divisor != 0.0) {
      product.number /= *divisor;
      collectFactors(op->getOperand(0), false, product);
      return;
    }
  }
  if (std::optional<double> number = getSplatNumber(value))
    product.number *= *number;
  else
    product.factors.push_back(value);
}

Product getProduct(Value value) {
  Product product;
  collectFactors(value, true, product);
  return product;
}

namespace {

/// Whether `number`, a constant of this type or a product of some, stands for `expected`. Halves are far apart: a
/// constant is the half that is nearest. Constants of float64 with the digits of a float32 are other functions.
bool isClose(double number, double expected, Type type) {
  Type element = getElementTypeOrSelf(type);
  double tolerance = element.isF16() ? 0x1p-11 : element.isBF16() ? 0x1p-8 : element.isF64() ? 1e-10 : 2e-6;
  return std::abs(number - expected) <= tolerance * std::abs(expected);
}

/// Returns the other operand of an Add of `number`; null for other values.
Value getSummand(Value value, double number) {
  auto add = value.getDefiningOp<onnx::AddOp>();
  if (!add)
    return {};
  if (isSplatOf(add.getB(), number))
    return add.getA();
  return isSplatOf(add.getA(), number) ? add.getB() : Value();
}

/// Whether the value is number * x.
bool isScaled(Value value, Value x, double number) {
  Product product = getProduct(value);
  return product.factors.size() == 1 && product.factors[0] == x && isClose(product.number, number, x.getType());
}

bool isCube(const Product &product, Value x) {
  if (product.factors.size() == 3)
    return llvm::all_of(product.factors, [&](Value factor) { return factor == x; });
  auto pow = product.factors.size() == 1 ? product.factors[0].getDefiningOp<onnx::PowOp>() : onnx::PowOp();
  if (pow)
    return pow.getA() == x && isSplatOf(pow.getB(), 3.0);
  // Matches x * (x * x) whose square has other users.
  if (product.factors.size() != 2 || !llvm::is_contained(product.factors, x))
    return false;
  Product square = getProduct(product.factors[product.factors[0] == x ? 1 : 0]);
  return square.number == 1.0 && square.factors.size() == 2 && square.factors[0] == x && square.factors[1] == x;
}

/// Whether the value is sqrt(2 / pi) * (x + 0.044715 * x^3), the argument of tanh in the approximation of Gelu.
bool isTanhGeluArgument(Value value, Value x) {
  constexpr double outer = 0.7978845608028654, inner = 0.044715;
  Product product = getProduct(value);
  if (!isClose(product.number, outer, x.getType()))
    return false;
  if (product.factors.size() == 1) {
    auto add = product.factors[0].getDefiningOp<onnx::AddOp>();
    if (!add || (add.getA() != x && add.getB() != x))
      return false;
    Product cubic = getProduct(add.getA() == x ? add.getB() : add.getA());
    return isClose(cubic.number, inner, x.getType()) && isCube(cubic, x);
  }
  // x * (1 + 0.044715 * x * x)
  if (product.factors.size() != 2 || !llvm::is_contained(product.factors, x))
    return false;
  Value sum = getSummand(product.factors[product.factors[0] == x ? 1 : 0], 1.0);
  Product square = sum ? getProduct(sum) : Product();
  return isClose(square.number, inner, x.getType()) && square.factors.size() == 2 && square.factors[0] == x &&
         square.factors[1] == x;
}

/// Returns the form of Gelu with the gate 1 + erf(x / sqrt(2)), or with tanh; empty for other values.
StringRef getGeluForm(Value gate, Value x) {
  Value inner = getSummand(gate, 1.0);
  if (!inner)
    return "";
  if (auto erf = inner.getDefiningOp<onnx::ErfOp>())
    return isScaled(erf.getX(), x, M_SQRT1_2) ? "none" : "";
  if (auto tanh = inner.getDefiningOp<onnx::TanhOp>())
    return isTanhGeluArgument(tanh.getX(), x) ? "tanh" : "";
  return "";
}

/// Whether the gate is clip(x + 3, 0, 6).
bool isHardGate(Value gate, Value x) {
  auto clip = gate.getDefiningOp<onnx::ClipOp>();
  return clip && isSplatOf(clip.getMin(), 0.0) && isSplatOf(clip.getMax(), 6.0) &&
         getSummand(clip.getInput(), 3.0) == x;
}

struct RaiseGatedActivation : RewritePattern {
  RaiseGatedActivation(StringRef root, MLIRContext *context) : RewritePattern(root, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Type type = op->getResult(0).getType();
    Product product = getProduct(op->getResult(0));
    if (product.factors.size() != 2)
      return failure();
    for (auto [x, gate] :
         {std::pair(product.factors[0], product.factors[1]), std::pair(product.factors[1], product.factors[0])}) {
      if (x.getType() != type)
        continue;
      if (Operation *activation = raise(op->getLoc(), product.number, x, gate, rewriter)) {
        rewriter.replaceOp(op, activation);
        return success();
      }
    }
    return failure();
  }

private:
  /// Creates the activation number * x * gate; returns null if there is none.
  static Operation *raise(Location loc, double number, Value x, Value gate, PatternRewriter &rewriter) {
    Type type = x.getType();
    TypeRange types = type;
    StringRef gelu = isClose(number, 0.5, type) ? getGeluForm(gate, x) : "";
    if (!gelu.empty())
      return onnx::GeluOp::create(rewriter, loc, types, x,
                                  rewriter.getNamedAttr("approximate", rewriter.getStringAttr(gelu)));
    if (isClose(number, 1.0 / 6.0, type) && isHardGate(gate, x))
      return onnx::HardSwishOp::create(rewriter, loc, types, x, ArrayRef<NamedAttribute>{});
    if (number != 1.0)
      return nullptr;
    if (auto sigmoid = gate.getDefiningOp<onnx::SigmoidOp>()) {
      // Matches a factor inside, as in x * sigmoid(1.702 * x).
      Product inner = getProduct(sigmoid.getX());
      if (sigmoid.getX() == x)
        inner = {1.0, {x}};
      if (inner.factors.size() == 1 && inner.factors[0] == x)
        return onnx::SwishOp::create(rewriter, loc, types, x,
                                     rewriter.getNamedAttr("alpha", rewriter.getF32FloatAttr(inner.number)));
    }
    if (auto hard = gate.getDefiningOp<onnx::HardSigmoidOp>())
      if (hard.getX() == x && isClose(hard.getAlpha(), 1.0 / 6.0, rewriter.getF32Type()) && hard.getBeta() == 0.5f)
        return onnx::HardSwishOp::create(rewriter, loc, types, x, ArrayRef<NamedAttribute>{});
    if (auto tanh = gate.getDefiningOp<onnx::TanhOp>())
      if (auto softplus = tanh.getX().getDefiningOp<onnx::SoftplusOp>())
        if (softplus.getX() == x)
          return onnx::MishOp::create(rewriter, loc, types, x, ArrayRef<NamedAttribute>{});
    return nullptr;
  }
};

/// Matches clip(x + 3, 0, 6) / 6.
struct RaiseHardSigmoid : RewritePattern {
  RaiseHardSigmoid(StringRef root, MLIRContext *context) : RewritePattern(root, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    Product product = getProduct(op->getResult(0));
    if (product.factors.size() != 1 || !isClose(product.number, 1.0 / 6.0, op->getResult(0).getType()))
      return failure();
    auto clip = product.factors[0].getDefiningOp<onnx::ClipOp>();
    Value x = clip ? getSummand(clip.getInput(), 3.0) : Value();
    if (!x || x.getType() != op->getResult(0).getType() || !isHardGate(product.factors[0], x))
      return failure();
    rewriter.replaceOpWithNewOp<onnx::HardSigmoidOp>(
        op, TypeRange(x.getType()), ValueRange(x),
        ArrayRef<NamedAttribute>{rewriter.getNamedAttr("alpha", rewriter.getF32FloatAttr(1.0f / 6.0f)),
                                 rewriter.getNamedAttr("beta", rewriter.getF32FloatAttr(0.5f))});
    return success();
  }
};

} // namespace

void populateRaiseActivationPatterns(RewritePatternSet &patterns) {
  for (StringRef root : {"onnx.Mul", "onnx.Div"}) {
    patterns.add<RaiseGatedActivation>(root, patterns.getContext());
    patterns.add<RaiseHardSigmoid>(root, patterns.getContext());
  }
}

} // namespace cameo::graph

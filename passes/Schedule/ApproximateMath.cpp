// Replaces the transcendental functions of kernels by polynomials, because a call of the C library per lane would take
// far longer than the rest of a nest.
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/DoubleMath.h"
#include "passes/Schedule/FloatRemainder.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/TargetParser/Triple.h"

#include <limits>

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Returns the constant that all lanes of `value` hold.
std::optional<double> numberIn(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    value = broadcast.getSource();
  APFloat number(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.convertToDouble();
}

/// Whether `x` is the maximum of a value and a constant of at least -88.
bool isLimited(Value x) {
  auto choice = x.getDefiningOp<arith::SelectOp>();
  auto comparison = choice ? choice.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  return comparison && comparison.getPredicate() == arith::CmpFPredicate::OLT &&
         comparison.getLhs() == choice.getFalseValue() && comparison.getRhs() == choice.getTrueValue() &&
         numberIn(choice.getTrueValue()).value_or(-100) >= -88;
}

/// Whether `op` is the exponential e^-x, with x limited from below.
bool isFallingExp(Operation *op) {
  auto exp = dyn_cast<math::ExpOp>(op);
  auto negation = exp ? exp.getOperand().getDefiningOp<arith::NegFOp>() : arith::NegFOp();
  return negation && isLimited(negation.getOperand());
}

/// Whether a type is one of those that VectorMath computes with.
bool isFloatVector(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && vector.getElementType().isF32();
}

/// Returns the operation whose result VectorMath computes for the function `op`: the sum with 1 that is the only use of
/// an erf or of a falling exponential, or `op` itself.
Operation *resultOf(Operation *op) {
  if (!op->hasOneUse() || !(isa<math::ErfOp>(op) || isFallingExp(op)) || !isFloatVector(op->getResult(0).getType()))
    return op;
  auto sum = dyn_cast<arith::AddFOp>(*op->user_begin());
  bool isOneAdded = sum && (numberIn(sum.getLhs()) == 1 || numberIn(sum.getRhs()) == 1);
  return isOneAdded ? sum.getOperation() : op;
}

/// Whether `op` runs on a GPU, where no C library is available.
bool isOnGpu(Operation *op) {
  auto kernel = op->getParentOfType<func::FuncOp>();
  return kernel && kernel->hasAttr(task::TaskDialect::getBlockName());
}

/// Emits the function `op` by `math`; returns null if `math` does not have it.
template <typename Math> Value callFunction(Operation *op, Math &math) {
  Value x = op->getOperand(0);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return math.exp(x); })
      .Case([&](math::ExpM1Op) { return math.expm1(x); })
      .Case([&](math::LogOp) { return math.log(x); })
      .Case([&](math::Log1pOp) { return math.log1p(x); })
      .Case([&](math::TanhOp) { return math.tanh(x); })
      .Case([&](math::SinhOp) { return math.sinh(x); })
      .Case([&](math::CoshOp) { return math.cosh(x); })
      .Case([&](math::AtanhOp) { return math.atanh(x); })
      .Case([&](math::AsinhOp) { return math.asinh(x); })
      .Case([&](math::AcoshOp) { return math.acosh(x); })
      .Case([&](math::ErfOp) { return math.erf(x); })
      .Case([&](math::SinOp) { return math.sin(x); })
      .Case([&](math::CosOp) { return math.cos(x); })
      .Case([&](math::TanOp) { return math.tan(x); })
      .Case([&](math::AtanOp) { return math.atan(x); })
      .Case([&](math::AsinOp) { return math.asin(x); })
      .Case([&](math::AcosOp) { return math.acos(x); })
      .Case([&](math::PowFOp power) { return math.pow(x, power.getRhs()); })
      .Default([](Operation *) { return Value(); });
}

/// Emits erf(x) + 1. A constant factor of x becomes a part of the coefficients.
Value erfPlusOne(Value x, schedule::VectorMath &math) {
  if (auto product = x.getDefiningOp<arith::MulFOp>())
    for (auto [factor, other] :
         {std::pair(product.getLhs(), product.getRhs()), std::pair(product.getRhs(), product.getLhs())})
      if (double number = numberIn(factor).value_or(0); number > 0x1p-3 && number < 0x1p3)
        return math.erfPlusOne(other, number);
  return math.erfPlusOne(x, 1);
}

/// What VectorMath may use in kernels for the processor.
schedule::VectorMath::Abilities abilitiesOf(ModuleOp module) {
  Machine machine = machineOf(module);
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  bool isX86 = target && llvm::Triple(target.getTriple()).isX86();
  return {machine.fusedMultiplyAdd, /*looksUp=*/isX86 && machine.vectorBytes == 64, /*library=*/true};
}

/// Returns what DoubleMath computes for the function `op` of vectors. Calls the C library, lane by lane, for arguments
/// of circular functions beyond 2^30, where DoubleMath loses digits. It also keeps powers, whose errors there are
/// large.
Value approximateDouble(Operation *op, OpBuilder &builder) {
  Location loc = op->getLoc();
  Value x = op->getOperand(0);
  auto type = cast<VectorType>(x.getType());
  schedule::DoubleMath math(builder, loc, type);
  if (isa<math::PowFOp>(op))
    return {};
  if (!isa<math::SinOp, math::CosOp, math::TanOp>(op))
    return callFunction(op, math);
  Value limit = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, builder.getF64FloatAttr(static_cast<double>(1 << 30))));
  Value isBeyond =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, math::AbsFOp::create(builder, loc, x), limit);
  Value any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, isBeyond);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value same = builder.create(OperationState(loc, op->getName(), ValueRange(x), TypeRange(type)))->getResult(0);
  scf::YieldOp::create(builder, loc, same);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, callFunction(op, math));
  return branch.getResult(0);
}

bool isDoubleVector(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && vector.getElementType().isF64();
}

/// Returns the replacement for the result of `op`, or null if neither VectorMath nor DoubleMath has the function.
Value approximate(Operation *op, OpBuilder &builder, schedule::VectorMath::Abilities has) {
  Type type = op->getResult(0).getType();
  // Without the instruction each fused step of a series would be a call.
  if (isDoubleVector(type) && has.fusedMultiplyAdd && !isOnGpu(op))
    return approximateDouble(op, builder);
  if (!isFloatVector(type))
    return {};
  if (isOnGpu(op))
    has.looksUp = has.library = false;
  schedule::VectorMath math(builder, op->getLoc(), cast<VectorType>(type), has);
  if (resultOf(op) == op)
    return callFunction(op, math);
  Value x = op->getOperand(0);
  return isa<math::ErfOp>(op) ? erfPlusOne(x, math)
                              : math.logisticDivisor(x.getDefiningOp<arith::NegFOp>().getOperand());
}

/// Returns the leading `operations` that apply the same function in one block and do not depend on each other.
ArrayRef<Operation *> takeAlike(ArrayRef<Operation *> operations) {
  Operation *first = operations.front();
  size_t count = 1;
  auto isUsedUpTo = [](Operation *op, Operation *place) {
    return llvm::any_of(resultOf(op)->getUsers(), [&](Operation *user) {
      Operation *around = place->getBlock()->findAncestorOpInBlock(*user);
      return around && !place->isBeforeInBlock(around);
    });
  };
  auto isAlike = [&](Operation *op) {
    return op->getBlock() == first->getBlock() && op->getName() == first->getName() &&
           op->getResultTypes() == first->getResultTypes() && (resultOf(op) == op) == (resultOf(first) == first) &&
           llvm::none_of(operations.take_front(count), [&](Operation *before) { return isUsedUpTo(before, op); });
  };
  while (count < operations.size() && isAlike(operations[count]))
    ++count;
  return operations.take_front(count);
}

/// Records the operations that a builder adds to a block.
struct Steps : OpBuilder::Listener {
  explicit Steps(Block *block) : block(block) {}
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (op->getBlock() == block)
      operations.push_back(op);
  }
  Block *block;
  SmallVector<Operation *> operations;
};

/// Replaces all of `alike` if VectorMath has the function. Their steps are interleaved, because the steps of one
/// function depend on each other.
void replace(ArrayRef<Operation *> alike, schedule::VectorMath::Abilities has) {
  Operation *last = alike.back();
  SmallVector<SmallVector<Operation *>> expansions;
  for (Operation *op : alike) {
    Steps steps(last->getBlock());
    OpBuilder builder(last, &steps);
    Value replacement = approximate(op, builder, has);
    if (!replacement)
      return;
    resultOf(op)->getResult(0).replaceAllUsesWith(replacement);
    expansions.push_back(std::move(steps.operations));
  }
  for (size_t step = 0; step < expansions.front().size(); ++step)
    for (ArrayRef<Operation *> operations : expansions)
      operations[step]->moveBefore(last);
  for (Operation *op : alike) {
    if (Operation *result = resultOf(op); result != op)
      result->erase();
    op->erase();
  }
}

/// Replaces a scalar function by that of a vector with one element.
void replaceScalar(Operation *op, schedule::VectorMath::Abilities has) {
  OpBuilder builder(op);
  auto single = VectorType::get({1}, op->getResult(0).getType());
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) -> Value {
    return vector::BroadcastOp::create(builder, op->getLoc(), single, operand);
  });
  Operation *wide = builder.create(OperationState(op->getLoc(), op->getName(), operands, single));
  if (Value result = approximate(wide, builder, has)) {
    op->replaceAllUsesWith(ValueRange(vector::ExtractOp::create(builder, op->getLoc(), result, 0).getResult()));
    op->erase();
  }
  wide->erase();
}

void replaceDouble(Operation *op) {
  OpBuilder builder(op);
  schedule::DoubleMath math(builder, op->getLoc(), op->getResult(0).getType());
  auto log10 = dyn_cast<math::Log10Op>(op);
  Value result = log10 ? math.log10(log10.getOperand()) : callFunction(op, math);
  if (!result)
    return;
  op->replaceAllUsesWith(ValueRange(result));
  op->erase();
}

void replaceRemainder(arith::RemFOp op) {
  OpBuilder builder(op);
  op.replaceAllUsesWith(schedule::createRemainder(builder, op.getLoc(), op.getLhs(), op.getRhs()));
  op.erase();
}

void replaceVectors(arith::RemFOp op, schedule::VectorMath::Abilities has) {
  OpBuilder builder(op);
  schedule::VectorMath math(builder, op.getLoc(), cast<VectorType>(op.getType()), has);
  op.replaceAllUsesWith(math.remainder(op.getLhs(), op.getRhs()));
  op.erase();
}

bool hasFlag(arith::DivFOp division, arith::FastMathFlags flag) {
  return bitEnumContainsAny(division.getFastmath(), flag);
}

/// Whether a division may be a product with the reciprocal, but not with an estimate, which is wrong for infinity.
bool isProduct(arith::DivFOp division) {
  return hasFlag(division, arith::FastMathFlags::arcp) && !hasFlag(division, arith::FastMathFlags::ninf);
}

/// Makes such a division that product if all lanes share the divisor: LLVM divides once, outside of the loop over
/// vectors. All others are exact.
void divideOnce(arith::DivFOp division) {
  division.setFastmath(arith::FastMathFlags::none);
  auto divisor = division.getRhs().getDefiningOp<vector::BroadcastOp>();
  if (!divisor || !divisor.getSourceType().isF32() || isOnGpu(division))
    return;
  OpBuilder builder(division);
  Location loc = division.getLoc();
  Value one = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(1));
  Value reciprocal = arith::DivFOp::create(builder, loc, one, divisor.getSource());
  reciprocal = vector::BroadcastOp::create(builder, loc, division.getType(), reciprocal);
  division.replaceAllUsesWith(arith::MulFOp::create(builder, loc, division.getLhs(), reciprocal).getResult());
  division.erase();
}

bool isEstimated(arith::DivFOp division) {
  return isa<VectorType>(division.getType()) && hasFlag(division, arith::FastMathFlags::arcp);
}

/// Makes `division` a division instruction. Multiplications by a reciprocal become divisions; where a select replaces
/// the reciprocal by zero, the divisor becomes infinite.
void divideByInstruction(arith::DivFOp division) {
  division.setFastmath(arith::FastMathFlags::none);
  if (numberIn(division.getLhs()) != 1 || !division->hasOneUse())
    return;
  OpBuilder builder(division);
  auto choice = dyn_cast<arith::SelectOp>(*division->user_begin());
  if (choice && numberIn(choice.getTrueValue()) == 0 && choice.getFalseValue() == division.getResult()) {
    double infinity = std::numeric_limits<double>::infinity();
    auto type = cast<VectorType>(division.getType());
    Value beyond =
        arith::ConstantOp::create(builder, division.getLoc(),
                                  DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), infinity)));
    builder.setInsertionPoint(choice);
    Value divisor =
        arith::SelectOp::create(builder, division.getLoc(), choice.getCondition(), beyond, division.getRhs());
    division->moveBefore(choice);
    division.getRhsMutable().assign(divisor);
    choice.replaceAllUsesWith(division.getResult());
    choice->erase();
  }
  auto product = division->hasOneUse() ? dyn_cast<arith::MulFOp>(*division->user_begin()) : arith::MulFOp();
  if (!product || product.getLhs() == product.getRhs())
    return;
  Value factor = product.getLhs() == division.getResult() ? product.getRhs() : product.getLhs();
  builder.setInsertionPoint(product);
  product.replaceAllUsesWith(arith::DivFOp::create(builder, division.getLoc(), factor, division.getRhs()).getResult());
  product->erase();
  division->erase();
}

struct ApproximateMath : impl::ApproximateMathPassBase<ApproximateMath> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> transcendental, scalar, doubles;
    SmallVector<arith::RemFOp> remainders, vectorRemainders;
    SmallVector<arith::DivFOp> quotients;
    getOperation().walk([&](Operation *op) {
      if (auto division = dyn_cast<arith::DivFOp>(op); division && isProduct(division))
        quotients.push_back(division);
      bool inVector = llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
      if (auto remainder = dyn_cast<arith::RemFOp>(op)) {
        if (!inVector && isOnGpu(op))
          remainders.push_back(remainder);
        else if (isFloatVector(remainder.getType()) && !isOnGpu(op))
          vectorRemainders.push_back(remainder);
      }
      if (!isa_and_present<math::MathDialect>(op->getDialect()))
        return;
      if (inVector)
        transcendental.push_back(op);
      else if (op->getResult(0).getType().isF32() && isOnGpu(op))
        scalar.push_back(op);
      else if (op->getResult(0).getType().isF64() && isOnGpu(op))
        doubles.push_back(op);
    });
    llvm::for_each(quotients, divideOnce);
    for (Operation *op : scalar)
      replaceScalar(op, {/*fusedMultiplyAdd=*/true, /*looksUp=*/false, /*library=*/false});
    llvm::for_each(doubles, replaceDouble);
    llvm::for_each(remainders, replaceRemainder);
    SmallVector<ArrayRef<Operation *>> groups;
    for (ArrayRef<Operation *> left = transcendental; !left.empty(); left = left.drop_front(groups.back().size()))
      groups.push_back(takeAlike(left));
    schedule::VectorMath::Abilities has = abilitiesOf(getOperation());
    for (arith::RemFOp remainder : vectorRemainders)
      replaceVectors(remainder, has);
    for (ArrayRef<Operation *> alike : groups)
      replace(alike, has);
    SmallVector<arith::DivFOp> estimated;
    if (machineOf(getOperation()).dividesFast)
      getOperation().walk([&](arith::DivFOp division) {
        if (isEstimated(division))
          estimated.push_back(division);
      });
    llvm::for_each(estimated, divideByInstruction);
  }
};

} // namespace
} // namespace cameo

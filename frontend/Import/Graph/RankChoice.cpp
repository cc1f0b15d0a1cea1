#include "frontend/Import/Graph/RankChoice.h"

#include "frontend/Import/Graph/RunNumber.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace cameo;

/// Attributes of a choice: a mark, and the difference of the two sizes that its condition compares.
static constexpr StringRef kRankChoice = "rank_choice", kDifference = "difference";

static UnrealizedConversionCastOp getChoiceOp(Operation *op) {
  auto cast = dyn_cast_or_null<UnrealizedConversionCastOp>(op);
  return cast && cast->hasAttr(kRankChoice) ? cast : UnrealizedConversionCastOp();
}

std::optional<RankChoice> cameo::getRankChoice(Value value) {
  UnrealizedConversionCastOp op = getChoiceOp(value.getDefiningOp());
  if (!op)
    return std::nullopt;
  return RankChoice{op.getLoc(), op.getOperand(0), op.getOperand(1), op.getOperand(2)};
}

Value cameo::getRoot(Value condition) {
  auto keepsElement = [](Operation *op) {
    return isa_and_nonnull<cameo::onnx::ReshapeOp, cameo::onnx::SqueezeOp, cameo::onnx::UnsqueezeOp,
                           cameo::onnx::IdentityOp, cameo::onnx::CastOp>(op) &&
           getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
  };
  while (keepsElement(condition.getDefiningOp()))
    condition = condition.getDefiningOp()->getOperand(0);
  return condition;
}

/// Returns the difference of the two sizes that a condition compares if it is a single symbol, otherwise null.
static StringAttr getDifference(Value condition) {
  auto equal = getRoot(condition).getDefiningOp<cameo::onnx::EqualOp>();
  return equal ? (getKnownElement({equal.getOperand(0)}) - getKnownElement({equal.getOperand(1)})).getName()
               : StringAttr();
}

Value cameo::findEqualCondition(OpBuilder &builder, Value condition) {
  Value root = getRoot(condition);
  StringAttr difference = getDifference(root);
  for (auto op : builder.getInsertionBlock()->getOps<UnrealizedConversionCastOp>())
    if (getChoiceOp(op) &&
        (getRoot(op.getOperand(0)) == root || (difference && op->getAttr(kDifference) == difference)))
      return op.getOperand(0);
  return condition;
}

Value cameo::makeRankChoice(OpBuilder &builder, const RankChoice &choice) {
  Type type = TupleType::get(builder.getContext(), {choice.whenTrue.getType(), choice.whenFalse.getType()});
  auto op = UnrealizedConversionCastOp::create(builder, choice.loc, TypeRange(type),
                                               {choice.condition, choice.whenTrue, choice.whenFalse});
  op->setAttr(kRankChoice, builder.getUnitAttr());
  if (StringAttr difference = getDifference(choice.condition))
    op->setAttr(kDifference, difference);
  return op.getResult(0);
}

bool cameo::isOfShapes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isSignlessInteger() && type.getRank() <= 1;
}

bool cameo::staysApart(Value whenTrue, Value whenFalse, bool areNumbersApart) {
  if (getRankChoice(whenTrue) || getRankChoice(whenFalse))
    return true;
  auto first = dyn_cast<RankedTensorType>(whenTrue.getType()), second = dyn_cast<RankedTensorType>(whenFalse.getType());
  if (!first || !second || whenTrue == whenFalse)
    return false;
  return first.getRank() != second.getRank() || (areNumbersApart && isOfShapes(whenTrue) && isOfShapes(whenFalse));
}

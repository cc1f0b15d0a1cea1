#include "frontend/Import/Graph/RunSequence.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace cameo;

static constexpr StringLiteral kLength = "run_length", kPresence = "run_presence";

/// Makes one value of `parts` and of the number that decides how many of them count.
static Value makeCast(OpBuilder &builder, Location loc, ArrayRef<Value> parts, Value number, StringRef kind) {
  SmallVector<Value> operands(parts);
  operands.push_back(number);
  Type type = TupleType::get(builder.getContext(), TypeRange(ValueRange(operands)));
  auto cast = UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), operands);
  cast->setAttr(kind, builder.getUnitAttr());
  return cast.getResult(0);
}

static UnrealizedConversionCastOp findCast(Value value, StringRef kind) {
  auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
  return cast && cast->hasAttr(kind) ? cast : UnrealizedConversionCastOp();
}

Value cameo::makeRunSequence(OpBuilder &builder, Location loc, const RunSequence &sequence) {
  return makeCast(builder, loc, sequence.elements, sequence.length, kLength);
}

std::optional<RunSequence> cameo::getRunSequence(Value value) {
  UnrealizedConversionCastOp cast = findCast(value, kLength);
  if (!cast)
    return std::nullopt;
  ValueRange operands = cast.getInputs();
  return RunSequence{SmallVector<Value>(operands.drop_back()), operands.back()};
}

Value cameo::makeRunOptional(OpBuilder &builder, Location loc, const RunOptional &optional) {
  return makeCast(builder, loc, optional.value, optional.isPresent, kPresence);
}

std::optional<RunOptional> cameo::getRunOptional(Value value) {
  UnrealizedConversionCastOp cast = findCast(value, kPresence);
  if (!cast)
    return std::nullopt;
  return RunOptional{cast.getInputs().front(), cast.getInputs().back()};
}

Value cameo::getPresent(Value value) {
  std::optional<RunOptional> optional = getRunOptional(value);
  return optional ? optional->value : value;
}

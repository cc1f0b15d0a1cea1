// Operators on strings: one call of the runtime per element.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/Formulas/PatternAutomaton.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerConcat(onnx::StringConcatOp op, Operands operands, GenericBuilder &b) {
  return one(b.elementwise(resultShape(op), resultElement(op), operands,
                           [](ScalarBuilder &s, ValueRange x) { return makeString(s, "cameo_text_concat", x); }));
}

Lowered lowerChangeCase(onnx::ChangeCaseOp op, Operands operands, GenericBuilder &b) {
  StringRef function = op.getAction() == "LOWER" ? "cameo_text_lower" : "cameo_text_upper";
  return one(b.elementwise(resultShape(op), resultElement(op), operands,
                           [&](ScalarBuilder &s, ValueRange x) { return makeString(s, function, x); }));
}

/// Binary search without branches: after as many steps as the number of keys has bits, it has found the last key that
/// is not greater than the string.
Lowered lowerFind(onnx::FindTextOp op, Operands operands, GenericBuilder &b) {
  Value keys = operands[1];
  if (failed(expectStatic(op, shapeOf(keys), "the keys")))
    return failure();
  int64_t count = shapeOf(keys)[0].getSize();
  return one(
      b.elementwise(resultShape(op), resultElement(op), operands[0], [&](ScalarBuilder &s, ValueRange x) -> Value {
        Value none = s.integer(b.getI64Type(), count);
        if (count == 0)
          return none;
        Value found = s.indexConstant(0);
        for (int64_t left = count; left > 1; left -= left / 2) {
          Value middle = s.add(found, s.indexConstant(left / 2));
          found = s.select(compareStrings(s, Order::LessOrEqual, s.extract(keys, middle), x[0]), middle, found);
        }
        Value isThere = compareStrings(s, Order::Equal, s.extract(keys, found), x[0]);
        return s.select(isThere, s.fromIndex(found, b.getI64Type()), none);
      }));
}

/// Returns the delimiter and the number of splits as arguments of the runtime's functions.
template <typename OpTy> SmallVector<Value> splitArguments(ScalarBuilder &s, OpTy op) {
  return {literal(s, op.getDelimiter()), s.integer(s.builder.getI64Type(), op.getMaxsplit().value_or(-1))};
}

Lowered lowerCountParts(onnx::CountPartsOp op, Operands operands, GenericBuilder &b) {
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> arguments = splitArguments(s, op);
    return invoke(s, "cameo_text_count_parts", b.getI64Type(), {x[0], arguments[0], arguments[1]});
  }));
}

Lowered lowerTakePart(onnx::TakePartOp op, Operands operands, GenericBuilder &b) {
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> arguments = splitArguments(s, op);
    return makeString(s, "cameo_text_take_part", {x[0], arguments[0], arguments[1], x[1]});
  }));
}

Lowered lowerRegexFullMatch(onnx::RegexFullMatchOp op, Operands operands, GenericBuilder &b) {
  llvm::Expected<std::string> automaton = compilePattern(op.getPattern().value_or(""));
  if (!automaton) {
    op.emitError() << "expected a pattern of RE2's syntax, got " << llvm::toString(automaton.takeError());
    return failure();
  }
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, ValueRange x) {
    Value isMatch = invoke(s, "cameo_text_matches", b.getI32Type(), {x[0], literal(s, *automaton)});
    return s.convert(isMatch, b.getI1Type());
  }));
}

/// Those with a bound were decomposed in passes/Graph.
Lowered refuseSplit(onnx::StringSplitOp op, Operands, GenericBuilder &) {
  return unsupported(op, "a number of parts that neither 'maxsplit' nor the size of an output bounds");
}

} // namespace

void addStrings(LoweringTable &table) {
  table.add(lowerConcat);
  table.add(lowerChangeCase);
  table.add(lowerFind);
  table.add(lowerCountParts);
  table.add(lowerTakePart);
  table.add(lowerRegexFullMatch);
  table.add(refuseSplit);
}

} // namespace cameo::lower

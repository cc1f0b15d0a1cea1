// Rewrites projections of com.microsoft that share a normalised input: MatMulNBitsMlp and MatMulNBitsQkv, which ONNX
// Runtime's optimiser creates for WebGPU.
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// The normalised input of the projections, and the sum of input and skip, which is an output; null without a skip.
struct NormalizedInput {
  Value value, sum;
};

NormalizedInput takeInput(NodeWriter &w) {
  NamedAttribute epsilon = w.attr("epsilon", w.takeFloat("epsilon", 1e-5f));
  NormalizedInput input{w.operand(0), {}};
  w.expect(!w.hasOperand(1) || w.hasOperand(2), "expected a 'norm_scale' together with 'skip'");
  if (w.hasOperand(1))
    input.value = input.sum = w.make("Add", {w.operand(0), w.operand(1)});
  if (w.hasOperand(2))
    input.value = w.make("RMSNormalization", {input.value, w.operand(2)}, epsilon);
  return input;
}

/// Multiplies `x` by a packed matrix and adds the bias. Weights, scales and bias are consecutive operands from `first`
/// on.
Value project(NodeWriter &w, Value x, PackedMatrix matrix, int64_t columns, unsigned first) {
  w.expectOperands({first, first + 1});
  if (w.hasFailed())
    return {};
  matrix.columns = columns, matrix.bytes = w.operand(first), matrix.scales = w.operand(first + 1);
  return addOptional(w, multiplyPacked(w, x, matrix), first + 2);
}

int64_t takeColumns(NodeWriter &w, StringRef name) {
  int64_t columns = w.takeInt(name, 0);
  w.expect(columns > 0, "expected '" + name + "' of 1 or more, got " + Twine(columns));
  return columns;
}

} // namespace

WrittenResults cameo::writeMatMulNBitsMlp(NodeWriter &w) {
  PackedMatrix matrix = takePacking(w);
  int64_t columns = takeColumns(w, "N");
  std::string activation = w.takeString("activation", "");
  w.expect(activation == "silu", "expected an 'activation' silu, got '" + activation + "'");
  NormalizedInput input = takeInput(w);
  Value gate = project(w, input.value, matrix, columns, 3), up = project(w, input.value, matrix, columns, 6);
  return {w.make("Mul", {w.make("Swish", gate), up}), input.sum};
}

WrittenResults cameo::writeMatMulNBitsQkv(NodeWriter &w) {
  PackedMatrix matrix = takePacking(w);
  int64_t queries = takeColumns(w, "Nq"), keys = takeColumns(w, "Nkv");
  w.expectOperands(2);
  NormalizedInput input = takeInput(w);
  return {project(w, input.value, matrix, queries, 3), project(w, input.value, matrix, keys, 6),
          project(w, input.value, matrix, keys, 9), input.sum};
}

// LinearAttention: the state of each head is a loop-carried value over the tokens, in f32.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;

namespace cameo::lower {
namespace {

/// One token of the operands: batch, heads, size.
struct Token {
  Value query, key, value, decay, beta;
};

class LinearAttention {
public:
  LinearAttention(onnx::LinearAttentionOp op, Operands operands, GenericBuilder &b)
      : op(op), operands(operands), b(b) {}
  Lowered run();

private:
  Value split(unsigned operand, Dim heads, Dim size);
  Dim sizeOfHead(unsigned operand, int64_t heads) { return shapeOf(operands[operand])[2] / heads; }
  Value step(GenericBuilder &inner, const Token &token, Value &state);
  Value decayState(GenericBuilder &inner, const Token &token, Value state);
  Value correctValue(GenericBuilder &inner, const Token &token, Value state);
  Value readState(GenericBuilder &inner, Value vectors, Value state, Dim heads);
  Value scale(ScalarBuilder &s);

  onnx::LinearAttentionOp op;
  Operands operands;
  GenericBuilder &b;
  Type type;
  Dim batch, heads, queryHeads, keySize, valueSize;
};

/// Returns the operand as batch, sequence, heads, size; null if it is absent.
Value LinearAttention::split(unsigned operand, Dim headCount, Dim size) {
  Value tensor = operand < operands.size() ? operands[operand] : Value();
  return tensor ? b.splitDim(tensor, 2, {headCount, size}) : Value();
}

/// Multiplies the state by exp(decay), which is per head or per element of the key. The loops are batch, head, key,
/// value.
Value LinearAttention::decayState(GenericBuilder &inner, const Token &token, Value state) {
  Shape shape = shapeOf(state), sizes = shapeOf(token.decay);
  sizes.push_back(1);
  return inner.compute(shape, type, {inner.whole(state), inner.spread(inner.reshape(token.decay, sizes), shape)},
                       [](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], s.exp(x[1])); });
}

/// Returns the sums of the state's rows, weighted by one vector per head. Several heads may share a state.
Value LinearAttention::readState(GenericBuilder &inner, Value vectors, Value state, Dim count) {
  Dim group = exactDivDims(count, heads);
  Value split = inner.splitDim(vectors, 1, {heads, group});
  Shape shape = {batch, heads, group, valueSize};
  Access vector{split, {inner.dim(0), inner.dim(1), inner.dim(2), inner.dim(4)}};
  Access rows{state, {inner.dim(0), inner.dim(1), inner.dim(4), inner.dim(3)}};
  Value sums =
      inner
          .generic({4, 1}, {vector, rows}, {{inner.filled(shape, inner.getZeroAttr(type)), inner.dims(4)}},
                   [](ScalarBuilder &s, ValueRange x) { return Values{s.add(x[2], s.mul(s.widen(x[0]), x[1]))}; })
          .front();
  return inner.joinDims(sums, 1, 2);
}

/// Returns (value - value of the state for the key) * beta: the delta rule.
Value LinearAttention::correctValue(GenericBuilder &inner, const Token &token, Value state) {
  Value known = readState(inner, token.key, state, heads);
  return inner.compute(shapeOf(known), type,
                       {inner.whole(token.value), inner.whole(known), inner.spread(token.beta, shapeOf(known))},
                       [](ScalarBuilder &s, ValueRange x) { return s.mul(x[2], s.sub(x[0], x[1])); });
}

/// Updates the state by this token and returns the token's result without scaling.
Value LinearAttention::step(GenericBuilder &inner, const Token &token, Value &state) {
  if (op.hasDecay())
    state = decayState(inner, token, state);
  Value added = op.hasDelta() ? correctValue(inner, token, state) : token.value;
  Access key{token.key, inner.dims(3)}, value{added, {inner.dim(0), inner.dim(1), inner.dim(3)}};
  state = inner.compute(shapeOf(state), type, {inner.whole(state), key, value},
                        [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], s.mul(x[1], x[2])); });
  return readState(inner, token.query, state, queryHeads);
}

/// Returns the stated scale, or one over the square root of the size of a key.
Value LinearAttention::scale(ScalarBuilder &s) {
  if (op.getScale() != 0)
    return s.number(type, op.getScale());
  if (keySize.isStatic())
    return s.number(type, 1 / std::sqrt(double(keySize.getSize())));
  return s.div(s.number(type, 1), s.sqrt(s.size(keySize, type)));
}

Lowered LinearAttention::run() {
  Shape shape = shapeOf(operands[0]);
  Dim steps = shape[1];
  batch = shape[0], queryHeads = op.getQNumHeads(), heads = op.getKvNumHeads();
  keySize = sizeOfHead(1, op.getKvNumHeads()), valueSize = sizeOfHead(2, op.getKvNumHeads());
  // A decay is per head or per element of a key, a beta is per head or for all heads. Dynamic sizes are handled as
  // either.
  Value query = split(0, queryHeads, keySize), key = split(1, heads, keySize), value = split(2, heads, valueSize);
  Value decay = op.hasDecay() ? split(4, heads, sizeOfHead(4, op.getKvNumHeads())) : Value();
  Value beta = op.hasDelta() ? split(5, shapeOf(operands[5])[2], 1) : Value();
  type = computeType(elementOf(query));
  Shape stateShape = {batch, heads, keySize, valueSize};
  bool hasPast = operands.size() > 3 && operands[3];
  Value first = hasPast ? b.convert(operands[3], type) : b.filled(stateShape, b.getZeroAttr(type));
  Values carried = {b.empty({batch, steps, queryHeads, valueSize}, elementOf(query)), first};
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(
      b, zero, b.size(steps), one, carried, [&](OpBuilder &builder, Location loc, Value at, ValueRange args) {
        GenericBuilder inner(loc, builder);
        OpFoldResult nought = builder.getIndexAttr(0);
        SmallVector<OpFoldResult> offsets = {nought, at, nought, nought};
        auto take = [&](Value tensor) {
          if (!tensor)
            return tensor;
          Shape sizes = shapeOf(tensor);
          sizes[1] = 1;
          return inner.reshape(inner.sliceAt(tensor, offsets, sizes, {1, 1, 1, 1}), {sizes[0], sizes[2], sizes[3]});
        };
        Token token{take(query), take(key), take(value), take(decay), take(beta)};
        Value state = args[1], result = step(inner, token, state);
        result = inner.compute(shapeOf(result), elementOf(query), {inner.whole(result)},
                               [&](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], scale(s)); });
        result = inner.reshape(result, {batch, 1, queryHeads, valueSize});
        scf::YieldOp::create(builder, loc, ValueRange{inner.insertAt(result, args[0], offsets, {1, 1, 1, 1}), state});
      });
  bool hasStateOutput = !onnx::isAbsent(op.getPresentState());
  return Values{b.reshape(loop.getResult(0), resultShape(op)),
                hasStateOutput ? b.convert(loop.getResult(1), resultElement(op, 1)) : Value()};
}

Lowered lowerLinearAttention(onnx::LinearAttentionOp op, Operands operands, GenericBuilder &b) {
  return LinearAttention(op, operands, b).run();
}

} // namespace

void addLinearAttention(LoweringTable &table) { table.add(lowerLinearAttention); }

} // namespace cameo::lower

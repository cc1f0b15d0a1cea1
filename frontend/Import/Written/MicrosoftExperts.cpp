// Rewrites mixtures of experts of com.microsoft: each token passes through the few experts with the highest scores.
#include "dialects/Dim/DimLimits.h"
#include "frontend/Import/Written/MicrosoftOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// The numbers of the operands of one layer of all experts.
struct LayerInputs {
  unsigned weights, bias;
  std::optional<unsigned> scales, zeros; ///< set for packed weights
};

/// Rows of a block. A core computes as long on them as it reads the weights of their expert from memory.
constexpr int64_t kRows = 16;

/// The operands of one layer, whose first dimension is the expert. Scales, zero points and bias may be null.
struct Layer {
  Value weights, scales, zeros, bias;
  int64_t block = 0;
  bool isTransposed = false; ///< whether inputs come before outputs: constants are transposed at compile time
};

class ExpertWriter {
public:
  ExpertWriter(NodeWriter &w, bool isQuantized) : w(w), isQuantized(isQuantized) {}
  WrittenResults write();

private:
  void takeAttributes();
  void choose();
  Value combine();
  Value loopOverExperts(Value isTaken);
  Value loopOverBlocks(int64_t rows);
  Layer takeLayer(const LayerInputs &inputs);
  void pack(const LayerInputs &inputs, Layer &layer);
  Value apply(Value x, const Layer &layer, Value expert);
  Value applyAll(Value x, Value expert);
  Value activate(Value x);
  Value gate(Value gate, Value linear);
  bool hasThirdLayer() const { return activation == "swiglu" && fusion == 0; }

  NodeWriter &w;
  bool isQuantized;
  std::string activation;
  int64_t experts = 0, count = 1, fusion = 0, bits = 4, block = 0;
  bool isNormalized = false;
  float alpha = 1, beta = 0;
  std::optional<float> limit;
  Value tokens;          ///< of shape [tokens, width]
  Value chosen, amounts; ///< the experts of each token, and the weights of their results, of shape [tokens, count]
  Layer inner, outer, linear;
  int64_t width = 0;
};

void ExpertWriter::takeAttributes() {
  activation = w.takeString("activation_type", "relu");
  count = w.takeInt("k", 1), fusion = w.takeInt("swiglu_fusion", 0);
  isNormalized = w.takeInt("normalize_routing_weights", 0) != 0;
  alpha = w.takeFloat("activation_alpha", 1), beta = w.takeFloat("activation_beta", 0);
  if (w.has("swiglu_limit"))
    limit = w.takeFloat("swiglu_limit", 0);
  w.expect(w.takeInt("use_sparse_mixer", 0) == 0, "expected a choice by the greatest scores, got 'use_sparse_mixer'");
  w.expect(llvm::is_contained({"relu", "gelu", "silu", "identity", "swiglu"}, activation),
           "expected a known 'activation_type', got '" + activation + "'");
  w.expect(count > 0, "expected 'k' of 1 or more, got " + Twine(count));
  w.expect(fusion >= 0 && fusion <= 2, "expected 'swiglu_fusion' of 0 to 2, got " + Twine(fusion));
  w.expect(w.hasOperand(isQuantized ? 8 : 6) == hasThirdLayer(),
           "expected weights of a third layer if and only if the gate of 'swiglu' has its own weights");
  if (!isQuantized)
    return;
  bits = w.takeInt("expert_weight_bits", 4), block = w.takeInt("block_size", 0);
  w.expect(bits == 2 || bits == 4 || bits == 8, "expected 'expert_weight_bits' of 2, 4 or 8, got " + Twine(bits));
  w.expect(block == 0 || (block >= 16 && llvm::isPowerOf2_64(block)),
           "expected a 'block_size' of 0 or a power of 2 from 16 on, got " + Twine(block));
  w.expect(w.takeInt("weights_prepacked", 0) <= 0,
           "expected weights in the order of the specification, got 'weights_prepacked'");
  std::string type = w.takeString("quant_type", "int");
  w.expect(type == "int", "expected a 'quant_type' int, got " + type);
}

/// Computes for each token the experts with the largest probabilities and the weights of their results.
void ExpertWriter::choose() {
  Value scores = w.operand(1);
  auto type = dyn_cast<RankedTensorType>(scores.getType());
  w.expect(type && type.getRank() == 2 && !type.isDynamicDim(1) && count <= type.getDimSize(1),
           "expected scores of tokens for a known number of experts, of which each token chooses " + Twine(count));
  if (w.hasFailed())
    return;
  experts = type.getDimSize(1);
  Value probabilities = w.make("Softmax", w.cast(scores, w.f32()), w.attr("axis", -1));
  SmallVector<Value> best = w.makeAll("TopK", {probabilities, w.ints({count})}, w.attr("axis", -1), {true, true});
  amounts = best[0], chosen = best[1];
  if (isQuantized && w.hasOperand(14))
    amounts = w.make("GatherElements", {w.cast(w.operand(14), w.f32()), chosen}, w.attr("axis", 1));
  if (isNormalized)
    amounts = w.make("Div", {amounts, w.make("ReduceSum", {amounts, w.ints({1})})});
}

/// Converts weights, scales and zero points to the layout of BlockedMatMul. Without a block size, a row is one block.
void ExpertWriter::pack(const LayerInputs &inputs, Layer &layer) {
  auto type = dyn_cast<RankedTensorType>(layer.weights.getType());
  w.expect(type && type.getRank() == 3 && type.hasStaticShape() && type.getElementType().isUnsignedInteger(8),
           "expected bytes of experts, outputs and inputs of known size");
  if (w.hasFailed())
    return;
  int64_t outputs = type.getDimSize(1), depth = type.getDimSize(2) * 8 / bits;
  layer.block = block == 0 ? depth : block;
  w.expect(depth > 0 && depth % layer.block == 0 && layer.block % 8 == 0,
           "expected inputs that blocks divide, or as many as a multiple of 8, got " + Twine(depth));
  if (w.hasFailed())
    return;
  int64_t blocks = depth / layer.block;
  layer.weights = w.transpose(w.reshape(layer.weights, {0, outputs, blocks, layer.block * bits / 8}), {0, 2, 3, 1});
  auto turn = [&](Value perBlock) { return w.transpose(w.reshape(perBlock, {0, outputs, blocks}), {0, 2, 1}); };
  layer.scales = turn(w.operand(*inputs.scales));
  if (!w.hasOperand(*inputs.zeros))
    return;
  Value zeros = w.operand(*inputs.zeros);
  int64_t inRow = w.rankOf(zeros) == 2 ? outputs : blocks;
  layer.zeros = turn(firstNumbers(w, unpackNumbers(w, zeros, bits), inRow));
}

Layer ExpertWriter::takeLayer(const LayerInputs &inputs) {
  w.expectOperands(inputs.weights);
  if (inputs.scales)
    w.expectOperands(*inputs.scales);
  if (w.hasFailed())
    return {};
  Layer layer;
  layer.weights = w.operand(inputs.weights);
  w.expect(w.rankOf(layer.weights) == 3, "expected weights of experts, outputs and inputs");
  auto type = dyn_cast<RankedTensorType>(layer.weights.getType());
  w.expect(w.hasFailed() || type.getDimSize(0) == experts,
           "expected weights of " + Twine(experts) + " experts in input " + Twine(inputs.weights));
  if (w.hasOperand(inputs.bias))
    layer.bias = w.operand(inputs.bias);
  if (w.hasFailed())
    return {};
  if (isQuantized) {
    pack(inputs, layer);
  } else if (layer.weights.getDefiningOp<cameo::onnx::ConstantOp>()) {
    layer.weights = w.transpose(layer.weights, {0, 2, 1});
    layer.isTransposed = true;
  }
  return layer;
}

/// Applies one layer of one expert to `x`. Only the weights of this expert are read.
Value ExpertWriter::apply(Value x, const Layer &layer, Value expert) {
  auto row = [&](Value table) { return w.make("Gather", {table, expert}, w.attr("axis", 0)); };
  Value y;
  if (isQuantized) {
    y = w.make("BlockedMatMul", {x, row(layer.weights), row(layer.scales), layer.zeros ? row(layer.zeros) : w.none()},
               {w.attr("bits", bits), w.attr("block_size", layer.block)});
  } else {
    Value weights = w.cast(row(layer.weights), w.f32());
    y = w.make("MatMul", {x, layer.isTransposed ? weights : w.transpose(weights, {1, 0})});
  }
  return layer.bias ? w.make("Add", {y, w.cast(row(layer.bias), w.f32())}) : y;
}

Value ExpertWriter::gate(Value gate, Value linear) {
  Type f32 = w.f32();
  if (limit) {
    gate = w.make("Min", {gate, w.number(*limit, f32)});
    linear = w.make("Clip", {linear, w.number(-*limit, f32), w.number(*limit, f32)});
  }
  return w.make("Mul", {w.make("Swish", gate, w.attr("alpha", alpha)),
                        beta == 0 ? linear : w.make("Add", {linear, w.number(beta, f32)})});
}

Value ExpertWriter::activate(Value x) {
  if (activation == "relu")
    return w.make("Relu", x);
  if (activation == "gelu")
    return w.make("Gelu", x, w.attr("approximate", StringRef("tanh")));
  if (activation == "silu")
    return w.make("Swish", x);
  if (activation == "identity" || !x)
    return x;
  if (fusion == 1) {
    Value pairs = w.reshape(x, {0, -1, 2});
    auto part = [&](int64_t place) { return w.make("Gather", {pairs, w.scalar(place)}, w.attr("axis", 2)); };
    return gate(part(0), part(1));
  }
  SmallVector<Value> halves =
      w.makeAll("Split", {x, w.none()}, {w.attr("axis", -1), w.attr("num_outputs", 2)}, {true, true});
  return gate(halves[0], halves[1]);
}

Value ExpertWriter::applyAll(Value x, Value expert) {
  Value hidden = apply(x, inner, expert);
  hidden = hasThirdLayer() ? gate(hidden, apply(x, linear, expert)) : activate(hidden);
  return apply(hidden, outer, expert);
}

/// A token alone reads the weights of `count` experts, and so do a few tokens at most those of all. Blocks of more
/// tokens read them once for as many rows as an expert has on average.
Value ExpertWriter::combine() {
  Dim choices = cameo::onnx::getDims(chosen)->front() * count;
  if (choices.isStatic()) {
    if (choices.getSize() <= experts)
      return loopOverExperts(Value());
    int64_t mean = llvm::divideCeil(choices.getSize(), experts);
    return loopOverBlocks(mean <= kRows ? llvm::PowerOf2Ceil(mean) : mean < 4 * kRows ? kRows : 2 * kRows);
  }
  Value isMany = w.make("Greater", {w.make("Mul", {w.sizeOf(chosen, 0), w.scalar(count)}), w.scalar(experts)});
  auto once = [&](Value condition) { return w.cast(condition, w.i64()); };
  Value few = loopOverExperts(once(w.make("Not", isMany)));
  return w
      .repeat(once(isMany), {few},
              [&](Value, ArrayRef<Value>) -> SmallVector<Value> { return {Value(), loopOverBlocks(kRows)}; })
      .front();
}

/// Creates a loop with one iteration for each expert that any token chooses. All tokens pass through it, and its result
/// counts nothing for those that did not choose it. For a single token these are `k` experts.
Value ExpertWriter::loopOverExperts(Value isTaken) {
  auto spread = [&](Value values) {
    Value none = w.make("Expand", {w.number(0, w.f32()), w.make("Shape", w.operand(1))});
    return w.make("ScatterElements", {none, chosen, values}, w.attr("axis", 1));
  };
  Value one = w.make("Expand", {w.number(1, w.f32()), w.make("Shape", chosen)});
  Value isUsed = w.make("ReduceMax", {spread(one), w.ints({0})}, w.attr("keepdims", 0));
  Value usedCount = w.cast(w.make("ReduceSum", {isUsed, w.ints({0})}, w.attr("keepdims", 0)), w.i64());
  Value order = w.makeAll("TopK", {isUsed, w.ints({experts})}, w.attr("axis", 0), {true, true})[1];
  Value weights = w.transpose(spread(amounts), {1, 0});
  Value none = w.make("Expand", {w.number(0, w.f32()), w.make("Shape", tokens)});
  if (isTaken)
    usedCount = w.make("Mul", {usedCount, isTaken});
  return w
      .repeat(usedCount, {none},
              [&](Value iteration, ArrayRef<Value> carried) -> SmallVector<Value> {
                Value expert = w.make("Gather", {order, iteration}, w.attr("axis", 0));
                Value amount = w.unsqueeze(w.make("Gather", {weights, expert}, w.attr("axis", 0)), {1});
                return {Value(), w.make("Add", {carried[0], w.make("Mul", {applyAll(tokens, expert), amount})})};
              })
      .front();
}

/// Sorts the choices of tokens by their expert, with room for a multiple of `rows` for each, and creates a loop with
/// one iteration for each block of `rows` choices.
Value ExpertWriter::loopOverBlocks(int64_t rows) {
  Value choices = w.reshape(chosen, {-1});
  Value isChosen = w.make("OneHot", {choices, w.scalar(experts), w.ints({0, 1})});
  Value places = w.make("CumSum", {isChosen, w.scalar(0)});
  Value place = w.make("GatherElements", {places, w.unsqueeze(choices, {1})}, w.attr("axis", 1));
  Value sizes = w.make("ReduceSum", {isChosen, w.ints({0})}, w.attr("keepdims", 0));
  Value blocks = w.make("Div", {w.make("Add", {sizes, w.scalar(rows - 1)}), w.scalar(rows)});
  Value ends = w.make("CumSum", {blocks, w.scalar(0)});
  Value begin = w.make("Mul", {w.make("Gather", {w.make("Sub", {ends, blocks}), choices}), w.scalar(rows)});
  Value slots = w.make("Add", {begin, w.make("Sub", {w.reshape(place, {-1}), w.scalar(1)})});

  Value size = w.sizeOf(choices, 0);
  Value mostBlocks = w.make("Min", {size, w.make("Add", {w.make("Div", {size, w.scalar(rows)}), w.scalar(experts)})});
  if (w.hasFailed())
    return {};
  Dim all = cameo::onnx::getDims(choices)->front(), most = minDims(all, all / rows + experts);
  Value none = w.make("Expand", {w.scalar(0), w.make("Mul", {w.unsqueeze(mostBlocks, {0}), w.scalar(rows)})});
  Value numbers = w.make("Div", {w.range(size), w.scalar(count)});
  Value tokensOfBlocks = w.reshape(w.make("ScatterElements", {none, slots, numbers}, w.attr("axis", 0)), {-1, rows});
  Value isBehind = w.make("LessOrEqual", {w.unsqueeze(ends, {0}), w.unsqueeze(w.range(mostBlocks), {1})});
  Value expertOfBlocks = w.make("ReduceSum", {w.cast(isBehind, w.i64()), w.ints({1})}, w.attr("keepdims", 0));
  Value usedBlocks = w.make("Gather", {ends, w.scalar(experts - 1)});
  Value results = w.stack(usedBlocks, most, [&](Value iteration) {
    auto ofBlock = [&](Value table) { return w.make("Gather", {table, iteration}, w.attr("axis", 0)); };
    Value x = w.make("Gather", {tokens, ofBlock(tokensOfBlocks)}, w.attr("axis", 0));
    return applyAll(x, ofBlock(expertOfBlocks));
  });
  Value perChoice =
      w.make("Gather", {w.reshape(results, {-1, width}), w.make("Reshape", {slots, w.make("Shape", chosen)})},
             w.attr("axis", 0));
  return w.make("ReduceSum", {w.make("Mul", {perChoice, w.unsqueeze(amounts, {2})}), w.ints({1})},
                w.attr("keepdims", 0));
}

WrittenResults ExpertWriter::write() {
  static constexpr LayerInputs kReal[] = {{2, 3, {}, {}}, {4, 5, {}, {}}, {6, 7, {}, {}}};
  static constexpr LayerInputs kPacked[] = {{2, 4, 3, 11}, {5, 7, 6, 12}, {8, 10, 9, 13}};
  ArrayRef<LayerInputs> inputs = isQuantized ? ArrayRef(kPacked) : ArrayRef(kReal);
  takeAttributes();
  Value x = w.operand(0);
  auto type = dyn_cast<RankedTensorType>(x.getType());
  w.expect(type && (type.getRank() == 2 || type.getRank() == 3) && !type.isDynamicDim(type.getRank() - 1),
           "expected tokens of known size, of rank 2 or 3");
  if (!w.hasFailed())
    choose();
  if (w.hasFailed())
    return {};
  inner = takeLayer(inputs[0]), outer = takeLayer(inputs[1]);
  if (hasThirdLayer())
    linear = takeLayer(inputs[2]);
  width = type.getShape().back();
  tokens = w.cast(w.reshape(x, {-1, width}), w.f32());
  if (w.hasFailed())
    return {};
  return {w.cast(w.make("Reshape", {combine(), w.make("Shape", x)}), w.elementOf(x))};
}

} // namespace

WrittenResults cameo::writeMoE(NodeWriter &w) { return ExpertWriter(w, /*isQuantized=*/false).write(); }
WrittenResults cameo::writeQMoE(NodeWriter &w) { return ExpertWriter(w, /*isQuantized=*/true).write(); }

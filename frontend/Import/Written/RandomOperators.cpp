// Rewrites random operators to integer arithmetic on the positions of elements, so that the numbers are the same in
// every run, on every machine and with any number of threads. The hash function is lowbias32 of C. Wellons, Prospecting
// for Hash Functions (2018).
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Versions/OpsetUpgrade.h"
#include "frontend/Import/Written/WrittenOperators.h"

#include "dialects/Onnx/ElementTypes.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

constexpr uint32_t kFactors[] = {0x7feb352d, 0x846ca68b};
constexpr uint32_t kShifts[] = {16, 15, 16};

uint32_t mix(uint32_t x) {
  x = (x ^ x >> kShifts[0]) * kFactors[0];
  x = (x ^ x >> kShifts[1]) * kFactors[1];
  return x ^ x >> kShifts[2];
}

/// Applies mix to every element.
Value mix(NodeWriter &w, Value x) {
  auto fold = [&](uint32_t shift) {
    return w.make("BitwiseXor", {x, w.make("BitShift", {x, w.bits(shift)}, w.attr("direction", StringRef("RIGHT")))});
  };
  x = w.make("Mul", {fold(kShifts[0]), w.bits(kFactors[0])});
  x = w.make("Mul", {fold(kShifts[1]), w.bits(kFactors[1])});
  return fold(kShifts[2]);
}

/// Returns the seed of the node: a hash of the attribute, or of the node's name if there is none.
uint32_t takeSeed(NodeWriter &w) {
  if (!w.has("seed"))
    return mix(static_cast<uint32_t>(llvm::xxh3_64bits(w.nodeName())));
  return mix(llvm::bit_cast<uint32_t>(w.takeNumber("seed")));
}

/// Returns the element type that `dtype` states, or `otherwise`. Fails the writer for an unknown type.
Type takeType(NodeWriter &w, Type otherwise) {
  int64_t number = w.takeInt("dtype", 0);
  Type type = number == 0 ? otherwise : cameo::onnx::getElementTypeOf(w.builder().getContext(), number);
  w.expect(type != nullptr, "expected 'dtype' to be an ONNX element type, got " + Twine(number));
  return type;
}

/// The shape of a tensor as a vector, and its number of elements as a scalar.
struct Extent {
  Value shape, count;
};

Extent takeExtent(NodeWriter &w) {
  SmallVector<int64_t> shape = w.takeInts("shape");
  int64_t count = 1;
  bool fits = llvm::none_of(shape, [&](int64_t size) { return size < 0 || llvm::MulOverflow(count, size, count); });
  w.expect(fits && count < (int64_t(1) << 32), "expected 'shape' of fewer than 2^32 elements, none of a size below 0");
  return w.hasFailed() ? Extent() : Extent{w.ints(shape), w.scalar(count)};
}

Extent extentOf(NodeWriter &w, Value value) { return {w.make("Shape", value), w.make("Size", value)}; }

/// Returns uniform random numbers in [0, 1), as f32 in steps of 2^-24. Each `stream` of a seed has other numbers.
Value drawUniform(NodeWriter &w, const Extent &extent, uint32_t seed, uint32_t stream = 0) {
  Value position = w.cast(w.make("Range", {w.scalar(0), extent.count, w.scalar(1)}),
                          w.builder().getIntegerType(32, /*isSigned=*/false));
  Value bits = mix(w, w.make("BitwiseXor", {mix(w, position), w.bits(mix(seed + stream))}));
  Value top = w.make("BitShift", {bits, w.bits(8)}, w.attr("direction", StringRef("RIGHT")));
  Value number = w.make("Mul", {w.cast(top, w.f32()), w.number(0x1p-24, w.f32())});
  return w.make("Reshape", {number, extent.shape}, w.attr("allowzero", 1));
}

/// Returns normal random numbers, by Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
Value drawNormal(NodeWriter &w, const Extent &extent, uint32_t seed) {
  auto number = [&](double value) { return w.number(value, w.f32()); };
  Value first = w.make("Sub", {number(1), drawUniform(w, extent, seed)}), second = drawUniform(w, extent, seed, 1);
  Value radius = w.make("Sqrt", w.make("Mul", {w.make("Log", first), number(-2)}));
  return w.make("Mul", {radius, w.make("Cos", w.make("Mul", {second, number(2 * M_PI)}))});
}

/// Returns scale * draw(seed) + offset as a tensor of `type`, with the seed of the node.
WrittenResults place(NodeWriter &w, Type type, llvm::function_ref<Value(uint32_t)> draw, double offset, double scale) {
  uint32_t seed = takeSeed(w);
  w.expect(isa_and_nonnull<FloatType>(type), "expected numbers of floats");
  if (w.hasFailed())
    return {};
  Value scaled = w.make("Mul", {draw(seed), w.number(scale, w.f32())});
  return {w.cast(w.make("Add", {scaled, w.number(offset, w.f32())}), type)};
}

WrittenResults placeUniform(NodeWriter &w, const Extent &extent, Type type) {
  double low = w.takeFloat("low", 0), high = w.takeFloat("high", 1);
  return place(w, type, [&](uint32_t seed) { return drawUniform(w, extent, seed); }, low, high - low);
}

WrittenResults placeNormal(NodeWriter &w, const Extent &extent, Type type) {
  double mean = w.takeFloat("mean", 0), scale = w.takeFloat("scale", 1);
  return place(w, type, [&](uint32_t seed) { return drawNormal(w, extent, seed); }, mean, scale);
}

WrittenResults writeUniform(NodeWriter &w) {
  Extent extent = takeExtent(w);
  return placeUniform(w, extent, takeType(w, w.f32()));
}

WrittenResults writeUniformLike(NodeWriter &w) {
  return placeUniform(w, extentOf(w, w.operand(0)), takeType(w, w.elementOf(w.operand(0))));
}

WrittenResults writeNormal(NodeWriter &w) {
  Extent extent = takeExtent(w);
  return placeNormal(w, extent, takeType(w, w.f32()));
}

WrittenResults writeNormalLike(NodeWriter &w) {
  return placeNormal(w, extentOf(w, w.operand(0)), takeType(w, w.elementOf(w.operand(0))));
}

WrittenResults writeBernoulli(NodeWriter &w) {
  Value chance = w.operand(0);
  w.expect(isa<FloatType>(w.elementOf(chance)), "expected probabilities of floats");
  Type type = takeType(w, w.elementOf(chance));
  uint32_t seed = takeSeed(w);
  if (w.hasFailed())
    return {};
  return {w.cast(w.make("Less", {drawUniform(w, extentOf(w, chance), seed), w.cast(chance, w.f32())}), type)};
}

/// Draws samples by the Gumbel-max trick: adds a number of the Gumbel distribution to each log-probability, and takes
/// the index of the maximum. After E. J. Gumbel, Statistical Theory of Extreme Values (1954).
WrittenResults writeMultinomial(NodeWriter &w) {
  Value chances = w.operand(0);
  auto shape = dyn_cast<RankedTensorType>(chances.getType());
  int64_t samples = w.takeInt("sample_size", 1);
  Type type = takeType(w, w.builder().getI32Type());
  uint32_t seed = takeSeed(w);
  w.expect(shape && shape.getRank() == 2 && isa<FloatType>(shape.getElementType()),
           "expected a matrix of log-probabilities");
  w.expect(samples >= 1 && samples < (1 << 24), "expected 'sample_size' in [1, 2^24), got " + Twine(samples));
  w.expect(type && (type.isInteger(32) || type.isInteger(64)), "expected 'dtype' to be int32 or int64");
  if (w.hasFailed())
    return {};
  Value rows = w.make("Shape", chances, {w.attr("start", 0), w.attr("end", 1)}),
        classes = w.make("Shape", chances, w.attr("start", 1));
  Extent extent{w.make("Concat", {rows, w.ints(samples), classes}, w.attr("axis", 0)),
                w.make("Mul", {w.make("Size", chances), w.scalar(samples)})};
  auto negatedLog = [&](Value value) { return w.make("Neg", w.make("Log", value)); };
  Value shift = negatedLog(negatedLog(drawUniform(w, extent, seed)));
  Value sums = w.make("Add", {w.make("Unsqueeze", {w.cast(chances, w.f32()), w.ints(1)}), shift});
  return {w.cast(w.make("ArgMax", sums, {w.attr("axis", 2), w.attr("keepdims", 0)}), type)};
}

constexpr WrittenOperator kRandomOperators[] = {
    {"Bernoulli", 1, writeBernoulli},   {"Multinomial", 1, writeMultinomial},
    {"RandomNormal", 0, writeNormal},   {"RandomNormalLike", 1, writeNormalLike},
    {"RandomUniform", 0, writeUniform}, {"RandomUniformLike", 1, writeUniformLike},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getRandomOperators() { return kRandomOperators; }

// In training, Dropout sets random elements to 0 and scales the others. onnx.Dropout itself only supports inference.
LogicalResult cameo::drawDropoutMask(NodeDraft &draft) {
  if (!draft.hasOperand(2) || getKnownScalar(draft.operands[2]) == 0)
    return success();
  NodeWriter w(draft);
  Value data = draft.operands[0], isTraining = draft.operands[2];
  Type type = w.elementOf(data);
  Value ratio = draft.hasOperand(1) ? w.cast(draft.operands[1], w.f32()) : w.number(0.5, w.f32());
  Value keeps = w.make("GreaterOrEqual", {drawUniform(w, extentOf(w, data), takeSeed(w)), ratio});
  Value mask = w.make("Or", {keeps, w.make("Not", isTraining)});
  Value one = w.number(1, w.f32()), rest = w.make("Sub", {one, ratio});
  Value scale = w.cast(w.make("Where", {isTraining, w.make("Div", {one, rest}), one}), type);
  Value output = w.make("Where", {mask, w.make("Mul", {data, scale}), w.cast(w.number(0, w.f32()), type)});
  if (w.hasFailed())
    return failure();
  draft.operands.resize(1);
  draft.finishes.push_back({0, [output](Value) { return FailureOr<Value>(output); }});
  draft.finishes.push_back({1, [mask](Value) { return FailureOr<Value>(mask); }});
  return success();
}

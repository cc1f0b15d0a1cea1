// Rewrites operators of com.microsoft that the default domain later adopted, and some arithmetic on rows and pairs.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

WrittenResults cameo::writePad(NodeWriter &w) {
  NamedAttribute mode = w.attr("mode", w.takeString("mode", "constant"));
  Value constant = w.hasOperand(2) ? w.reshape(w.operand(2), {}) : w.none();
  return {w.make("Pad", {w.operand(0), w.reshape(w.operand(1), {-1}), constant}, mode)};
}

/// The other inputs only matter for training.
WrittenResults cameo::writeTorchEmbedding(NodeWriter &w) {
  return {w.make("Gather", {w.operand(0), w.operand(1)}, w.attr("axis", 0))};
}

WrittenResults cameo::writeGatherND(NodeWriter &w) {
  return {w.make("GatherND", {w.operand(0), w.cast(w.operand(1), w.i64())})};
}

WrittenResults cameo::writeGridSample(NodeWriter &w) {
  std::string mode = w.takeString("mode", "bilinear");
  StringRef known = StringRef(mode) == "bilinear" ? "linear" : StringRef(mode) == "bicubic" ? "cubic" : StringRef(mode);
  SmallVector<NamedAttribute> attributes = {w.attr("mode", known),
                                            w.attr("padding_mode", w.takeString("padding_mode", "zeros")),
                                            w.attr("align_corners", w.takeInt("align_corners", 0))};
  return {w.make("GridSample", {w.operand(0), w.operand(1)}, attributes)};
}

WrittenResults cameo::writeRange(NodeWriter &w) {
  auto scalar = [&](unsigned operand) { return w.reshape(w.operand(operand), {}); };
  Value step = w.hasOperand(2) ? scalar(2) : w.cast(w.scalar(1), w.elementOf(w.operand(0)));
  return {w.make("Range", {scalar(0), scalar(1), step})};
}

/// The unique elements are in the order of their first occurrence.
WrittenResults cameo::writeUnique(NodeWriter &w) {
  w.expect(w.hasFailed() || w.rankOf(w.operand(0)) == 1, "expected a vector");
  SmallVector<Value> made =
      w.makeAll("Unique", w.operand(0), w.attr("sorted", 0), {true, false, w.hasOutput(1), w.hasOutput(2)});
  return {made[0], made[2], made[3]};
}

WrittenResults cameo::writeReduceSumInteger(NodeWriter &w) {
  SmallVector<int64_t> axes = w.takeInts("axes");
  w.expect(!axes.empty(), "expected 'axes'");
  return {
      w.make("ReduceSum", {w.cast(w.operand(0), w.i32()), w.ints(axes)}, w.attr("keepdims", w.takeInt("keepdims", 1)))};
}

/// Computes the distances between the rows of two matrices as |a|^2 - 2ab + |b|^2, clamped to 0, because rounding can
/// make it negative for equal rows.
WrittenResults cameo::writeCDist(NodeWriter &w) {
  std::string metric = w.takeString("metric", "sqeuclidean");
  w.expect(metric == "sqeuclidean" || metric == "euclidean",
           "expected a 'metric' sqeuclidean or euclidean, got " + metric);
  for (unsigned i = 0; i < 2; ++i)
    w.expect(w.hasFailed() || w.rankOf(w.operand(i)) == 2, "expected two matrices");
  if (w.hasFailed())
    return {};
  Type element = w.elementOf(w.operand(0));
  auto squares = [&](unsigned operand, int64_t keepDims) {
    return w.make("ReduceSumSquare", {w.operand(operand), w.ints({1})}, w.attr("keepdims", keepDims));
  };
  Value products = w.make("MatMul", {w.operand(0), w.transpose(w.operand(1), {1, 0})});
  Value sum =
      w.make("Add", {w.make("Sub", {squares(0, 1), w.make("Mul", {products, w.number(2, element)})}), squares(1, 0)});
  Value squared = w.make("Max", {sum, w.number(0, element)});
  return {metric == "euclidean" ? w.make("Sqrt", squared) : squared};
}

/// Multiplies complex numbers whose real and imaginary parts are the last dimension. With `isConjugate`, multiplies by
/// the conjugate of the right factor.
static WrittenResults multiplyComplex(NodeWriter &w, bool isConjugate) {
  auto part = [&](unsigned operand, int64_t place) {
    return w.make("Gather", {w.operand(operand), w.scalar(place)}, w.attr("axis", -1));
  };
  for (unsigned i = 0; i < 2; ++i)
    w.expect(knownSize(w.operand(i), 0) == 2, "expected real and imaginary parts in the last dimension");
  Value a = part(0, 0), b = part(0, 1), c = part(1, 0), d = part(1, 1);
  if (isConjugate)
    d = w.make("Neg", d);
  auto product = [&](Value left, Value right) { return w.make("Mul", {left, right}); };
  Value real = w.make("Sub", {product(a, c), product(b, d)}), imaginary = w.make("Add", {product(a, d), product(b, c)});
  return {w.make("Concat", {w.unsqueeze(real, {-1}), w.unsqueeze(imaginary, {-1})}, w.attr("axis", -1))};
}

WrittenResults cameo::writeComplexMul(NodeWriter &w) { return multiplyComplex(w, false); }
WrittenResults cameo::writeComplexMulConj(NodeWriter &w) { return multiplyComplex(w, true); }

/// Sets the score of each token to -infinity that would complete an n-gram of `ngram_size` tokens already in the row.
WrittenResults cameo::writeNGramRepeatBlock(NodeWriter &w) {
  int64_t size = w.takeInt("ngram_size", 0);
  Value tokens = w.operand(0), scores = w.operand(1);
  w.expect(size > 0, "expected 'ngram_size' of 1 or more, got " + Twine(size));
  w.expect(w.hasFailed() || (w.rankOf(tokens) == 2 && w.rankOf(scores) == 2),
           "expected a row of tokens and a row of scores for each entry");
  w.expect(isa<FloatType>(w.elementOf(scores)), "expected scores of floats");
  if (w.hasFailed())
    return {scores};
  Value length = w.sizeOf(tokens, 1), places = w.range(length), last = w.make("Sub", {length, w.scalar(size)});
  // Rows have zeros behind them, so that all n-grams, also those that reach beyond the end, have elements.
  Value padded = w.lengthen(tokens, 1, w.scalar(size));
  auto columns = [&](Value from, int64_t shift) {
    return w.make("Gather", {padded, w.make("Add", {from, w.scalar(shift)})}, w.attr("axis", 1));
  };
  Value isRepeated = w.make("LessOrEqual", {places, last}), begin = w.make("Max", {last, w.scalar(-1)});
  for (int64_t i = 0; i + 1 < size; ++i)
    isRepeated =
        w.make("And", {isRepeated, w.make("Equal", {columns(places, i), w.unsqueeze(columns(begin, i + 1), {1})})});
  Type element = w.elementOf(scores);
  Value none = w.make("Expand", {w.number(0, element), w.make("Shape", scores)});
  Value ends = columns(places, size - 1),
        marks = w.make("Expand", {w.cast(isRepeated, element), w.make("Shape", ends)});
  Value isBlocked =
      w.make("ScatterElements", {none, ends, marks}, {w.attr("axis", 1), w.attr("reduction", StringRef("max"))});
  return {
      w.make("Where", {w.make("Greater", {isBlocked, w.number(0, element)}), w.number(-INFINITY, element), scores})};
}

/// Moves the tokens in front of the padding. The offsets are those of all tokens, then those of the padding.
WrittenResults cameo::writeRemovePadding(NodeWriter &w) {
  Value x = w.operand(0), lengths = w.cast(w.operand(1), w.i64()), zero = w.scalar(0);
  w.expect(w.hasFailed() || (w.rankOf(x) == 3 && w.rankOf(lengths) == 1),
           "expected an input of rank 3, and a number of tokens for each of its entries");
  if (w.hasFailed())
    return {};
  Value isToken = w.reshape(w.make("Less", {w.range(w.sizeOf(x, 1)), w.unsqueeze(lengths, {1})}), {-1});
  Value numbers = w.cast(isToken, w.i64()), places = w.range(w.make("Size", numbers));
  Value upTo = w.make("CumSum", {numbers, zero}), total = w.make("ReduceSum", numbers, w.attr("keepdims", 0));
  Value behind = w.make("Sub", {w.make("Add", {places, total}), upTo});
  Value to = w.make("Where", {isToken, w.make("Sub", {upTo, w.scalar(1)}), behind});
  Value offsets = w.make("ScatterElements", {places, to, places}, w.attr("axis", 0));
  Value rows = w.make("Reshape",
                      {x, w.make("Concat", {w.ints({-1}), w.make("Shape", x, w.attr("start", 2))}, w.attr("axis", 0))});
  Value tokens = w.make("Slice", {w.make("Gather", {rows, offsets}), w.ints({0}), w.reshape(total, {1}), w.ints({0})});
  Value ends = w.make("Concat", {w.ints({0}), w.make("CumSum", {lengths, zero})}, w.attr("axis", 0));
  return {tokens, w.cast(w.make("Reshape", {offsets, w.make("Shape", x, w.attr("end", 2))}), w.i32()),
          w.cast(ends, w.i32()), w.cast(w.make("ReduceMax", lengths, w.attr("keepdims", 1)), w.i32())};
}

/// Moves the tokens back. Padding is zero.
WrittenResults cameo::writeRestorePadding(NodeWriter &w) {
  Value tokens = w.operand(0), offsets = w.operand(1);
  w.expect(w.hasFailed() || (w.rankOf(tokens) == 2 && w.rankOf(offsets) == 2),
           "expected a row for each token, and offsets of rank 2");
  if (w.hasFailed())
    return {};
  Value flat = w.reshape(w.cast(offsets, w.i64()), {-1}), places = w.range(w.make("Size", flat));
  Value from = w.make("ScatterElements", {places, flat, places}, w.attr("axis", 0)), total = w.sizeOf(tokens, 0);
  // A row of zeros behind the tokens is the padding.
  Value rows = w.make("Gather", {w.lengthen(tokens, 0, w.scalar(1)), w.make("Min", {from, total})});
  Value width = w.make("Shape", tokens, w.attr("start", 1));
  return {w.make("Reshape", {rows, w.make("Concat", {w.make("Shape", offsets), width}, w.attr("axis", 0))})};
}

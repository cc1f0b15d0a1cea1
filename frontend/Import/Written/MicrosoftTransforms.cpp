// Rewrites operators of com.microsoft without a close counterpart in the default domain: matrix inverses, Fourier
// transforms of real signals, crops of images and windows of tensors.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/ConstantData.h"

#include <numeric>

using namespace mlir;
using namespace cameo;

/// Returns dimension `fromEnd` of an operand, counted from the last one. Fails the writer and returns 0 if it is
/// dynamic.
static int64_t expectSize(NodeWriter &w, Value value, int64_t fromEnd, const Twine &what) {
  std::optional<int64_t> size = w.hasFailed() ? std::nullopt : knownSize(value, fromEnd);
  w.expect(w.hasFailed() || size.has_value(), what);
  return size.value_or(0);
}

/// Inverts matrices by Gauss-Jordan elimination with partial pivoting. Each iteration turns one column of the left half
/// of [X, 1] into a column of the identity matrix.
WrittenResults cameo::writeInverse(NodeWriter &w) {
  Value x = w.operand(0);
  int64_t size = expectSize(w, x, 0, "expected matrices of known size");
  w.expect(size > 0 && size == expectSize(w, x, 1, "expected matrices of known size"),
           "expected matrices with as many rows as columns, one or more");
  if (w.hasFailed())
    return {};
  Type element = w.elementOf(x), computed = element.isF64() ? element : w.f32();
  SmallVector<int64_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  Value rows = w.ints(numbers), matrices = w.cast(w.reshape(x, {-1, size, size}), computed);
  Value diagonal = w.make("Equal", {w.unsqueeze(rows, {1}), rows});
  Value identity = w.make("Expand", {w.cast(diagonal, computed), w.make("Shape", matrices)});
  Value joined = w.make("Concat", {matrices, identity}, w.attr("axis", 2));
  auto column = [&](Value value, Value place) { return w.make("Gather", {value, place}, w.attr("axis", 2)); };
  Value done =
      w.repeat(w.scalar(size), joined, [&](Value step, ArrayRef<Value> carried) -> SmallVector<Value> {
         Value all = carried[0], isStep = w.unsqueeze(w.make("Equal", {rows, step}), {1});
         Value sizes = w.make("Where", {w.make("GreaterOrEqual", {rows, step}), w.make("Abs", column(all, step)),
                                        w.number(-1, computed)});
         Value pivot = w.make("ArgMax", sizes, {w.attr("axis", 1), w.attr("keepdims", 1)});
         Value isPivot = w.unsqueeze(w.make("Equal", {rows, pivot}), {2});
         Value pivotRow = w.make("ReduceSum", {w.make("Where", {isPivot, all, w.number(0, computed)}), w.ints({1})},
                                 w.attr("keepdims", 1));
         Value stepRow = w.make("Gather", {all, w.unsqueeze(step, {0})}, w.attr("axis", 1));
         Value exchanged = w.make("Where", {isStep, pivotRow, w.make("Where", {isPivot, stepRow, all})});
         Value scaled = w.make("Div", {pivotRow, w.unsqueeze(column(pivotRow, step), {2})});
         Value rest = w.make("Sub", {exchanged, w.make("Mul", {w.unsqueeze(column(exchanged, step), {2}), scaled})});
         return {Value(), w.make("Where", {isStep, scaled, rest})};
       }).front();
  Value inverse = w.make("Slice", {done, w.ints({size}), w.ints({2 * size}), w.ints({2})});
  return {w.cast(w.make("Reshape", {inverse, w.make("Shape", x)}), element)};
}

namespace {

/// The attributes of both transforms: the number of trailing dimensions of a signal.
struct SignalForm {
  explicit SignalForm(NodeWriter &w) : dimensions(w.takeInt("signal_ndim", 1)) {
    w.expect(dimensions >= 1 && dimensions <= 3, "expected 'signal_ndim' of 1 to 3, got " + Twine(dimensions));
    w.expect(w.takeInt("onesided", 1) == 1, "expected 'onesided' of 1");
    w.expect(w.takeInt("normalized", 0) == 0, "expected 'normalized' of 0");
  }
  int64_t dimensions;
};

/// Creates a DFT along `axis`, which counts from the end. The last dimension holds real and imaginary parts. `length`
/// may be onnx.None.
Value transform(NodeWriter &w, Value value, Value length, int64_t axis, bool isInverse, bool isOneSided) {
  return w.make("DFT", {value, length, w.scalar(axis)},
                {w.attr("inverse", int64_t(isInverse)), w.attr("onesided", int64_t(isOneSided))});
}

} // namespace

WrittenResults cameo::writeRfft(NodeWriter &w) {
  SignalForm form(w);
  Value spectrum =
      transform(w, w.unsqueeze(w.operand(0), {-1}), w.none(), -2, /*isInverse=*/false, /*isOneSided=*/true);
  for (int64_t axis = 1; axis < form.dimensions; ++axis)
    spectrum = transform(w, spectrum, w.none(), -2 - axis, /*isInverse=*/false, /*isOneSided=*/false);
  return {spectrum};
}

/// The signal is assumed to have an even number of elements, because half a spectrum does not show it.
WrittenResults cameo::writeIrfft(NodeWriter &w) {
  SignalForm form(w);
  Value spectrum = w.operand(0);
  int64_t parts = expectSize(w, spectrum, 1, "expected a spectrum of known length");
  w.expect(w.hasFailed() || parts >= 2, "expected a spectrum of 2 elements or more, got " + Twine(parts));
  for (int64_t axis = form.dimensions - 1; axis > 0; --axis)
    spectrum = transform(w, spectrum, w.none(), -2 - axis, /*isInverse=*/true, /*isOneSided=*/false);
  Value signal = transform(w, spectrum, w.scalar(2 * (parts - 1)), -2, /*isInverse=*/true, /*isOneSided=*/true);
  return {w.make("Squeeze", {signal, w.ints({-1})})};
}

/// Extracts windows of `size` elements along a dimension at every `step` elements. The elements of a window become the
/// last dimension.
WrittenResults cameo::writeUnfoldTensor(NodeWriter &w) {
  Value x = w.operand(0);
  int64_t axis = w.takeInt("dim", -1), size = w.takeInt("size", 0), step = w.takeInt("step", 1), rank = w.rankOf(x);
  if (w.hasFailed())
    return {};
  w.expect(axis >= -rank && axis < rank, "expected 'dim' of a dimension of " + Twine(rank) + ", got " + Twine(axis));
  w.expect(size > 0 && step > 0, "expected 'size' and 'step' of 1 or more");
  if (w.hasFailed())
    return {};
  axis += axis < 0 ? rank : 0;
  int64_t length = expectSize(w, x, rank - 1 - axis, "expected a known size in dimension " + Twine(axis));
  w.expect(w.hasFailed() || size <= length, "expected 'size' of at most " + Twine(length) + ", got " + Twine(size));
  if (w.hasFailed())
    return {};
  SmallVector<int64_t> places, perm;
  int64_t count = (length - size) / step + 1;
  for (int64_t window = 0; window < count; ++window)
    for (int64_t i = 0; i < size; ++i)
      places.push_back(window * step + i);
  Value windows = w.make("Gather", {x, w.reshape(w.ints(places), {count, size})}, w.attr("axis", axis));
  for (int64_t i = 0; i <= rank; ++i)
    if (i != axis + 1)
      perm.push_back(i);
  perm.push_back(axis + 1);
  return {w.transpose(windows, perm)};
}

namespace {

/// The positions of the samples of each box along one axis of the images, of shape [boxes, samples].
struct Samples {
  Value places;   ///< positions as f32; 0 for samples outside of the image
  Value isInside; ///< whether a sample is inside the image
};

Samples placeSamples(NodeWriter &w, Value boxes, int64_t firstColumn, Value size, int64_t count) {
  auto bound = [&](int64_t column) { return w.make("Gather", {boxes, w.ints({column})}, w.attr("axis", 1)); };
  Value last = w.make("Sub", {w.cast(size, w.f32()), w.number(1, w.f32())});
  Value begin = w.make("Mul", {bound(firstColumn), last}), end = w.make("Mul", {bound(firstColumn + 2), last});
  Value places;
  if (count == 1) {
    places = w.make("Mul", {w.make("Add", {begin, end}), w.number(0.5, w.f32())});
  } else {
    SmallVector<float> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    Value step = w.make("Div", {w.make("Sub", {end, begin}), w.number(count - 1, w.f32())});
    places = w.make("Add", {begin, w.make("Mul", {w.floats(numbers), step})});
    // The last sample is exactly at the end of the box. Rounding could otherwise move it outside of the image.
    SmallVector<char> isLast(count, 0);
    isLast.back() = 1;
    places = w.make("Where", {w.flags(isLast), end, places});
  }
  Value isInside =
      w.make("And", {w.make("GreaterOrEqual", {places, w.number(0, w.f32())}), w.make("LessOrEqual", {places, last})});
  return {w.make("Where", {isInside, places, w.number(0, w.f32())}), isInside};
}

} // namespace

/// Resamples boxes of images with aligned corners, as TensorFlow does. The pixels around each sample are gathered as
/// rows of a matrix with all pixels of all images.
WrittenResults cameo::writeCropAndResize(NodeWriter &w) {
  std::string mode = w.takeString("mode", "bilinear");
  float outside = w.takeFloat("extrapolation_value", 0);
  w.expect(mode == "bilinear" || mode == "nearest", "expected a 'mode' bilinear or nearest, got " + Twine(mode));
  Value images = w.cast(w.operand(0), w.f32()), boxes = w.cast(w.operand(1), w.f32());
  w.expect(w.hasFailed() || (w.rankOf(images) == 4 && w.rankOf(boxes) == 2),
           "expected images of rank 4 and a row for each box");
  std::optional<SmallVector<int64_t>> crop = cameo::onnx::getConstantInts(w.operand(3));
  w.expect(crop && crop->size() == 2 && (*crop)[0] > 0 && (*crop)[1] > 0,
           "expected a 'crop_size' of two known numbers of 1 or more");
  int64_t channels = expectSize(w, images, 2, "expected a known number of channels");
  if (w.hasFailed())
    return {};
  Value height = w.sizeOf(images, 2), width = w.sizeOf(images, 3);
  Samples y = placeSamples(w, boxes, 0, height, (*crop)[0]), x = placeSamples(w, boxes, 1, width, (*crop)[1]);
  Value pixels = w.reshape(w.transpose(images, {0, 2, 3, 1}), {-1, channels});
  Value firstRows = w.make("Mul", {w.cast(w.operand(2), w.i64()), height});
  auto pixelsAt = [&](StringRef round, StringRef roundX) {
    Value rows = w.make("Add", {w.unsqueeze(firstRows, {1}), w.cast(w.make(round, y.places), w.i64())});
    Value begins = w.unsqueeze(w.make("Mul", {rows, width}), {2});
    Value columns = w.unsqueeze(w.cast(w.make(roundX, x.places), w.i64()), {1});
    return w.make("Gather", {pixels, w.make("Add", {begins, columns})}, w.attr("axis", 0));
  };
  auto part = [&](const Samples &samples, int64_t axis) {
    return w.unsqueeze(w.make("Sub", {samples.places, w.make("Floor", samples.places)}), {axis, 3});
  };
  auto between = [&](Value from, Value to, Value amount) {
    return w.make("Add", {from, w.make("Mul", {w.make("Sub", {to, from}), amount})});
  };
  Value samples;
  if (mode == "bilinear") {
    Value top = between(pixelsAt("Floor", "Floor"), pixelsAt("Floor", "Ceil"), part(x, 1));
    Value bottom = between(pixelsAt("Ceil", "Floor"), pixelsAt("Ceil", "Ceil"), part(x, 1));
    samples = between(top, bottom, part(y, 2));
  } else {
    // Round to the nearest pixel, ties upwards. The positions are not negative.
    for (Samples *each : {&y, &x})
      each->places = w.make("Add", {each->places, w.number(0.5, w.f32())});
    samples = pixelsAt("Floor", "Floor");
  }
  Value isInside = w.make("And", {w.unsqueeze(y.isInside, {2}), w.unsqueeze(x.isInside, {1})});
  samples = w.make("Where", {w.unsqueeze(isInside, {3}), samples, w.number(outside, w.f32())});
  return {w.cast(w.transpose(samples, {0, 3, 1, 2}), w.elementOf(w.operand(0)))};
}

// Pools: one linalg.generic over the windows, whose sizes are those of a tensor that is not read, then an elementwise
// one.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/Formulas/Extremum.h"
#include "passes/Lower/Formulas/Window.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <numeric>

using namespace mlir;

namespace cameo::lower {
namespace {

/// The loops of a pool: n, spatial..., c, then the window, in the same order for both layouts, as for convolutions.
struct PoolLoops {
  unsigned rank;
  bool channelsLast;

  unsigned channel() const { return 1 + rank; }
  unsigned firstKernel() const { return 2 + rank; }
  unsigned firstSpatialPosition() const { return channelsLast ? 1 : 2; }
  Exprs index(GenericBuilder &b, const Exprs &spatial) const {
    Exprs index = {b.dim(0)};
    if (!channelsLast)
      index.push_back(b.dim(channel()));
    index.append(spatial);
    if (channelsLast)
      index.push_back(b.dim(channel()));
    return index;
  }
};

/// The accesses and loops of a pool.
struct PoolAccesses {
  SmallVector<Access> inputs;
  Exprs result;
  Loops loops;
};

PoolAccesses accessWindows(GenericBuilder &b, Value padded, const Window &window, PoolLoops pool) {
  unsigned rank = window.rank();
  Access image{padded, pool.index(b, windowIndex(b, window, 1, pool.firstKernel()))};
  // Only its sizes are used: no other tensor has those of the window.
  Access extents{b.empty(window.kernel, elementOf(padded)), b.dims(rank, pool.firstKernel())};
  return {{image, extents}, pool.index(b, b.dims(rank, 1)), {2 + rank, rank}};
}

template <typename OpTy> FailureOr<Window> poolWindow(OpTy op) {
  return windowOf(op, op.getX(), op.getY(), toShape(op.getKernelShape()));
}

/// Combines all elements of each window.
Value pool(GenericBuilder &b, Value padded, const Window &window, PoolLoops loops, ShapeRef shape, TypedAttr initial,
           GenericBuilder::Body body) {
  PoolAccesses accesses = accessWindows(b, padded, window, loops);
  return b
      .generic(
          accesses.loops, accesses.inputs, {{b.filled(shape, initial), accesses.result}},
          [&](ScalarBuilder &s, ValueRange x) { return Values{body(s, {s.convert(x[0], initial.getType()), x[2]})}; })
      .front();
}

/// Returns the index in the input of the window's element, per spatial dimension. It is out of bounds in padding.
SmallVector<Value> elementPlaces(ScalarBuilder &s, const Window &window, PoolLoops pool) {
  SmallVector<Value> places;
  for (unsigned i = 0; i < window.rank(); ++i) {
    Value at = s.add(s.mul(s.position(1 + i), s.indexConstant(window.strides[i])),
                     s.mul(s.position(pool.firstKernel() + i), s.indexConstant(window.dilations[i])));
    places.push_back(s.sub(at, s.size(window.padBegin[i])));
  }
  return places;
}

/// Returns the flat index of the input element at `places`, in the order that MaxPool's indices use.
Value flatPosition(ScalarBuilder &s, onnx::MaxPoolOp op, const Window &window, PoolLoops pool, ArrayRef<Value> places) {
  Shape shape = shapeOf(op.getX());
  Dim channels = op.getChannelsLast() ? shape.back() : shape[1];
  Value flat = s.add(s.mul(s.position(0), s.size(channels)), s.position(pool.channel()));
  flat = s.mul(flat, s.size(sizeOf(window.input)));
  SmallVector<unsigned> order(window.rank());
  std::iota(order.begin(), order.end(), 0);
  if (op.getStorageOrder() == 0) // the last dimension is the fastest
    std::reverse(order.begin(), order.end());
  Dim stride = 1;
  for (unsigned i : order) {
    flat = s.add(flat, s.mul(places[i], s.size(stride)));
    stride = stride * window.input[i];
  }
  return s.fromIndex(flat, s.builder.getI64Type());
}

/// Returns whether `places` is an element of the input and not padding; null if windows hold no padding.
Value isInImage(ScalarBuilder &s, const Window &window, ArrayRef<Value> places) {
  Value isInside;
  auto expect = [&](Value holds) { isInside = isInside ? s.logicalAnd(isInside, holds) : holds; };
  for (auto [i, place] : llvm::enumerate(places)) {
    if (window.padBegin[i] != 0)
      expect(s.compare(Order::GreaterOrEqual, place, s.indexConstant(0)));
    if (window.roomBehind(i) > 0)
      expect(s.compare(Order::Less, place, s.size(window.input[i])));
  }
  return isInside;
}

/// Computes the first of the greatest elements of each window, and its index. Padding is excluded by its index, because
/// elements may be equal to it.
Values poolWithIndices(onnx::MaxPoolOp op, GenericBuilder &b, Value padded, const Window &window, PoolLoops loops,
                       TypedAttr lowest) {
  constexpr int64_t none = -1;
  PoolAccesses accesses = accessWindows(b, padded, window, loops);
  Access values{b.filled(resultShape(op), lowest), accesses.result};
  Access indices{b.filled(resultShape(op), b.getI64IntegerAttr(none)), accesses.result};
  Sign sign = signOf(op.getX());
  bool holdsPadding = false;
  Values made = b.generic(accesses.loops, accesses.inputs, {values, indices}, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> places = elementPlaces(s, window, loops);
    Value isFirst = s.compare(Order::Less, x[3], s.integer(x[3].getType(), 0));
    if (Value isInside = isInImage(s, window, places)) {
      isFirst = s.logicalAnd(isFirst, isInside);
      holdsPadding = true;
    }
    Value isTaken = s.logicalOr(isFirst, Extremum{/*isMax=*/true, sign}.isBetter(s, x[0], x[2]));
    return Values{s.select(isTaken, x[0], x[2]), s.select(isTaken, flatPosition(s, op, window, loops, places), x[3])};
  });
  // A window of padding only has no element; it gets a valid index.
  if (holdsPadding)
    made[1] = b.compute(resultShape(op), b.getI64Type(), {b.whole(made[1])},
                        [](ScalarBuilder &s, ValueRange x) { return s.max(x[0], s.integer(x[0].getType(), 0)); });
  return made;
}

Lowered lowerMaxPool(onnx::MaxPoolOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> made = poolWindow(op);
  if (failed(made))
    return failure();
  const Window &window = *made;
  PoolLoops loops{window.rank(), op.getChannelsLast()};
  Sign sign = signOf(op.getX());
  TypedAttr lowest = lowestAttr(resultElement(op), sign);
  Value padded = padForWindow(b, operands[0], window, loops.firstSpatialPosition(), lowest);
  if (onnx::isAbsent(op.getIndices()))
    return Values{pool(b, padded, window, loops, resultShape(op), lowest,
                       [&](ScalarBuilder &s, ValueRange x) { return s.max(x[1], x[0], sign); }),
                  Value()};
  return poolWithIndices(op, b, padded, window, loops, lowest);
}

/// The range of one dimension that an average counts.
struct Counted {
  Dim begin, end;
};

Counted countedPart(const Window &window, unsigned i, bool includePad) {
  return {includePad ? Dim(0) - window.padBegin[i] : 0, window.input[i] + (includePad ? window.padEnd[i] : 0)};
}

/// Returns the number of elements that each window along one dimension averages over.
SmallVector<double> countElements(const Window &window, unsigned i, const Counted &counted) {
  SmallVector<double> counts;
  for (int64_t o = 0; o < window.output[i].getSize(); ++o) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.kernel[i].getSize(); ++k) {
      int64_t at = o * window.strides[i] - window.padBegin[i].getSize() + k * window.dilations[i];
      count += at >= counted.begin.getSize() && at < counted.end.getSize();
    }
    counts.push_back(count);
  }
  return counts;
}

/// Returns the same number at run time, for the window at index `position`.
Value countAt(ScalarBuilder &s, const Window &window, unsigned i, const Counted &counted, Value position, Type type) {
  Value first = s.sub(s.mul(position, s.indexConstant(window.strides[i])), s.size(window.padBegin[i]));
  // Number of window elements before a bound. The quotient is rounded up; negative quotients are clamped to 0.
  auto elementsBefore = [&](const Dim &bound) {
    Value room = s.add(s.sub(s.size(bound), first), s.indexConstant(window.dilations[i] - 1));
    return s.clampIndex(s.div(room, s.indexConstant(window.dilations[i])), window.kernel[i] + 1);
  };
  Value count = s.sub(elementsBefore(counted.end), elementsBefore(counted.begin));
  return s.fromIndex(count, type);
}

Lowered lowerAveragePool(onnx::AveragePoolOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> made = poolWindow(op);
  if (failed(made))
    return failure();
  const Window &window = *made;
  PoolLoops loops{window.rank(), op.getChannelsLast()};
  Shape shape = resultShape(op);
  Type sumType = computeType(resultElement(op));
  Value padded = padForWindow(b, operands[0], window, loops.firstSpatialPosition(), b.getZeroAttr(resultElement(op)));
  Value sums = pool(b, padded, window, loops, shape, b.getZeroAttr(sumType),
                    [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); });
  SmallVector<Access> inputs = {b.whole(sums)};
  SmallVector<std::pair<unsigned, Counted>> later;
  for (unsigned i = 0; i < window.rank(); ++i) {
    Counted counted = countedPart(window, i, op.getCountIncludePad() != 0);
    if (!window.output[i].isStatic() || !counted.end.isStatic()) {
      later.push_back({i, counted});
      continue;
    }
    Value counts = b.constantFloats(sumType, countElements(window, i, counted));
    inputs.push_back(b.along(counts, loops.firstSpatialPosition() + i));
  }
  return one(b.compute(shape, resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    std::optional<double> product = 1;
    Value count;
    for (Value ofDim : x.drop_front()) {
      FloatAttr known;
      product = product && matchPattern(ofDim, m_Constant(&known)) ? std::optional(*product * known.getValueAsDouble())
                                                                   : std::nullopt;
    }
    if (product && later.empty())
      return s.div(x[0], s.number(sumType, *product));
    for (Value ofDim : x.drop_front())
      count = count ? s.mul(count, ofDim) : ofDim;
    for (const auto &[i, counted] : later) {
      Value ofDim = countAt(s, window, i, counted, s.position(loops.firstSpatialPosition() + i), sumType);
      count = count ? s.mul(count, ofDim) : ofDim;
    }
    return s.div(x[0], count);
  }));
}

/// The summand of the norm, and the function of the sum.
Value power(ScalarBuilder &s, Value x, int64_t p) {
  return p == 1 ? s.abs(x) : p == 2 ? s.mul(x, x) : s.pow(s.abs(x), p);
}
Value root(ScalarBuilder &s, Value x, int64_t p) { return p == 1 ? x : s.pow(x, 1.0 / p); }

Lowered lowerLpPool(onnx::LpPoolOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> made = poolWindow(op);
  if (failed(made))
    return failure();
  const Window &window = *made;
  PoolLoops loops{window.rank(), op.getChannelsLast()};
  int64_t p = op.getP();
  Value padded = padForWindow(b, operands[0], window, loops.firstSpatialPosition(), b.getZeroAttr(resultElement(op)));
  Value sums = pool(b, padded, window, loops, resultShape(op), b.getZeroAttr(computeType(resultElement(op))),
                    [&](ScalarBuilder &s, ValueRange x) { return s.add(x[1], power(s, x[0], p)); });
  return one(b.elementwise(resultShape(op), resultElement(op), {sums},
                           [&](ScalarBuilder &s, ValueRange x) { return root(s, x[0], p); }));
}

Lowered lowerGlobalAveragePool(onnx::GlobalAveragePoolOp op, Operands operands, GenericBuilder &b) {
  Type sumType = computeType(resultElement(op));
  Ints axes = spatialAxes(operands[0], op.getChannelsLast());
  Value sums = b.reduce(operands[0], axes, /*keepDims=*/true, b.getZeroAttr(sumType),
                        [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); });
  Dim count = sizeOf(spatialShape(shapeOf(operands[0]), op.getChannelsLast()));
  return one(b.elementwise(resultShape(op), resultElement(op), {sums},
                           [&](ScalarBuilder &s, ValueRange x) { return s.div(x[0], s.size(count, sumType)); }));
}

Lowered lowerGlobalMaxPool(onnx::GlobalMaxPoolOp op, Operands operands, GenericBuilder &b) {
  Value greatest = b.reduce(operands[0], spatialAxes(operands[0], op.getChannelsLast()), /*keepDims=*/true,
                            lowestAttr(computeType(resultElement(op))),
                            [](ScalarBuilder &s, ValueRange x) { return s.max(x[1], x[0]); });
  return one(b.convert(greatest, resultElement(op)));
}

Lowered lowerGlobalLpPool(onnx::GlobalLpPoolOp op, Operands operands, GenericBuilder &b) {
  int64_t p = op.getP();
  Value sums = b.reduce(operands[0], spatialAxes(operands[0], op.getChannelsLast()), /*keepDims=*/true,
                        b.getZeroAttr(computeType(resultElement(op))),
                        [&](ScalarBuilder &s, ValueRange x) { return s.add(x[1], power(s, x[0], p)); });
  return one(b.elementwise(resultShape(op), resultElement(op), {sums},
                           [&](ScalarBuilder &s, ValueRange x) { return root(s, x[0], p); }));
}

} // namespace

void addPools(LoweringTable &table) {
  table.add(lowerMaxPool);
  table.add(lowerAveragePool);
  table.add(lowerLpPool);
  table.add(lowerGlobalAveragePool);
  table.add(lowerGlobalMaxPool);
  table.add(lowerGlobalLpPool);
}

} // namespace cameo::lower

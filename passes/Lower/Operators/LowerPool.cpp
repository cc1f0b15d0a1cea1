// Pools: a linalg.generic over the windows, whose sizes are those of a tensor that is not read, or one for each axis of
// large windows, then an elementwise one.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/Formulas/Extremum.h"
#include "passes/Lower/Formulas/Window.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Target/TargetDialect.h"

#include <functional>
#include <numeric>

using namespace mlir;

namespace cameo::lower {
namespace {

/// The loops of a pool: those of the result in the order of the layout, then the window.
struct PoolLoops {
  unsigned rank;
  bool channelsLast;

  unsigned channel() const { return channelsLast ? 1 + rank : 1; }
  unsigned firstKernel() const { return 2 + rank; }
  unsigned firstSpatial() const { return channelsLast ? 1 : 2; }
};

/// The accesses and loops of a pool.
struct PoolAccesses {
  SmallVector<Access> inputs;
  Exprs result;
  Loops loops;
};

/// The window is a line along each of `axes` in turn, which are numbers of spatial dimensions.
PoolAccesses accessWindows(GenericBuilder &b, Value padded, const Window &window, PoolLoops pool,
                           ArrayRef<unsigned> axes) {
  Exprs index = b.dims(pool.firstKernel());
  Shape kernel;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    AffineExpr &at = index[pool.firstSpatial() + axis];
    at = at * window.strides[axis] + b.dim(pool.firstKernel() + i) * window.dilations[axis];
    kernel.push_back(window.kernel[axis]);
  }
  unsigned count = axes.size();
  // Only its sizes are used: no other tensor has those of the window.
  Access extents{b.empty(kernel, elementOf(padded)), b.dims(count, pool.firstKernel())};
  return {{{padded, index}, extents}, b.dims(pool.firstKernel()), {pool.firstKernel(), count}};
}

template <typename OpTy> FailureOr<Window> poolWindow(OpTy op) {
  return windowOf(op, op.getX(), op.getY(), toShape(op.getKernelShape()));
}

/// How a pool combines the elements of a window: what each contributes, and what two of these become.
struct Combination {
  TypedAttr initial;
  std::function<Value(ScalarBuilder &, Value, Value)> join;
  std::function<Value(ScalarBuilder &, Value)> term;
};

/// Whether windows along the axis look beyond the input.
bool isPadded(const Window &window, unsigned axis) {
  return !(window.padBegin[axis] == 0) || window.roomBehind(axis) > 0;
}

/// Combines the elements of each window along `axes`; the others are left as they are.
Value poolAlong(GenericBuilder &b, Value tensor, const Window &window, PoolLoops loops, ArrayRef<unsigned> axes,
                const Combination &combination) {
  Shape shape = shapeOf(tensor), low(shape.size(), 0), high(shape.size(), 0);
  for (unsigned axis : axes) {
    low[loops.firstSpatial() + axis] = window.padBegin[axis];
    high[loops.firstSpatial() + axis] = window.roomBehind(axis);
    shape[loops.firstSpatial() + axis] = window.output[axis];
  }
  Type element = elementOf(tensor), accumulated = combination.initial.getType();
  Value padded = b.pad(tensor, low, high, element == accumulated ? combination.initial : b.getZeroAttr(element));
  PoolAccesses accesses = accessWindows(b, padded, window, loops, axes);
  auto body = [&](ScalarBuilder &s, ValueRange x) {
    Value element = s.convert(x[0], accumulated);
    return Values{combination.join(s, x[2], combination.term ? combination.term(s, element) : element)};
  };
  return b.generic(accesses.loops, accesses.inputs, {{b.filled(shape, combination.initial), accesses.result}}, body)
      .front();
}

SmallVector<unsigned> windowAxes(const Window &window) { return llvm::to_vector(llvm::seq(window.rank())); }

/// The lines of a window in the order in which they are combined. Behind the outermost one whole rows are left, which
/// are contiguous; channels first the innermost one costs most, so it comes first unless it leaves out columns.
SmallVector<unsigned> orderLines(const Window &window, PoolLoops loops) {
  SmallVector<unsigned> axes;
  for (unsigned axis : windowAxes(window))
    if (!(window.kernel[axis] == 1) || window.strides[axis] != 1 || isPadded(window, axis))
      axes.push_back(axis);
  if (!loops.channelsLast && window.strides.back() == 1)
    std::reverse(axes.begin(), axes.end());
  return axes;
}

/// Whether windows are combined line by line: an axis after the other, with a tensor between them that has the windows
/// of the axes so far. Elements of neighbouring windows are then combined once. Counts loads, of which those beside a
/// vector or with gaps take twice as long, and for each tensor between a load and a store.
bool combinesLines(const Window &window, PoolLoops loops, ArrayRef<unsigned> lines) {
  constexpr int64_t between = 2, fewColumns = 8;
  bool startsInside = lines.front() + 1 == window.rank();
  if (!loops.channelsLast && !isStatic(window.input))
    return false;
  // Without padding the rows of windows would be those of the group, too short for vectors.
  if (!loops.channelsLast && !startsInside && !isPadded(window, lines.front()))
    return false;
  auto weight = [&](unsigned axis) { return !loops.channelsLast && axis + 1 == window.rank() ? 2 : 1; };
  int64_t apart = 0, whole = weight(window.rank() - 1), repeats = 1;
  for (unsigned axis : llvm::reverse(lines)) {
    int64_t steps = window.kernel[axis].getSize();
    apart += (steps * weight(axis) + between) * repeats;
    repeats *= window.strides[axis];
    whole *= steps;
  }
  // Whole windows have those of several rows in a vector.
  const Dim &columns = window.output.back();
  bool hasFewColumns = !loops.channelsLast && columns.getSize() < fewColumns;
  return apart + (hasFewColumns ? apart / 2 : 0) <= whole;
}

/// There lines of each axis would be a kernel of their own.
bool isOnGpu(GenericBuilder &b) {
  // A lowering that is only tried is not in a module.
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto module = parent ? parent->getParentOfType<ModuleOp>() : ModuleOp();
  return module && gpuOf(module);
}

Value pool(GenericBuilder &b, Value tensor, const Window &window, PoolLoops loops, const Combination &combination) {
  SmallVector<unsigned> lines = orderLines(window, loops);
  if (lines.size() < 2 || isOnGpu(b) || !combinesLines(window, loops, lines))
    return poolAlong(b, tensor, window, loops, windowAxes(window), combination);
  Combination later = combination;
  later.term = nullptr;
  Value combined = poolAlong(b, tensor, window, loops, lines.front(), combination);
  for (unsigned axis : llvm::drop_begin(lines))
    combined = poolAlong(b, combined, window, loops, axis, later);
  return combined;
}

/// Returns the index in the input of the window's element, per spatial dimension. It is out of bounds in padding.
SmallVector<Value> elementPlaces(ScalarBuilder &s, const Window &window, PoolLoops pool) {
  SmallVector<Value> places;
  for (unsigned i = 0; i < window.rank(); ++i) {
    Value at = s.add(s.mul(s.position(pool.firstSpatial() + i), s.indexConstant(window.strides[i])),
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
  PoolAccesses accesses = accessWindows(b, padded, window, loops, windowAxes(window));
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
  if (onnx::isAbsent(op.getIndices()))
    return Values{pool(b, operands[0], window, loops,
                       {lowest, [&](ScalarBuilder &s, Value a, Value b) { return s.max(a, b, sign); }}),
                  Value()};
  Value padded = padForWindow(b, operands[0], window, loops.firstSpatial(), lowest);
  return poolWithIndices(op, b, padded, window, loops, lowest);
}

/// The range of one dimension that an average counts.
struct Counted {
  Dim begin, end;
};

Counted countedPart(const Window &window, unsigned i, bool includePad) {
  return {includePad ? Dim(0) - window.padBegin[i] : 0, window.input[i] + (includePad ? window.padEnd[i] : 0)};
}

/// Counts of more windows along a dimension take too much memory and are computed at run time.
constexpr int64_t kMaxCounts = int64_t(1) << 20;

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
  Value sums = pool(b, operands[0], window, loops,
                    {b.getZeroAttr(sumType), [](ScalarBuilder &s, Value a, Value b) { return s.add(a, b); }});
  SmallVector<Access> inputs = {b.whole(sums)};
  SmallVector<std::pair<unsigned, Counted>> later;
  for (unsigned i = 0; i < window.rank(); ++i) {
    Counted counted = countedPart(window, i, op.getCountIncludePad() != 0);
    if (!window.output[i].isStatic() || !counted.end.isStatic() || window.output[i].getSize() > kMaxCounts) {
      later.push_back({i, counted});
      continue;
    }
    Value counts = b.constantFloats(sumType, countElements(window, i, counted));
    inputs.push_back(b.along(counts, loops.firstSpatial() + i));
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
      Value ofDim = countAt(s, window, i, counted, s.position(loops.firstSpatial() + i), sumType);
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
  Value sums = pool(b, operands[0], window, loops,
                    {b.getZeroAttr(computeType(resultElement(op))),
                     [](ScalarBuilder &s, Value a, Value b) { return s.add(a, b); },
                     [&](ScalarBuilder &s, Value x) { return power(s, x, p); }});
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

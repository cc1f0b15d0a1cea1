// Padding: tensor.pad for a constant; for copies of the input, an index computed per output element.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Number of elements that are added before and after each dimension.
struct Amounts {
  Ints low, high;
};

std::optional<Amounts> knownAmounts(onnx::PadOp op, ArrayRef<int64_t> axes, int64_t rank) {
  std::optional<Ints> pads = knownInts(op.getPads());
  if (!pads || pads->size() != 2 * axes.size())
    return std::nullopt;
  Amounts amounts{Ints(rank, 0), Ints(rank, 0)};
  for (auto [number, axis] : llvm::enumerate(axes)) {
    amounts.low[normalizeAxis(axis, rank)] = (*pads)[number];
    amounts.high[normalizeAxis(axis, rank)] = (*pads)[axes.size() + number];
  }
  return amounts;
}

int64_t positiveRemainder(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// Returns the index of the element of a dimension that is copied to index `at`, which may be out of bounds. Negative
/// amounts crop before "wrap" repeats.
int64_t mirrored(int64_t at, int64_t extent, int64_t low, int64_t high, StringRef mode) {
  if (mode == "edge")
    return std::clamp<int64_t>(at, 0, extent - 1);
  if (mode == "wrap") {
    int64_t begin = std::max<int64_t>(-low, 0), left = extent - begin - std::max<int64_t>(-high, 0);
    return begin + positiveRemainder(at - begin, std::max<int64_t>(left, 1));
  }
  // Reflects at the centres of the first and last elements.
  int64_t period = std::max<int64_t>(1, 2 * (extent - 1)), rest = positiveRemainder(at, period);
  return rest < extent ? rest : period - rest;
}

/// Returns the part of the result whose dimensions copy the elements at `sources`. Places at a constant distance are
/// computed, others are read from a table.
Value copyElements(GenericBuilder &b, Value data, ArrayRef<Ints> sources) {
  Shape shape;
  SmallVector<Access> tables;
  SmallVector<std::optional<unsigned>> tableOf(sources.size());
  auto stepOf = [](IntsRef places) { return places.size() < 2 ? 1 : places[1] - places[0]; };
  for (auto [axis, places] : llvm::enumerate(sources)) {
    shape.push_back(places.size());
    bool isLinear = true;
    for (size_t at = 1; at < places.size(); ++at)
      isLinear &= places[at] - places[at - 1] == stepOf(places);
    if (isLinear)
      continue;
    tableOf[axis] = tables.size();
    tables.push_back({b.constantInts(places), {b.dim(axis)}});
  }
  return b.map(shape, elementOf(data), tables, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> indices;
    for (auto [axis, places] : llvm::enumerate(sources)) {
      Value place = tableOf[axis] ? s.toIndex(x[*tableOf[axis]]) : s.position(axis);
      if (!tableOf[axis] && stepOf(places) != 1)
        place = s.mul(place, s.indexConstant(stepOf(places)));
      if (!tableOf[axis] && places.front() != 0)
        place = s.add(place, s.indexConstant(places.front()));
      indices.push_back(place);
    }
    return s.extract(data, indices);
  });
}

/// Whether the elements behind `axis` fill no cache line, so that vectors run along this dimension.
bool hasShortRows(Value data, int64_t axis) {
  constexpr int64_t lineBits = 512;
  return sizeOf(ShapeRef(shapeOf(data)).drop_front(axis + 1)).getSize() * elementOf(data).getIntOrFloatBitWidth() <
         lineBits;
}

/// Copies what is added along the innermost padded dimension and what it had before in loops of their own if it has
/// short rows: nearly all elements are then read as long rows, without a place for each.
Value padByIndex(GenericBuilder &b, Value data, ShapeRef shape, const Amounts &amounts, StringRef mode) {
  SmallVector<Ints> sources(shape.size());
  size_t parted = 0;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    int64_t low = amounts.low[axis], high = amounts.high[axis];
    for (int64_t at = 0; at < extent.getSize(); ++at)
      sources[axis].push_back(mirrored(at - low, shapeOf(data)[axis].getSize(), low, high, mode));
    if (low > 0 || high > 0)
      parted = axis;
  }
  if (sizeOf(shape) == 0)
    return b.empty(shape, elementOf(data));
  if (!hasShortRows(data, parted))
    return copyElements(b, data, sources);
  Ints places = sources[parted], strides(shape.size(), 1);
  int64_t size = places.size(), begin = std::clamp<int64_t>(amounts.low[parted], 0, size),
          end = std::clamp<int64_t>(size - amounts.high[parted], begin, size);
  Value result = b.empty(shape, elementOf(data));
  Shape offsets(shape.size(), 0);
  for (auto [from, to] : {std::pair(int64_t(0), begin), {begin, end}, {end, size}}) {
    if (from == to)
      continue;
    sources[parted].assign(places.begin() + from, places.begin() + to);
    Value part = copyElements(b, data, sources);
    if (to - from == size)
      return part;
    offsets[parted] = from;
    result = b.insert(part, result, offsets, strides);
  }
  return result;
}

Value remainderOf(ScalarBuilder &s, Value at, Value period) {
  Value rest = s.rem(at, period);
  return s.select(s.compare(Order::Less, rest, s.indexConstant(0)), s.add(rest, period), rest);
}

/// As `mirrored`, at run time.
Value mirror(ScalarBuilder &s, Value at, const Dim &extent, Value low, const Dim &padded, StringRef mode) {
  if (mode == "edge")
    return s.clampIndex(at, extent);
  if (mode == "wrap") {
    Value zero = s.indexConstant(0), high = s.sub(s.sub(s.size(padded), s.size(extent)), low);
    Value begin = s.max(s.sub(zero, low), zero),
          left = s.sub(s.sub(s.size(extent), begin), s.max(s.sub(zero, high), zero));
    return s.clampIndex(s.add(begin, remainderOf(s, s.sub(at, begin), left)), extent);
  }
  // A pad is less than the extent (pad_c5), so an index is reflected at most once at each end: no division. What a run
  // pads beyond that is clamped.
  auto magnitude = [&](Value value) { return s.max(value, s.sub(s.indexConstant(0), value)); };
  Value last = s.size(extent - 1);
  return s.clampIndex(s.sub(last, magnitude(s.sub(last, magnitude(at)))), extent);
}

/// Pads tensors of dynamic sizes by known amounts of 0 or more, one axis after the other: what lies inside is copied as
/// it is, and only what is added has a place for each element.
Value padAxes(GenericBuilder &b, Value data, const Amounts &amounts, StringRef mode) {
  int64_t rank = rankOf(data);
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t low = amounts.low[axis], high = amounts.high[axis];
    if (low == 0 && high == 0)
      continue;
    Shape inside = shapeOf(data), shape = inside, offsets(rank, 0);
    shape[axis] = inside[axis] + (low + high);
    auto copy = [&](const Dim &begin, int64_t size) {
      Shape part = inside;
      part[axis] = size;
      return b.map(part, elementOf(data), {}, [&](ScalarBuilder &s, ValueRange) {
        SmallVector<Value> at;
        for (int64_t i = 0; i < rank; ++i)
          at.push_back(s.position(i));
        at[axis] =
            mirror(s, s.add(at[axis], s.size(begin - low)), inside[axis], s.indexConstant(low), shape[axis], mode);
        return s.extract(data, at);
      });
    };
    Value result = b.empty(shape, elementOf(data));
    auto insert = [&](Value part, const Dim &begin) {
      offsets[axis] = begin;
      result = b.insert(part, result, offsets, Ints(rank, 1));
    };
    if (low > 0)
      insert(copy(0, low), 0);
    insert(data, low);
    if (high > 0)
      insert(copy(inside[axis] + low, high), inside[axis] + low);
    data = result;
  }
  return data;
}

/// Lets indices outside read the first element, which even an empty tensor has in memory.
void readFirstOutside(ScalarBuilder &s, MutableArrayRef<Value> indices, Value isInside) {
  for (Value &index : indices)
    index = s.select(isInside, index, s.indexConstant(0));
}

/// Pads by dynamic amounts: the body computes the source of each element.
Value padDynamically(GenericBuilder &b, Value data, ShapeRef shape, Value pads, ArrayRef<int64_t> axes, Value filler,
                     StringRef mode) {
  SmallVector<Access> inputs = {b.single(filler)};
  for (unsigned number = 0; number < axes.size(); ++number)
    inputs.push_back({pads, {b.fixed(number)}});
  return b.map(shape, elementOf(data), inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> indices;
    for (unsigned i = 0; i < shape.size(); ++i)
      indices.push_back(s.position(i));
    Value isInside;
    for (auto [number, unsafeAxis] : llvm::enumerate(axes)) {
      int64_t axis = normalizeAxis(unsafeAxis, shape.size());
      Dim extent = shapeOf(data)[axis];
      Value low = s.toIndex(x[1 + number]), at = s.sub(indices[axis], low);
      if (mode != "constant") {
        indices[axis] = mirror(s, at, extent, low, shape[axis], mode);
        continue;
      }
      Value isBelow = s.compare(Order::Less, at, s.size(extent));
      isBelow = s.logicalAnd(isBelow, s.compare(Order::GreaterOrEqual, at, s.indexConstant(0)));
      isInside = isInside ? s.logicalAnd(isInside, isBelow) : isBelow;
      indices[axis] = at;
    }
    if (isInside)
      readFirstOutside(s, indices, isInside);
    Value element = s.extract(data, indices);
    return isInside ? s.select(isInside, element, x[0]) : element;
  });
}

/// Returns what is added before each dimension, for dynamic axes of `pads`.
Value spreadPads(GenericBuilder &b, Value pads, Value axes, int64_t rank) {
  return b.map({rank}, elementOf(pads), {}, [&](ScalarBuilder &s, ValueRange) {
    Value pad = s.integer(elementOf(pads), 0);
    for (int64_t number = 0, count = shapeOf(axes)[0].getSize(); number < count; ++number) {
      Value axis = s.wrapIndex(s.toIndex(s.extract(axes, {s.indexConstant(number)})), rank);
      Value isAxis = s.compare(Order::Equal, axis, s.position(0));
      pad = s.select(isAxis, s.extract(pads, {s.indexConstant(number)}), pad);
    }
    return pad;
  });
}

/// Returns the padding value as an attribute if it is known at compile time.
std::optional<TypedAttr> knownFiller(onnx::PadOp op, Operands operands, GenericBuilder &b) {
  Type element = resultElement(op);
  if (isString(op.getData().getType()))
    return std::nullopt;
  if (operands.size() < 3 || !operands[2])
    return TypedAttr(b.getZeroAttr(element));
  DenseElementsAttr value;
  if (matchPattern(operands[2], m_Constant(&value)) && value.getNumElements() == 1)
    return cast<TypedAttr>(value.getSplatValue<Attribute>());
  return std::nullopt;
}

Value emptyString(GenericBuilder &b) {
  return b.map({}, b.getI64Type(), {}, [](ScalarBuilder &s, ValueRange) { return literal(s, ""); });
}

/// Returns the only element of a tensor.
Value soleElement(Value tensor, GenericBuilder &b) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return tensor::ExtractOp::create(b, tensor, SmallVector<Value>(rankOf(tensor), zero));
}

Lowered lowerPad(onnx::PadOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  int64_t rank = shape.size();
  std::optional<Ints> axes = knownInts(op.getAxes());
  if (onnx::isAbsent(op.getAxes()))
    axes = allAxes(rank);
  std::optional<Amounts> amounts = axes ? knownAmounts(op, *axes, rank) : std::nullopt;
  Value pads = operands[1];
  if (!axes) {
    if (!isStatic(shapeOf(operands[3])))
      return unsupported(op, "axes whose number is known only at run time");
    pads = spreadPads(b, pads, operands[3], rank);
    axes = allAxes(rank);
  }
  std::optional<TypedAttr> filler = knownFiller(op, operands, b);
  Value given = operands[2];
  if (!given && !filler)
    given = emptyString(b);
  bool isConstant = op.getMode() == "constant", isEmpty = sizeOf(shapeOf(data)) == 0;
  if (isEmpty)
    return one(filler ? b.filled(shape, *filler) : b.broadcast(b.reshape(given, {}), shape));
  bool isFixed = isStatic(shape) && isStatic(shapeOf(data));
  auto isGrowth = [](int64_t amount) { return amount >= 0; };
  if (amounts && !isConstant && !isFixed && llvm::all_of(amounts->low, isGrowth) &&
      llvm::all_of(amounts->high, isGrowth))
    return one(padAxes(b, data, *amounts, op.getMode()));
  if (!amounts || (!isConstant && !isFixed)) {
    auto scalar = RankedTensorType::get({}, resultElement(op));
    Value number = filler ? b.constant(DenseElementsAttr::get(scalar, ArrayRef<Attribute>(*filler))) : given;
    return one(padDynamically(b, data, shape, pads, *axes, number, op.getMode()));
  }
  if (!isConstant)
    return one(padByIndex(b, data, shape, *amounts, op.getMode()));
  Shape low = toShape(amounts->low), high = toShape(amounts->high);
  if (filler)
    return one(b.pad(data, low, high, *filler));
  return one(b.pad(data, low, high, soleElement(given, b)));
}

/// Pads and crops by dynamic sizes: the body computes the source of each element.
Value centerByIndex(GenericBuilder &b, onnx::CenterCropPadOp op, Value data) {
  Shape shape = resultShape(op);
  return b.map(shape, resultElement(op), {}, [&](ScalarBuilder &s, ValueRange) {
    SmallVector<Value> at;
    Value isInside;
    for (auto [axis, extent] : llvm::enumerate(shapeOf(data))) {
      Value growth = s.sub(s.size(shape[axis]), s.size(extent)),
            from = s.sub(s.position(axis), s.div(growth, s.indexConstant(2)));
      Value isOfAxis = s.logicalAnd(s.compare(Order::GreaterOrEqual, from, s.indexConstant(0)),
                                    s.compare(Order::Less, from, s.size(extent)));
      isInside = isInside ? s.logicalAnd(isInside, isOfAxis) : isOfAxis;
      at.push_back(from);
    }
    readFirstOutside(s, at, isInside);
    Value filler =
        isString(op.getInputData().getType()) ? literal(s, "") : s.constant(b.getZeroAttr(resultElement(op)));
    return s.select(isInside, s.extract(data, at), filler);
  });
}

Lowered lowerCenterCropPad(onnx::CenterCropPadOp op, Operands operands, GenericBuilder &b) {
  Shape low, high;
  for (auto [from, to] : llvm::zip_equal(shapeOf(operands[0]), resultShape(op))) {
    Dim growth = to - from;
    if (!growth.isStatic())
      return one(centerByIndex(b, op, operands[0]));
    // Rounded towards zero: the odd element is cropped or added at the end.
    low.push_back(growth.getSize() / 2);
    high.push_back(growth.getSize() - growth.getSize() / 2);
  }
  if (isString(op.getInputData().getType()))
    return one(b.pad(operands[0], low, high, soleElement(emptyString(b), b)));
  return one(b.pad(operands[0], low, high, b.getZeroAttr(resultElement(op))));
}

} // namespace

void addPads(LoweringTable &table) {
  table.add(lowerPad);
  table.add(lowerCenterCropPad);
}

} // namespace cameo::lower

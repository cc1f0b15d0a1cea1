#include "passes/Lower/Formulas/FindExtremum.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Found findNothing(GenericBuilder &b, ShapeRef shape, Type type, const Choice &choice) {
  Sign sign = choice.extremum.sign;
  TypedAttr worst = choice.extremum.isMax ? lowestAttr(type, sign) : highestAttr(type, sign);
  if (auto floats = dyn_cast<FloatType>(type); floats && !choice.extremum.prefersNaN)
    worst = b.getFloatAttr(floats, APFloat::getQNaN(floats.getFloatSemantics()));
  return {b.filled(shape, worst), b.filled(shape, b.getI64IntegerAttr(0))};
}

/// Continues a search along an axis, which `before` has with size 1. The first element has index `first`.
Found findAlong(GenericBuilder &b, Value data, int64_t axis, const Dim &first, const Found &before,
                const Choice &choice) {
  int64_t rank = rankOf(data);
  Exprs target;
  for (int64_t at = 0; at < rank; ++at)
    target.push_back(at == axis ? b.fixed(0) : b.dim(at < axis ? at : at - 1));
  Values found = b.generic({static_cast<unsigned>(rank - 1), 1}, {{data, b.reducedIndex(rank, {axis})}},
                           {{before.value, target}, {before.index, target}}, [&](ScalarBuilder &s, ValueRange x) {
                             Value takes = choice.replaces(s, x[0], x[1]);
                             Value position = s.position(rank - 1);
                             if (first != 0)
                               position = s.add(position, s.size(first));
                             position = s.fromIndex(position, b.getI64Type());
                             return Values{s.select(takes, x[0], x[1]), s.select(takes, position, x[2])};
                           });
  return {found[0], found[1]};
}

/// Searches rows column by column, so that columns are lanes; then the best of the columns, and what remains of the
/// row.
Found findInColumns(GenericBuilder &b, Value data, const Dim &rows, const Dim &extent, int64_t columns,
                    const Choice &choice) {
  Type type = elementOf(data);
  Dim steps = extent / columns, whole = steps * columns;
  Value flat = b.reshape(data, {rows, extent});
  auto cut = [&](const Dim &begin, const Dim &size) {
    return size == extent ? flat : b.slice(flat, {0, begin}, {rows, size}, {1, 1});
  };
  Value folded = b.reshape(cut(0, whole), {rows, steps, columns});
  Found each = findAlong(b, folded, 1, 0, findNothing(b, {rows, 1, columns}, type, choice), choice);
  Found start = findNothing(b, {rows, 1}, type, choice);
  Exprs read = {b.dim(0), b.dim(1)}, target = {b.dim(0), b.fixed(0)};
  Values best = b.generic(
      {1, 1}, {{b.reshape(each.value, {rows, columns}), read}, {b.reshape(each.index, {rows, columns}), read}},
      {{start.value, target}, {start.index, target}}, [&](ScalarBuilder &s, ValueRange x) {
        Value column = s.fromIndex(s.position(1), b.getI64Type());
        Value index = s.add(s.mul(x[1], s.integer(b.getI64Type(), columns)), column);
        Value isOther = s.compare(choice.takesLast ? Order::Greater : Order::Less, index, x[3]);
        Value takes = s.logicalOr(choice.extremum.isBetter(s, x[0], x[2]),
                                  s.logicalAnd(choice.extremum.areEqual(s, x[0], x[2]), isOther));
        return Values{s.select(takes, x[0], x[2]), s.select(takes, index, x[3])};
      });
  Found found{best[0], best[1]};
  if (whole != extent)
    found = findAlong(b, cut(whole, extent - whole), 1, whole, found, choice);
  return found;
}

/// Returns the number of columns by which rows are searched, or 1 where the rows themselves are lanes: as many as hide
/// the latency of a comparison, but few in a short row, because the best of the columns is found one by one.
int64_t countColumns(const Dim &rows, const Dim &extent) {
  constexpr int64_t lanes = 8, shortest = 64, middle = 512, manyRows = 1024, longest = 4096;
  if (!extent.isStatic())
    return lanes;
  // Elements of many rows that lie one row apart share few sets of a cache.
  bool hasRows = rows.isStatic() && rows.getSize() >= lanes;
  if (extent.getSize() < (hasRows ? manyRows : shortest))
    return 1;
  return extent.getSize() < middle ? lanes : extent.getSize() < longest ? 2 * lanes : 8 * lanes;
}

} // namespace

Found findExtremum(GenericBuilder &b, Value data, int64_t axis, const Choice &choice) {
  Shape shape = shapeOf(data);
  Dim extent = shape[axis];
  shape[axis] = 1;
  auto isOne = [](const Dim &dim) { return dim == 1; };
  Dim rows = sizeOf(shape);
  int64_t columns = rows != 0 && llvm::all_of(ShapeRef(shape).drop_front(axis), isOne) ? countColumns(rows, extent) : 1;
  if (columns > 1) {
    Found found = findInColumns(b, data, rows, extent, columns, choice);
    return {b.reshape(found.value, shape), b.reshape(found.index, shape)};
  }
  return findAlong(b, data, axis, 0, findNothing(b, shape, elementOf(data), choice), choice);
}

} // namespace cameo::lower

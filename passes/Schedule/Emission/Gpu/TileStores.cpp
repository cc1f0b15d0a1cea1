#include "passes/Schedule/Emission/Gpu/TileStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

TileStores::TileStores(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, const BlockTile &tile,
                       ArrayRef<Position> positions, ArrayRef<int64_t> neighbours, SplitParts parts, Value part)
    : builder(builder), nest(nest), buffers(buffers), tile(tile), positions(positions), neighbours(neighbours),
      parts(parts), part(part) {}

Value TileStores::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

/// Neighbours along `dim`, numbers of `type`, that one access stores: as many as a thread has, of which all or none
/// exist.
Lanes TileStores::lanesAlong(unsigned dim, Type type) const {
  const TiledDimension &tiled = tile.dims[dim];
  Lanes lanes{dim, 1};
  while (lanes.count < mostLanes(type) && neighbours[dim] % (2 * lanes.count) == 0 &&
         (!tiled.isRagged() || tiled.extent % (2 * lanes.count) == 0))
    lanes.count *= 2;
  return lanes;
}

/// Neighbours in the memory of parts, or of the first result.
Lanes TileStores::chooseLanes() const {
  const Output &first = nest.outputs.front();
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    if (part)
      return lanesAlong(dim, nest.nodes[nest.reductions[0].update].type);
    if (first.address.coefficients[dim] == 1)
      return lanesAlong(dim, nest.nodes[first.value].type);
  }
  return {};
}

Value TileStores::placeAlong(unsigned dim, int64_t offset) {
  Value at;
  for (auto [value, factor] : positions[dim].terms) {
    Value term = arith::MulIOp::create(builder, nest.loc, value, constant(factor));
    at = at ? arith::AddIOp::create(builder, nest.loc, at, term).getResult() : term;
  }
  return at ? arith::AddIOp::create(builder, nest.loc, at, constant(offset)).getResult() : constant(offset);
}

/// The number of the point `at` of the nest, the last dimension varying fastest.
Value TileStores::numberOf(const Point &at) {
  int64_t stride = 1;
  Value number;
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    Value within = arith::MulIOp::create(builder, nest.loc, placeAlong(dim, at[dim]), constant(stride));
    number = number ? arith::AddIOp::create(builder, nest.loc, number, within).getResult() : within;
    stride *= tile.dims[dim].extent;
  }
  return number;
}

Value TileStores::isInside(unsigned dim, int64_t offset) {
  Value &known = inside[{dim, offset}];
  if (!known)
    known = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, placeAlong(dim, offset),
                                  constant(tile.dims[dim].extent));
  return known;
}

void TileStores::emit(ArrayRef<Point> points, ArrayRef<Value> sums) {
  Location loc = nest.loc;
  Lanes lanes = chooseLanes();
  SmallVector<unsigned> ragged;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (!nest.dims[dim].reduction && tiled.isRagged())
      ragged.push_back(dim);
  for (const Point &point : points)
    for (unsigned dim : ragged)
      isInside(dim, point[dim]);
  std::optional<LaneEvaluator> all;
  if (ragged.empty())
    all.emplace(builder, nest, buffers, positions, lanes);
  size_t count = nest.reductions.size();
  auto number = [&](const Point &point) { return llvm::find(points, point) - points.begin(); };
  for (const Point &point : points) {
    if (point[lanes.dim] % lanes.count != 0)
      continue;
    std::vector<SmallVector<Value>> results;
    Point lane = point;
    for (int64_t each = 0; each < lanes.count; ++each, ++lane[lanes.dim]) {
      ArrayRef<Value> own = sums.slice(number(lane) * count, count);
      results.emplace_back(own.begin(), own.end());
    }
    OpBuilder::InsertionGuard guard(builder);
    Value exists;
    for (unsigned dim : ragged)
      exists = exists ? arith::AndIOp::create(builder, loc, exists, isInside(dim, point[dim])).getResult()
                      : isInside(dim, point[dim]);
    if (exists)
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
    if (part) {
      storeParts(builder, nest, parts, part, numberOf(point),
                 llvm::map_to_vector(results, [](const SmallVector<Value> &each) { return each[0]; }));
      continue;
    }
    LaneEvaluator own(builder, nest, buffers, positions, lanes);
    for (const Output &output : nest.outputs)
      (all ? *all : own).storeLanes(output, point, results);
  }
}

} // namespace cameo::schedule

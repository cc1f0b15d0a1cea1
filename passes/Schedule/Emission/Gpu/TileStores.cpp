#include "passes/Schedule/Emission/Gpu/TileStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

TileStores::TileStores(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, const BlockTile &tile,
                       ArrayRef<Position> positions, ArrayRef<int64_t> neighbours, const BlockVectors *vectors)
    : builder(builder), nest(nest), buffers(buffers), tile(tile), positions(positions), neighbours(neighbours),
      vectors(vectors) {}

Value TileStores::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

/// Returns the lanes along `dim`, elements of `type`, of one store: contiguous points of a thread that either all exist
/// or all do not.
Lanes TileStores::lanesAlong(unsigned dim, Type type) const {
  const TiledDimension &tiled = tile.dims[dim];
  Lanes lanes{dim, 1};
  while (lanes.count < mostLanes(type) && neighbours[dim] % (2 * lanes.count) == 0 &&
         (!tiled.isRagged() || tiled.extent % (2 * lanes.count) == 0))
    lanes.count *= 2;
  return lanes;
}

/// Returns the lanes that are contiguous in the memory of parts, or of the first output.
Lanes TileStores::chooseLanes(bool ofParts) const {
  const Output &first = nest.outputs.front();
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    if (ofParts)
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

/// Returns the number of point `at` of the nest, the last dimension varying fastest.
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

SmallVector<unsigned> TileStores::raggedDims(Edges edges) const {
  SmallVector<unsigned> ragged;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    bool hasWholeThreads = tiled.parts() == 1 && tiled.extent % tiled.thread == 0;
    if (!nest.dims[dim].reduction && tiled.isRagged() && hasWholeThreads == (edges == Edges::AllOrNone))
      ragged.push_back(dim);
  }
  return ragged;
}

/// Returns whether `point` exists in this block along the dimensions in `ragged`; null if it always does.
Value TileStores::exists(const Point &point, ArrayRef<unsigned> ragged) {
  Value all;
  for (unsigned dim : ragged) {
    Value one = isInside(dim, point[dim]);
    all = all ? arith::AndIOp::create(builder, nest.loc, all, one).getResult() : one;
  }
  return all;
}

Value TileStores::exists(const Point &point) {
  SmallVector<unsigned> ragged = raggedDims(Edges::AllOrNone);
  llvm::append_range(ragged, raggedDims(Edges::Any));
  return exists(point, ragged);
}

void TileStores::enterWhereExists(const Point &point, ArrayRef<unsigned> ragged) {
  if (Value known = exists(point, ragged))
    builder.setInsertionPointToStart(scf::IfOp::create(builder, nest.loc, known, /*withElseRegion=*/false).thenBlock());
}

/// Enters code for all `points` of a thread that has some or all of them. It computes before which of these exist along
/// the dimensions in `ragged`.
void TileStores::enterThread(ArrayRef<Point> points, ArrayRef<unsigned> ragged) {
  for (const Point &point : points)
    for (unsigned dim : ragged)
      isInside(dim, point[dim]);
  enterWhereExists(points.front(), raggedDims(Edges::AllOrNone));
}

/// Returns the results of the lanes from `point` on.
static std::vector<SmallVector<Value>> resultsOf(Point point, Lanes lanes, ArrayRef<Point> points, ArrayRef<Value> sums,
                                                 size_t count) {
  std::vector<SmallVector<Value>> results;
  for (int64_t each = 0; each < lanes.count; ++each, ++point[lanes.dim]) {
    ArrayRef<Value> own = sums.slice((llvm::find(points, point) - points.begin()) * count, count);
    results.emplace_back(own.begin(), own.end());
  }
  return results;
}

/// Keeps the results of the lanes from `point` on.
void TileStores::keepLanes(LaneEvaluator &evaluator, Lanes lanes, Point point, ArrayRef<Point> points,
                           ArrayRef<Value> sums, const KeptRows &kept) {
  Point first = point;
  SmallVector<Value> neighbours;
  for (const SmallVector<Value> &own : resultsOf(point, lanes, points, sums, nest.reductions.size())) {
    neighbours.push_back(evaluator.evaluate(nest.outputs.front().value, point, own));
    ++point[lanes.dim];
  }
  kept.store(first, neighbours);
}

/// Where all points exist, what is loaded for a result is loaded once to keep and to store it.
void TileStores::emit(ArrayRef<Point> points, ArrayRef<Value> sums, const KeptRows *kept) {
  Lanes lanes = chooseLanes(/*ofParts=*/false);
  SmallVector<unsigned> ragged = raggedDims(Edges::Any);
  if (kept && (!ragged.empty() || !raggedDims(Edges::AllOrNone).empty())) {
    keep(points, sums, *kept);
    kept = nullptr;
  }
  OpBuilder::InsertionGuard whole(builder);
  enterThread(points, ragged);
  std::optional<LaneEvaluator> all;
  if (ragged.empty())
    all.emplace(builder, nest, buffers, positions, lanes, vectors);
  // Memory that is stored to may be what later points read, as far as LLVM knows, so their loads come first.
  constexpr size_t mostUnderWay = 8;
  SmallVector<Point> firsts =
      llvm::filter_to_vector(points, [&](const Point &point) { return point[lanes.dim] % lanes.count == 0; });
  for (auto [number, point] : llvm::enumerate(firsts)) {
    if (all && number % mostUnderWay == 0)
      for (const Point &next : ArrayRef(firsts).slice(number, std::min(mostUnderWay, firsts.size() - number)))
        all->loadLanes(next);
    OpBuilder::InsertionGuard guard(builder);
    enterWhereExists(point, ragged);
    LaneEvaluator own(builder, nest, buffers, positions, lanes, vectors);
    if (kept)
      keepLanes(*all, lanes, point, points, sums, *kept);
    for (const Output &output : nest.outputs)
      (all ? *all : own).storeLanes(output, point, resultsOf(point, lanes, points, sums, nest.reductions.size()));
  }
}

void TileStores::keep(ArrayRef<Point> points, ArrayRef<Value> sums, const KeptRows &kept) {
  Lanes lanes = chooseLanes(/*ofParts=*/false);
  LaneEvaluator evaluator(builder, nest, buffers, positions, lanes, vectors);
  for (const Point &point : points)
    if (point[lanes.dim] % lanes.count == 0)
      keepLanes(evaluator, lanes, point, points, sums, kept);
}

void TileStores::emitParts(ArrayRef<Point> points, ArrayRef<Value> sums, SplitParts parts, Value part) {
  Lanes lanes = chooseLanes(/*ofParts=*/true);
  SmallVector<unsigned> ragged = raggedDims(Edges::Any);
  OpBuilder::InsertionGuard whole(builder);
  enterThread(points, ragged);
  for (const Point &point : points) {
    if (point[lanes.dim] % lanes.count != 0)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    enterWhereExists(point, ragged);
    storeParts(builder, nest, parts, part, numberOf(point),
               llvm::map_to_vector(resultsOf(point, lanes, points, sums, /*count=*/1),
                                   [](const SmallVector<Value> &each) { return each[0]; }));
  }
}

/// Whether every vector of lanes is either in the first `half` of the points or in the rest.
bool TileStores::divides(ArrayRef<Point> points, size_t half) const {
  return llvm::all_of(std::array{true, false}, [&](bool ofParts) {
    Lanes lanes = chooseLanes(ofParts);
    return llvm::all_of(points.take_front(half), [&](Point point) {
      point[lanes.dim] = point[lanes.dim] / lanes.count * lanes.count;
      for (int64_t each = 0; each < lanes.count; ++each, ++point[lanes.dim])
        if (!llvm::is_contained(points.take_front(half), point))
          return false;
      return true;
    });
  });
}

/// Processes half of the points at a time, so that the sums and the values added to them need no more registers than
/// all sums before.
void TileStores::emitWhole(ArrayRef<Point> points, SplitParts parts, Initial emitInitial) {
  size_t half = points.size() / 2;
  SmallVector<ArrayRef<Point>> pieces = {points};
  if (half > 0 && divides(points, half))
    pieces = {points.take_front(half), points.drop_front(half)};
  for (ArrayRef<Point> piece : pieces)
    emit(piece, addAll(piece, emitInitial(piece), parts));
}

/// Returns `sums` plus the parts of all blocks for `points`.
SmallVector<Value> TileStores::addAll(ArrayRef<Point> points, ArrayRef<Value> sums, SplitParts parts) {
  Lanes lanes = chooseLanes(/*ofParts=*/true);
  SmallVector<PartPoints> vectors;
  SmallVector<Value> inOrder; // sums of the lanes of each vector
  SmallVector<size_t> places; // their positions among the points
  for (const Point &point : points) {
    if (point[lanes.dim] % lanes.count != 0)
      continue;
    vectors.push_back({numberOf(point), exists(point)});
    Point lane = point;
    for (int64_t each = 0; each < lanes.count; ++each, ++lane[lanes.dim]) {
      places.push_back(llvm::find(points, lane) - points.begin());
      inOrder.push_back(sums[places.back()]);
    }
  }
  SmallVector<Value> whole(sums.size());
  for (auto [place, sum] : llvm::zip_equal(places, addParts(builder, nest, parts, vectors, inOrder)))
    whole[place] = sum;
  return whole;
}

} // namespace cameo::schedule

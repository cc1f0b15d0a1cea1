// If tiles do not divide the plane, the last ones overlap their neighbours and store only the missing outputs: no
// access is out of bounds, and every position is a linear form.
#include "passes/Schedule/Nests/Rewrite/TileSpaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Tiles along one side in each of `phases` phases from `firstPhase` on: `count` consecutive tiles, starting at output
/// `begin` of the phase, in blocks of `block` tiles. Each tile stores its outputs from number `stored` on.
struct Span {
  int64_t firstPhase, phases, begin, count, stored, block;
};

/// Returns the spans of a side. If the dilation does not divide the extent, the first phases have one more output than
/// the others.
SmallVector<Span, 4> spansOf(const TiledSide &side, int64_t outputs) {
  SmallVector<Span, 4> spans;
  auto add = [&](int64_t firstPhase, int64_t phases, int64_t extent) {
    if (phases == 0)
      return;
    spans.push_back({firstPhase, phases, 0, extent / outputs, 0, extent / outputs});
    if (extent % outputs != 0)
      spans.push_back({firstPhase, phases, extent - outputs, 1, outputs - extent % outputs, 1});
  };
  int64_t shortest = side.extent / side.dilation, longer = side.extent % side.dilation;
  add(0, longer, shortest + 1);
  add(longer, side.dilation - longer, shortest);
  return spans;
}

/// Returns spans with blocks of at most `atMost` tiles: all of one size if a divisor close enough to the limit exists,
/// otherwise with a smaller last block.
SmallVector<Span, 6> blocksOf(const TiledSide &side, int64_t outputs, int64_t atMost) {
  SmallVector<Span, 6> blocked;
  for (const Span &span : spansOf(side, outputs)) {
    int64_t pieces = llvm::divideCeil(span.count, atMost), even = llvm::divideCeil(span.count, pieces), divisor = even;
    while (span.count % divisor != 0)
      --divisor;
    if (2 * divisor >= even) {
      blocked.push_back(span);
      blocked.back().block = divisor;
      continue;
    }
    int64_t rest = span.count % even, whole = span.count - rest;
    blocked.push_back({span.firstPhase, span.phases, span.begin, whole, span.stored, even});
    blocked.push_back({span.firstPhase, span.phases, span.begin + whole * outputs, rest, span.stored, rest});
  }
  return blocked;
}

/// Starts a space with its images and phases, followed by `tileDims` for rows and columns and a dimension for channels.
TileSpace startSpace(const TiledPlane &plane, ArrayRef<int64_t> tileDims, const Span &rows, const Span &columns) {
  TileSpace space;
  SmallVector<int64_t> phases;
  if (plane.isDilated())
    phases = {rows.phases, columns.phases};
  for (ArrayRef<int64_t> extents : {ArrayRef<int64_t>(plane.images), ArrayRef<int64_t>(phases), tileDims})
    for (int64_t extent : extents)
      space.dims.push_back({extent, false});
  space.dims.push_back({0, false});
  unsigned count = space.dims.size();
  for (unsigned dim = 0; dim < plane.images.size(); ++dim)
    space.batch.push_back(LinearForm::dimension(count, dim));
  space.row = space.column = space.tile = LinearForm(count);
  space.row.constant = rows.firstPhase + plane.rows.dilation * rows.begin;
  space.column.constant = columns.firstPhase + plane.columns.dilation * columns.begin;
  if (plane.isDilated())
    space.row.coefficients[plane.images.size()] = space.column.coefficients[plane.images.size() + 1] = 1;
  space.storedRow = rows.stored;
  space.storedColumn = columns.stored;
  return space;
}

TileSpace wholeSpace(const TiledPlane &plane, const Span &rows, const Span &columns, int64_t firstRow,
                     int64_t firstColumn) {
  TileSpace space = startSpace(plane, {rows.count, columns.count}, rows, columns);
  unsigned images = plane.images.size(), column = space.dims.size() - 2, row = column - 1;
  space.row.coefficients[row] = plane.rows.dilation * plane.outputs;
  space.column.coefficients[column] = plane.columns.dilation * plane.outputs;
  space.tile.coefficients[row] = plane.tileColumns();
  space.tile.coefficients[column] = 1;
  if (plane.isDilated()) {
    space.tile.coefficients[images] = rows.count * plane.tileColumns();
    space.tile.coefficients[images + 1] = columns.count;
  }
  space.tile.constant = firstRow * plane.tileColumns() + firstColumn;
  int64_t tiles = plane.tileRows() * plane.tileColumns();
  for (unsigned dim = images; dim-- > 0;) {
    space.tile.coefficients[dim] = tiles;
    tiles *= plane.images[dim];
  }
  space.blockTiles = tiles;
  return space;
}

TileSpace blockSpace(const TiledPlane &plane, const Span &rows, const Span &columns) {
  TileSpace space = startSpace(
      plane, {rows.count / rows.block, columns.count / columns.block, rows.block, columns.block}, rows, columns);
  unsigned column = space.dims.size() - 2, row = column - 1;
  space.row.coefficients[row] = plane.rows.dilation * plane.outputs;
  space.column.coefficients[column] = plane.columns.dilation * plane.outputs;
  space.row.coefficients[row - 2] = space.row.coefficients[row] * rows.block;
  space.column.coefficients[column - 2] = space.column.coefficients[column] * columns.block;
  space.tile.coefficients[row] = columns.block;
  space.tile.coefficients[column] = 1;
  space.blockDims = row;
  space.blockTiles = rows.block * columns.block;
  return space;
}

} // namespace

int64_t TiledSide::tiles(int64_t outputs) const {
  int64_t shortest = extent / dilation, longer = extent % dilation;
  return longer * llvm::divideCeil(shortest + 1, outputs) + (dilation - longer) * llvm::divideCeil(shortest, outputs);
}

int64_t TiledSide::phaseTiles(int64_t outputs) const {
  return llvm::divideCeil(llvm::divideCeil(extent, dilation), outputs);
}

std::vector<TileSpace> wholeSpaces(const TiledPlane &plane) {
  std::vector<TileSpace> spaces;
  int64_t firstRow = 0;
  for (const Span &rows : spansOf(plane.rows, plane.outputs)) {
    int64_t firstColumn = 0;
    for (const Span &columns : spansOf(plane.columns, plane.outputs)) {
      spaces.push_back(wholeSpace(plane, rows, columns, firstRow, firstColumn));
      firstColumn += columns.phases * columns.count;
    }
    firstRow += rows.phases * rows.count;
  }
  return spaces;
}

std::vector<TileSpace> blockSpaces(const TiledPlane &plane, int64_t rows, int64_t columns) {
  std::vector<TileSpace> spaces;
  for (const Span &rowBlocks : blocksOf(plane.rows, plane.outputs, rows))
    for (const Span &columnBlocks : blocksOf(plane.columns, plane.outputs, columns))
      spaces.push_back(blockSpace(plane, rowBlocks, columnBlocks));
  return spaces;
}

} // namespace cameo::schedule

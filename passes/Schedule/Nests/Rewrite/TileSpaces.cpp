// If tiles do not divide a side of known extent, the last ones overlap their neighbours and store only the missing
// outputs: no access is out of bounds, and every position is a linear form. A side of dynamic extent may be shorter
// than one tile: what its whole tiles leave is not in any space.
#include "passes/Schedule/Nests/Rewrite/TileSpaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Tiles along one side in each of `phases` phases from `firstPhase` on: `count` consecutive tiles, starting at output
/// `begin` of the phase, in `pieces` blocks of `block` tiles. Each tile stores its outputs from number `stored` on.
struct Span {
  int64_t firstPhase, phases;
  Size begin, count;
  int64_t stored;
  Size pieces, block;
};

/// Returns the spans of a side. If the dilation does not divide a known extent, the first phases have one more output
/// than the others.
SmallVector<Span, 4> spansOf(const TiledSide &side, int64_t outputs) {
  if (!side.extent.isKnown()) {
    Size count = side.phaseTiles(outputs);
    return {{0, side.dilation, 0, count, 0, 1, count}};
  }
  SmallVector<Span, 4> spans;
  auto add = [&](int64_t firstPhase, int64_t phases, int64_t extent) {
    if (phases == 0)
      return;
    spans.push_back({firstPhase, phases, 0, extent / outputs, 0, 1, extent / outputs});
    if (extent % outputs != 0)
      spans.push_back({firstPhase, phases, extent - outputs, 1, outputs - extent % outputs, 1, 1});
  };
  int64_t shortest = side.extent / side.dilation, longer = side.extent % side.dilation;
  add(0, longer, shortest + 1);
  add(longer, side.dilation - longer, shortest);
  return spans;
}

/// Returns spans with blocks of at most `atMost` tiles: all of one size if a divisor close enough to the limit exists,
/// otherwise, and where the extent is dynamic, with a smaller last block.
SmallVector<Span, 6> blocksOf(const TiledSide &side, int64_t outputs, int64_t atMost) {
  SmallVector<Span, 6> blocked;
  auto add = [&](const Span &of, const Size &begin, const Size &count, const Size &pieces, const Size &block) {
    blocked.push_back({of.firstPhase, of.phases, begin, count, of.stored, pieces, block});
  };
  for (const Span &span : spansOf(side, outputs)) {
    if (!span.count.isKnown()) {
      Size pieces = countWholePieces(span.count, atMost), whole = pieces * atMost;
      add(span, span.begin, whole, pieces, atMost);
      if (atMost > 1)
        add(span, span.begin + whole * outputs, span.count - whole, 1, span.count - whole);
      continue;
    }
    int64_t pieces = llvm::divideCeil(int64_t(span.count), atMost),
            even = llvm::divideCeil(int64_t(span.count), pieces), divisor = even;
    while (span.count % divisor != 0)
      --divisor;
    if (2 * divisor >= even) {
      add(span, span.begin, span.count, span.count / divisor, divisor);
      continue;
    }
    int64_t rest = span.count % even, whole = span.count - rest;
    add(span, span.begin, whole, whole / even, even);
    add(span, span.begin + whole * outputs, rest, 1, rest);
  }
  return blocked;
}

/// Starts a space with its images and phases, followed by `tileDims` for rows and columns and a dimension for channels.
TileSpace startSpace(const TiledPlane &plane, ArrayRef<Size> tileDims, const Span &rows, const Span &columns) {
  TileSpace space;
  SmallVector<Size> phases;
  if (plane.isDilated())
    phases = {rows.phases, columns.phases};
  for (ArrayRef<Size> extents : {ArrayRef<Size>(plane.images), ArrayRef<Size>(phases), tileDims})
    for (const Size &extent : extents)
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

TileSpace wholeSpace(const TiledPlane &plane, const Span &rows, const Span &columns, const Size &firstRow,
                     const Size &firstColumn) {
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
  Size tiles = plane.tileRows() * plane.tileColumns();
  for (unsigned dim = images; dim-- > 0;) {
    space.tile.coefficients[dim] = tiles;
    tiles *= plane.images[dim];
  }
  space.blockTiles = tiles;
  return space;
}

TileSpace blockSpace(const TiledPlane &plane, const Span &rows, const Span &columns) {
  TileSpace space = startSpace(plane, {rows.pieces, columns.pieces, rows.block, columns.block}, rows, columns);
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

Size TiledSide::tiles(int64_t outputs) const {
  if (!extent.isKnown())
    return phaseTiles(outputs) * dilation;
  int64_t shortest = extent / dilation, longer = extent % dilation;
  return longer * llvm::divideCeil(shortest + 1, outputs) + (dilation - longer) * llvm::divideCeil(shortest, outputs);
}

Size TiledSide::phaseTiles(int64_t outputs) const {
  return extent.isKnown() ? countPieces(countPieces(extent, dilation), outputs)
                          : countWholePieces(extent, dilation * outputs);
}

Size TiledSide::covered(int64_t outputs) const {
  return extent.isKnown() ? extent : phaseTiles(outputs) * (dilation * outputs);
}

std::vector<TileSpace> wholeSpaces(const TiledPlane &plane) {
  std::vector<TileSpace> spaces;
  Size firstRow = 0;
  for (const Span &rows : spansOf(plane.rows, plane.outputs)) {
    Size firstColumn = 0;
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

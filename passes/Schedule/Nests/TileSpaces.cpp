// A plane that the tiles do not divide ends in tiles that overlap their neighbours and store only what is still missing: nothing
// is read or written outside, and every position is a linear form.
#include "passes/Schedule/Nests/TileSpaces.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Tiles along one dimension: `count` that follow one another from output `begin` on, in whole blocks, of which all outputs
/// from number `stored` on are stored.
struct Span {
  int64_t begin, count, stored, block;
};

SmallVector<Span, 2> spansOf(int64_t extent, int64_t outputs) {
  SmallVector<Span, 2> spans = {{0, extent / outputs, 0, extent / outputs}};
  if (extent % outputs != 0)
    spans.push_back({extent - outputs, 1, outputs - extent % outputs, 1});
  return spans;
}

/// Blocks of at most `atMost` tiles: of one size where a good one divides a span, or else the last one is smaller.
SmallVector<Span, 3> blocksOf(int64_t extent, int64_t outputs, int64_t atMost) {
  SmallVector<Span, 3> blocked;
  for (const Span &span : spansOf(extent, outputs)) {
    int64_t pieces = llvm::divideCeil(span.count, atMost), even = llvm::divideCeil(span.count, pieces), divisor = even;
    while (span.count % divisor != 0)
      --divisor;
    if (2 * divisor >= even) {
      blocked.push_back({span.begin, span.count, span.stored, divisor});
      continue;
    }
    int64_t rest = span.count % even, whole = span.count - rest;
    blocked.push_back({span.begin, whole, span.stored, even});
    blocked.push_back({span.begin + whole * outputs, rest, span.stored, rest});
  }
  return blocked;
}

/// What both kinds of spaces have: images, then `tileDims` for rows and columns.
TileSpace startSpace(const TiledPlane &plane, ArrayRef<int64_t> tileDims, const Span &rows, const Span &columns) {
  TileSpace space;
  for (ArrayRef<int64_t> extents : {ArrayRef<int64_t>(plane.images), tileDims})
    for (int64_t extent : extents)
      space.dims.push_back({extent, false});
  space.dims.push_back({0, false});
  unsigned count = space.dims.size();
  for (unsigned dim = 0; dim < plane.images.size(); ++dim)
    space.batch.push_back(LinearForm::dimension(count, dim));
  space.row = space.column = space.tile = LinearForm(count);
  space.row.constant = rows.begin;
  space.column.constant = columns.begin;
  space.storedRow = rows.stored;
  space.storedColumn = columns.stored;
  return space;
}

TileSpace wholeSpace(const TiledPlane &plane, const Span &rows, const Span &columns, int64_t firstRow,
                     int64_t firstColumn) {
  TileSpace space = startSpace(plane, {rows.count, columns.count}, rows, columns);
  unsigned row = plane.images.size(), column = row + 1;
  space.row.coefficients[row] = space.column.coefficients[column] = plane.outputs;
  space.tile.coefficients[row] = plane.tileColumns();
  space.tile.coefficients[column] = 1;
  space.tile.constant = firstRow * plane.tileColumns() + firstColumn;
  int64_t tiles = plane.tileRows() * plane.tileColumns();
  for (unsigned dim = row; dim-- > 0;) {
    space.tile.coefficients[dim] = tiles;
    tiles *= plane.images[dim];
  }
  space.blockTiles = tiles;
  return space;
}

TileSpace blockSpace(const TiledPlane &plane, const Span &rows, const Span &columns) {
  TileSpace space = startSpace(
      plane, {rows.count / rows.block, columns.count / columns.block, rows.block, columns.block}, rows, columns);
  unsigned row = plane.images.size(), column = row + 1;
  space.row.coefficients[row] = plane.outputs * rows.block;
  space.column.coefficients[column] = plane.outputs * columns.block;
  space.row.coefficients[row + 2] = space.column.coefficients[column + 2] = plane.outputs;
  space.tile.coefficients[row + 2] = columns.block;
  space.tile.coefficients[column + 2] = 1;
  space.blockDims = row + 2;
  space.blockTiles = rows.block * columns.block;
  return space;
}

} // namespace

int64_t TiledPlane::tileRows() const { return llvm::divideCeil(rows, outputs); }
int64_t TiledPlane::tileColumns() const { return llvm::divideCeil(columns, outputs); }

std::vector<TileSpace> wholeSpaces(const TiledPlane &plane) {
  std::vector<TileSpace> spaces;
  int64_t firstRow = 0;
  for (const Span &rows : spansOf(plane.rows, plane.outputs)) {
    int64_t firstColumn = 0;
    for (const Span &columns : spansOf(plane.columns, plane.outputs)) {
      spaces.push_back(wholeSpace(plane, rows, columns, firstRow, firstColumn));
      firstColumn += columns.count;
    }
    firstRow += rows.count;
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

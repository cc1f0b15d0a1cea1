// Iteration spaces for the stages of Winograd's minimal filtering: the order in which the tiles of a plane are visited.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_TILESPACES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_TILESPACES_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// One side of a plane of outputs. Outputs that are `dilation` apart form a phase: phases read disjoint inputs, and
/// each one has its own tiles. If the extent is dynamic, tiles cover only a part of the side that they divide.
struct TiledSide {
  Size extent;
  int64_t dilation;

  /// Whether every phase has at least `outputs` outputs, so that a tile fits.
  bool fits(int64_t outputs) const { return extent / dilation >= outputs; }
  /// Returns the number of tiles of all phases, including a last tile that overlaps its neighbour.
  Size tiles(int64_t outputs) const;
  /// Returns the number of tiles of the longest phase.
  Size phaseTiles(int64_t outputs) const;
  /// Returns the extent that tiles cover.
  Size covered(int64_t outputs) const;
};

/// A plane of outputs for each image, and the number of outputs of a tile along either side.
struct TiledPlane {
  llvm::SmallVector<Size> images; ///< extents of the batch dimensions
  TiledSide rows, columns;
  int64_t outputs;

  bool fits() const { return rows.fits(outputs) && columns.fits(outputs); }
  /// Return the number of tiles along a side, including overlapping ones.
  Size tileRows() const { return rows.tiles(outputs); }
  Size tileColumns() const { return columns.tiles(outputs); }
  /// Whether both extents are known, so that tiles cover all of the plane.
  bool isCovered() const { return rows.extent.isKnown() && columns.extent.isKnown(); }
  bool isDilated() const { return rows.dilation > 1 || columns.dilation > 1; }
};

/// The iteration space of one stage over a part of the tiles.
struct TileSpace {
  llvm::SmallVector<Dimension> dims; ///< images, phases if there are several, blocks, tiles of a block, and a last one
                                     ///< of unknown extent for channels
  unsigned blockDims = 0;            ///< number of dimensions over images, phases and blocks
  Size blockTiles = 0;               ///< tiles of one block
  llvm::SmallVector<LinearForm> batch;     ///< per batch dimension
  LinearForm row, column;                  ///< of the first output of the tile
  LinearForm tile;                         ///< number of the tile among all tiles, or among those of its block
  int64_t storedRow = 0, storedColumn = 0; ///< the first row and column of the tile that no earlier tile stores
};

/// Returns the spaces with all tiles as one block.
std::vector<TileSpace> wholeSpaces(const TiledPlane &plane);

/// Returns the spaces with blocks of at most `rows` x `columns` tiles of one phase.
std::vector<TileSpace> blockSpaces(const TiledPlane &plane, int64_t rows, int64_t columns);

} // namespace cameo::schedule

#endif

// How the tiles of a plane are run through: iteration spaces for the stages of Winograd's minimal filtering.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_TILESPACES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_TILESPACES_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// One side of a plane of outputs. Outputs that lie `dilation` apart are a phase: no other output looks at what they
/// look at, and each phase has tiles of its own.
struct TiledSide {
  int64_t extent, dilation;

  /// Whether every phase has as many outputs as a tile along its side.
  bool fits(int64_t outputs) const { return extent / dilation >= outputs; }
  /// Of all phases, including the tiles that overlap others because the outputs are no multiple.
  int64_t tiles(int64_t outputs) const;
  /// Of the longest phase.
  int64_t phaseTiles(int64_t outputs) const;
};

/// A plane of outputs per image, and the outputs of a tile along either side.
struct TiledPlane {
  llvm::SmallVector<int64_t> images; ///< extents of the batch dimensions
  TiledSide rows, columns;
  int64_t outputs;

  bool fits() const { return rows.fits(outputs) && columns.fits(outputs); }
  /// Including those that overlap others.
  int64_t tileRows() const { return rows.tiles(outputs); }
  int64_t tileColumns() const { return columns.tiles(outputs); }
  bool isDilated() const { return rows.dilation > 1 || columns.dilation > 1; }
};

/// The iteration space of a stage for a part of the tiles.
struct TileSpace {
  llvm::SmallVector<Dimension> dims; ///< images, phases if the plane has several, blocks, tiles of a block, and one of
                                     ///< unknown extent for channels
  unsigned blockDims = 0;            ///< how many run over blocks, images and phases included
  int64_t blockTiles = 0;            ///< tiles of one block
  llvm::SmallVector<LinearForm> batch;     ///< per batch dimension
  LinearForm row, column;                  ///< of the tile's first output
  LinearForm tile;                         ///< number of the tile among all, or among those of the block
  int64_t storedRow = 0, storedColumn = 0; ///< first outputs of the tile that no other tile stores
};

/// All tiles as one block.
std::vector<TileSpace> wholeSpaces(const TiledPlane &plane);

/// Blocks of at most `rows` x `columns` tiles of one phase.
std::vector<TileSpace> blockSpaces(const TiledPlane &plane, int64_t rows, int64_t columns);

} // namespace cameo::schedule

#endif

// How the tiles of a plane are run through: iteration spaces for the stages of Winograd's minimal filtering.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_TILESPACES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_TILESPACES_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// A plane of outputs per image, and the outputs of a tile along either side.
struct TiledPlane {
  llvm::SmallVector<int64_t> images; ///< extents of the batch dimensions
  int64_t rows, columns, outputs;

  /// Including the tiles that overlap others because the outputs are no multiple.
  int64_t tileRows() const;
  int64_t tileColumns() const;
};

/// The iteration space of a stage for a part of the tiles.
struct TileSpace {
  llvm::SmallVector<Dimension> dims;   ///< blocks, then tiles of a block, then one dimension of unknown extent for channels
  unsigned blockDims = 0;              ///< how many run over blocks
  int64_t blockTiles = 0;              ///< tiles of one block
  llvm::SmallVector<LinearForm> batch; ///< per batch dimension
  LinearForm row, column;              ///< of the tile's first output
  LinearForm tile;                     ///< number of the tile among all, or among those of the block
  int64_t storedRow = 0, storedColumn = 0; ///< first outputs of the tile that no other tile stores
};

/// All tiles as one block.
std::vector<TileSpace> wholeSpaces(const TiledPlane &plane);

/// Blocks of at most `rows` x `columns` tiles.
std::vector<TileSpace> blockSpaces(const TiledPlane &plane, int64_t rows, int64_t columns);

} // namespace cameo::schedule

#endif

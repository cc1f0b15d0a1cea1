// The shared memory of the blocks of one kernel.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KERNELMEMORY_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KERNELMEMORY_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace cameo::schedule {

/// The alignment in bytes of memory that blocks share and of rows in global memory.
constexpr int64_t rowAlignment = 64;

/// The tiles of the pieces of a launch: for each type of elements, the most elements that the first tile of a piece
/// has, the second one, and so on.
class TileSizes {
public:
  void add(llvm::ArrayRef<mlir::MemRefType> tilesOfPiece);
  int64_t elementsOf(mlir::Type type, size_t number) const { return most.lookup(type)[number]; }
  /// Returns the bytes of all tiles.
  int64_t bytes() const;

private:
  llvm::MapVector<mlir::Type, llvm::SmallVector<int64_t>> most;
};

class KernelMemory {
public:
  explicit KernelMemory(mlir::OpBuilder &builder) : builder(builder) {}

  /// Starts with no memory, for `kernel`, whose blocks have `threads` threads, and tiles as `sizes` says.
  void beginKernel(mlir::func::FuncOp kernel, int64_t threads, TileSizes sizes);
  /// Gives the memory of all tiles back: pieces of a launch use the same memory, because a block runs only one piece.
  void beginPiece() { takenTiles.clear(); }

  /// Allocates memory for `elements` of `type` at a multiple of `alignment` bytes.
  mlir::Value create(int64_t elements, mlir::Type type, int64_t alignment = rowAlignment);
  /// Returns the memory in which the threads of a block exchange partial results of the reductions of `nest`. Nests
  /// that are separated by barriers have the same.
  llvm::SmallVector<mlir::Value> ofReductions(const LoopNest &nest);
  /// Returns memory for the piece's next tile of elements of `type`, with room for that of any piece.
  mlir::Value takeTile(mlir::Type type, int64_t alignment = rowAlignment);

private:
  mlir::Value createAtBegin(int64_t elements, mlir::Type type, int64_t alignment);

  mlir::OpBuilder &builder;
  mlir::func::FuncOp kernel;
  int64_t threads = 0;
  unsigned count = 0;                                                   ///< of allocations
  llvm::DenseMap<std::pair<size_t, mlir::Type>, mlir::Value> exchanged; ///< by number and type of a reduction
  TileSizes tileSizes;
  llvm::DenseMap<mlir::Type, llvm::SmallVector<mlir::Value>> tiles; ///< by the type of elements
  llvm::DenseMap<mlir::Type, size_t> takenTiles;                    ///< by the piece
};

} // namespace cameo::schedule

#endif

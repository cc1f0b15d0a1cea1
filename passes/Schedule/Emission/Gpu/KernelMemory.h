// The shared memory of the blocks of one kernel.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KERNELMEMORY_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KERNELMEMORY_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace cameo::schedule {

/// The alignment in bytes of memory that blocks share and of rows in global memory.
constexpr int64_t rowAlignment = 64;

class KernelMemory {
public:
  explicit KernelMemory(mlir::OpBuilder &builder) : builder(builder) {}

  /// Starts with no memory, for `kernel`, whose blocks have `threads` threads.
  void beginKernel(mlir::func::FuncOp kernel, int64_t threads);
  /// Gives the memory of all tiles back: pieces of a launch use the same memory, because a block runs only one piece.
  void beginPiece() { takenTiles.clear(); }

  /// Allocates memory for `elements` of `type` at a multiple of `alignment` bytes.
  mlir::Value create(int64_t elements, mlir::Type type, int64_t alignment = rowAlignment);
  /// Returns the memory in which the threads of a block exchange partial results of the reductions of `nest`. Nests
  /// that are separated by barriers have the same.
  llvm::SmallVector<mlir::Value> ofReductions(const LoopNest &nest);
  /// Returns memory for a tile that no other tile of the piece has.
  mlir::Value takeTile(mlir::MemRefType type, int64_t alignment = rowAlignment);

private:
  mlir::Value createAtBegin(int64_t elements, mlir::Type type, int64_t alignment);

  mlir::OpBuilder &builder;
  mlir::func::FuncOp kernel;
  int64_t threads = 0;
  unsigned count = 0;                                                   ///< of allocations
  llvm::DenseMap<std::pair<size_t, mlir::Type>, mlir::Value> exchanged; ///< by number and type of a reduction
  /// The memory for tiles, and how many tiles of each type and alignment the piece has taken.
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, llvm::SmallVector<mlir::Value>> tiles;
  llvm::DenseMap<std::pair<mlir::Type, int64_t>, size_t> takenTiles;
};

} // namespace cameo::schedule

#endif

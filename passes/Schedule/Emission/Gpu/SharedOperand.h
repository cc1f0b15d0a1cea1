// An operand of which a block keeps a part in shared memory: how its threads fetch it together, and how each reads it.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDOPERAND_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDOPERAND_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Where a block and one of its threads are.
struct TilePlace {
  mlir::Value thread;                      ///< number of the thread
  llvm::SmallVector<mlir::Value> begins;   ///< of the block, of each dimension along which no step moves
  llvm::SmallVector<mlir::Value> threadIn; ///< of the thread, of each parallel dimension: its number along it
};

class SharedOperand {
public:
  /// `node` is a load of `nest`; `source` is its buffer, `memory` of `elements()` for each stage. All of these outlive
  /// the object. Code that no step changes goes to the builder's insertion point.
  SharedOperand(mlir::OpBuilder &builder, const LoopNest &nest, NodeId node, const BlockTile &tile,
                const TilePlace &place, mlir::Value source, mlir::Value memory);

  /// Loads this thread's share of the step that begins at `begins`, along each dimension that steps walk.
  llvm::SmallVector<mlir::Value> fetch(llvm::ArrayRef<mlir::Value> begins);
  /// Stores it `stage` elements behind the begin of the memory.
  void store(llvm::ArrayRef<mlir::Value> fetched, mlir::Value stage);

  /// Begins to copy it there without registers: it is there when the thread has waited for the group of copies.
  void copy(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage);

  /// Has `read` read there, `further` elements on where that is set.
  void readFrom(mlir::Value stage, mlir::Value further);
  /// The element at `point`, offsets from what the thread and the step begin with.
  mlir::Value read(llvm::ArrayRef<int64_t> point);

  /// Those of `dotGroup` bytes along reduction `dim` from there on, as a vector.
  mlir::Value readGroup(llvm::ArrayRef<int64_t> point, unsigned dim);

  NodeId getNode() const { return node; }
  const SharedLayout &getLayout() const { return layout; }
  mlir::Value getMemory() const { return memory; }
  /// Where the points of the thread, or of its warp, begin, by the strides of the layout.
  mlir::Value getThreadOffset() const { return threadOffset; }
  /// Where element number `offset`, by these strides, lies in its stage.
  mlir::Value placeOf(mlir::Value offset);

private:
  /// A vector of the source that the thread fetches in each step.
  struct Piece {
    mlir::Value source;                   ///< the address without what the step adds
    mlir::Value target;                   ///< in shared memory, by the strides of the layout
    mlir::Value exists;                   ///< whether the tile has so many; null: it has
    llvm::SmallVector<mlir::Value> along; ///< place along each dimension that steps walk
  };

  /// Where a piece lies in the source in the step that begins at `begins`, and whether there is such a place; null:
  /// there is.
  std::pair<mlir::Value, mlir::Value> sourceOf(const Piece &piece, llvm::ArrayRef<mlir::Value> begins,
                                               mlir::Value moved);
  mlir::Value movedBy(llvm::ArrayRef<mlir::Value> begins);
  void createCopy(mlir::Value from, mlir::Value to, int64_t elements, mlir::Value exists);
  mlir::Value targetOf(const Piece &piece, int64_t lane, mlir::Value stage);
  void addPiece(int64_t number);
  /// Whether steps move along `dim`.
  bool isStepped(unsigned dim) const { return !place.begins[dim]; }
  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value a, int64_t factor);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  NodeId node;
  const BlockTile &tile;
  const TilePlace &place;
  mlir::Value source, memory;
  SharedLayout layout;
  llvm::SmallVector<unsigned> dims; ///< along which it reads, that with the nearest neighbours first
  int64_t width = 1;                ///< elements at once, along the first of `dims`
  llvm::SmallVector<Piece> pieces;
  mlir::Value threadOffset, readBase;
  std::map<int64_t, mlir::Value> vectors; ///< that were read, by their offset
  std::map<int64_t, mlir::Value> groups;  ///< of bytes, by the offset of the first
};

/// The address of element `at`, of `bytes`, of `memory`, which begins where its descriptor says.
mlir::Value pointerTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory, mlir::Value at, int64_t bytes,
                      mlir::NVVM::NVVMMemorySpace space);

/// Keeps LLVM from unrolling a loop of steps: all fetches would be under way at once.
mlir::LLVM::LoopAnnotationAttr keepLoop(mlir::MLIRContext *context);

} // namespace cameo::schedule

#endif

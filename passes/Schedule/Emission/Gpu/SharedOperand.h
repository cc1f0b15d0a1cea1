// An operand of which a block keeps a part in shared memory: its threads fetch the part together, and each thread reads
// from it.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDOPERAND_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDOPERAND_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// The position of a block and of one of its threads.
struct TilePlace {
  mlir::Value thread;                      ///< number of the thread
  llvm::SmallVector<mlir::Value> begins;   ///< first index of the block per dimension; null if steps move along it
  llvm::SmallVector<mlir::Value> threadIn; ///< the number of the thread along each parallel dimension
  llvm::SmallVector<mlir::Value> blockIn;  ///< the number of the block along each of these; in attention none
};

/// Returns the index of the element at `offset` by the strides of `layout`.
mlir::Value sharedPlaceOf(mlir::OpBuilder &builder, mlir::Location loc, const SharedLayout &layout, mlir::Value offset);

class SharedOperand {
public:
  /// `node` is a load of `nest`; `source` is its buffer, and `memory` has the elements of the layout for each stage.
  /// All arguments must outlive this object. Code that does not depend on the step is inserted at the builder's
  /// insertion point.
  SharedOperand(mlir::OpBuilder &builder, const LoopNest &nest, NodeId node, const BlockTile &tile,
                const TilePlace &place, mlir::Value source, mlir::Value memory);

  /// Loads and returns this thread's share of the step that begins at `begins`, along each dimension of the steps.
  llvm::SmallVector<mlir::Value> fetch(llvm::ArrayRef<mlir::Value> begins);
  /// Stores `fetched` to the stage that begins at element `stage` of the memory.
  void store(llvm::ArrayRef<mlir::Value> fetched, mlir::Value stage);

  /// Starts asynchronous copies of the thread's share of the step at `begins` to the stage at element `stage`. They
  /// have arrived when the thread has waited for the group of copies.
  void copy(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage);

  /// Makes `read` read the stage at element `stage`, from `further` elements on if `further` is not null.
  void readFrom(mlir::Value stage, mlir::Value further);
  /// Returns the element at `point`, offsets from the first point of the thread and of the step.
  mlir::Value read(llvm::ArrayRef<int64_t> point);

  /// Returns a vector of `dotGroup` bytes along reduction `dim` from `point` on.
  mlir::Value readGroup(llvm::ArrayRef<int64_t> point, unsigned dim);

  NodeId getNode() const { return node; }
  const SharedLayout &getLayout() const { return layout; }
  mlir::Value getMemory() const { return memory; }
  mlir::Value getSource() const { return source; }
  /// Returns the offset of the first point of the thread, or of its warp, by the strides of the layout.
  mlir::Value getThreadOffset() const { return threadOffset; }
  /// Returns the index in its stage of the element at `offset`, by these strides.
  mlir::Value placeOf(mlir::Value offset) const { return sharedPlaceOf(builder, nest.loc, layout, offset); }

private:
  /// A vector of the source that the thread fetches in each step.
  struct Piece {
    mlir::Value source;                   ///< the address without the part that depends on the step
    mlir::Value target;                   ///< in shared memory, by the strides of the layout
    mlir::Value exists;                   ///< whether the tile has this piece; null if it always does
    llvm::SmallVector<mlir::Value> along; ///< offset along each dimension of the steps
  };

  /// Returns the address of a piece in the source for the step that begins at `begins`, and whether the piece exists;
  /// null if it always does. `moved` is the result of `movedBy`.
  std::pair<mlir::Value, mlir::Value> sourceOf(const Piece &piece, llvm::ArrayRef<mlir::Value> begins,
                                               mlir::Value moved);
  mlir::Value movedBy(llvm::ArrayRef<mlir::Value> begins);
  void createCopy(mlir::Value from, mlir::Value to, int64_t elements, mlir::Value exists);
  mlir::Value targetOf(const Piece &piece, int64_t lane, mlir::Value stage);
  void addPiece(int64_t number);
  /// Whether steps move along `dim`.
  bool isStepped(unsigned dim) const { return !place.begins[dim]; }
  mlir::Value constant(int64_t value) const;
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value scale(mlir::Value a, int64_t factor) const;

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  NodeId node;
  const BlockTile &tile;
  const TilePlace &place;
  mlir::Value source, memory;
  SharedLayout layout;
  llvm::SmallVector<unsigned> dims; ///< the dimensions of the load, the one with the smallest stride first
  int64_t width = 1;                ///< elements per access, along the first of `dims`
  llvm::SmallVector<Piece> pieces;
  mlir::Value threadOffset, readBase;
  std::map<int64_t, mlir::Value> vectors; ///< loaded vectors, by offset
  std::map<int64_t, mlir::Value> groups;  ///< vectors of `readGroup`, by offset of the first byte
};

/// Returns the annotation that keeps LLVM from unrolling a loop of steps, because all fetches would be in flight at
/// once.
mlir::LLVM::LoopAnnotationAttr keepLoop(mlir::MLIRContext *context);

} // namespace cameo::schedule

#endif

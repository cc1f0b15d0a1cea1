// Copies an operand of the matrix unit to shared memory, step by step, past the registers. What does not depend on the
// step is computed before the loop: a step adds a number to few addresses, and constants become part of instructions.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMACOPIES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMACOPIES_H

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Rules/Gpu/Window.h"

#include <map>

namespace cameo::schedule {

class MmaCopies {
public:
  /// The step that is copied. `moved` is how many elements it lies behind the first step in the source, `begins` has
  /// its first index along each ragged reduction, and `stage` is the offset in bytes of its stage in shared memory.
  struct Step {
    mlir::Value moved;
    llvm::SmallVector<mlir::Value> begins;
    mlir::Value stage;
  };

  /// `begins` has the first index of the block's share along each reduction that blocks divide; null elsewhere. All
  /// arguments must outlive this object; code that does not depend on the step is inserted at the builder's insertion
  /// point.
  MmaCopies(mlir::OpBuilder &builder, const LoopNest &nest, const SharedOperand &operand, const BlockTile &tile,
            const TilePlace &place, llvm::ArrayRef<mlir::Value> begins);

  /// Starts the copies of this thread for a step.
  void copy(const Step &step);

private:
  /// A vector that the thread copies in each step: its place in the source is a constant behind one of `sources`, and
  /// that in shared memory a constant behind one of `targets`.
  struct Vector {
    mlir::Value source, target; ///< addresses without what depends on the step
    int64_t sourceBytes, targetBytes;
    llvm::SmallVector<int64_t> within; ///< constant part of the offset along each dimension
    mlir::Value exists;                ///< whether the thread has it; null if all have
  };

  void addWindow(const Window &window, llvm::ArrayRef<mlir::Value> begins);
  void addVector(const Window &window, int64_t first, mlir::Value depth);
  void addVectors(llvm::ArrayRef<unsigned> taps, llvm::ArrayRef<mlir::Value> begins);
  void addVector(int64_t first, llvm::ArrayRef<mlir::Value> begins);
  mlir::Value sourceFor(llvm::ArrayRef<int64_t> within, llvm::ArrayRef<mlir::Value> begins, int64_t &behind);
  mlir::Value targetFor(int64_t offset, int64_t &behind);
  mlir::Value existsIn(const Step &step, const Vector &vector);
  bool isRaggedStep(unsigned dim) const;
  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value a, int64_t factor);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const SharedOperand &operand;
  const BlockTile &tile;
  const TilePlace &place;
  int64_t elementBytes;
  /// The dimensions of the load, the one with the smallest stride first; all taps are one, the last, and so is a
  /// dimension whose size is no power of two. Of a window: its depth.
  llvm::SmallVector<unsigned> dims;
  llvm::SmallVector<int64_t> sizes;            ///< of these in a stage, in vectors along the first
  int64_t width;                               ///< elements of a vector
  mlir::Value isBusy;                          ///< whether the thread has a vector; null if all have
  llvm::SmallVector<mlir::Value> withinThread; ///< the thread's part of the offset along each of `dims`; null: 0
  mlir::Value firstTarget;                     ///< index in a stage of the thread's first vector
  std::map<llvm::SmallVector<int64_t>, mlir::Value> sources; ///< by the constant offsets along clamped dimensions
  std::map<int64_t, mlir::Value> targets;                    ///< by the constant that is combined by exclusive or
  llvm::SmallVector<Vector> vectors;
};

} // namespace cameo::schedule

#endif

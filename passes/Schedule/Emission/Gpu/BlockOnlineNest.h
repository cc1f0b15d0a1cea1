// Emits attention whose products are computed by threads without the matrix unit: half a warp has some rows with their
// scores and results.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKONLINENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKONLINENEST_H

#include "passes/Schedule/Emission/Gpu/OnlineNest.h"
#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"

namespace cameo::schedule {

class BlockOnlineNest : public OnlineNest {
public:
  /// Returns the types of a block's shared memory: queries, keys, weights and values.
  static llvm::SmallVector<mlir::MemRefType> memoryOf(const OnlineBlock &block, mlir::MLIRContext *context);

  /// `buffers` are those of the program, `memory` has the types of `memoryOf`. All arguments must outlive this object;
  /// code is inserted at the builder's insertion point.
  BlockOnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
                  llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> memory);

  void emit(mlir::Value block, mlir::Value thread) override;

private:
  void locate(mlir::Value block, mlir::Value thread);
  void fetch(const LoopNest &nest, NodeId load, const OnlineBlock::Memory &shape, mlir::Value memory, unsigned outer,
             mlir::Value begin, unsigned inner);
  Values scoresOf(mlir::Value firstKey);
  Values multiplyQueries();
  void weigh(llvm::ArrayRef<mlir::Value> scores, State &state);
  void addValues(State &state);
  State computePart(mlir::Value part, State state);
  void store(const State &state);

  mlir::Value rowOf(int64_t row);
  mlir::Value readVector(mlir::Value memory, mlir::Value at, int64_t width);

  OnlineBlock shape;
  mlir::Value queryMemory, keyMemory, weightMemory, valueMemory;
  mlir::Value thread;
  mlir::Value ownRow,
      ownColumn; ///< the thread's first row in the block, and its number among the threads of a row
};

} // namespace cameo::schedule

#endif

// Writes attention as one kernel: each block has some queries, and takes keys and values part by part, so that no score
// leaves it. The softmax is corrected with each part, as in Milakov and Gimelshein, "Online normalizer calculation for
// softmax" (2018), and Dao et al., "FlashAttention" (2022).
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_ONLINENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_ONLINENEST_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Rules/Gpu/OnlineBlock.h"

namespace cameo::schedule {

class OnlineNest {
public:
  /// What a block has in shared memory: queries, keys, weights and values.
  static llvm::SmallVector<mlir::MemRefType> memoryOf(const OnlineBlock &block, mlir::MLIRContext *context);

  /// `buffers` are those of the program, `memory` is of the types of `memoryOf`. All of these outlive the object; the
  /// code goes to the builder's insertion point.
  OnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
             llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> memory);

  /// What thread number `thread` of block number `block` does.
  void emit(mlir::Value block, mlir::Value thread);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// What a thread knows from one part to the next: of each of its rows the greatest score and its share of the sum of
  /// exponentials, and of each row all of its features.
  struct State {
    Values maxima, sums, results;

    Values all() const;
    static State of(mlir::ValueRange all);
  };

  void locate(mlir::Value block, mlir::Value thread);
  void fetch(const LoopNest &nest, NodeId load, const OnlineBlock::Memory &shape, mlir::Value memory, unsigned outer,
             mlir::Value begin, unsigned inner);
  Values scoresOf(mlir::Value firstKey);
  Values multiplyQueries();
  mlir::Value scoreAt(int64_t row, int64_t key, mlir::Value firstKey, mlir::Value product);
  void weigh(llvm::ArrayRef<mlir::Value> scores, State &state);
  void addValues(State &state);
  State computePart(mlir::Value part, State state);
  void store(const State &state);

  mlir::Value exchange(mlir::Value value, bool isSum);
  mlir::Value rowOf(int64_t row);
  llvm::SmallVector<Position> positionsOf(bool ofScores);
  mlir::Value constant(int64_t value);
  mlir::Value number(double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value value, int64_t factor);
  mlir::Value isBelow(mlir::Value value, int64_t limit);
  mlir::Value readVector(mlir::Value memory, mlir::Value at, int64_t width);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Attention &attention;
  OnlineTile tile;
  OnlineBlock shape;
  llvm::ArrayRef<mlir::Value> buffers;
  mlir::Value queryMemory, keyMemory, weightMemory, valueMemory;
  Values outerAt;                ///< the block's place along each outer dimension
  mlir::Value thread, firstRow;  ///< of the block
  mlir::Value ownRow, ownColumn; ///< of the thread: its first row in the block, and its number in the row
};

} // namespace cameo::schedule

#endif

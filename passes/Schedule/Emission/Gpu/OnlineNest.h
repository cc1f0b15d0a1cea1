// Emits attention as one kernel: each block has some queries, and reads keys and values part by part, so no score is
// stored to global memory. The softmax is corrected with each part, as in Milakov and Gimelshein, "Online normalizer
// calculation for softmax" (2018), and Dao et al., "FlashAttention" (2022). Subclasses compute the products.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_ONLINENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_ONLINENEST_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include <limits>

namespace cameo::schedule {

class OnlineNest {
public:
  virtual ~OnlineNest() = default;

  /// Emits the work of thread number `thread` of block number `block`.
  virtual void emit(mlir::Value block, mlir::Value thread) = 0;

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// The running maximum of a row after a part of the keys, the number to subtract from its scores, and the factor for
  /// what was accumulated before.
  struct Growth {
    mlir::Value maximum, reference, correction;
  };
  /// The values that a thread passes from one part to the next: for each of its rows the maximum score and the thread's
  /// share of the sum of exponentials, and its sums of the values, in the order of the subclass.
  struct State {
    Values maxima, sums, results;

    Values all() const;
    /// Splits `all` for a thread with `rows` rows.
    static State of(mlir::ValueRange all, int64_t rows);
  };

  /// `buffers` are those of the program. All arguments must outlive this object; code is inserted at the builder's
  /// insertion point.
  OnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
             llvm::ArrayRef<mlir::Value> buffers);

  /// Sets `firstRow` and `outerAt`.
  void locateBlock(mlir::Value block);
  /// Returns the positions of the block along the outer dimensions, for the nest of the scores or that of the values.
  llvm::SmallVector<Position> positionsOf(bool ofScores);
  /// Returns the number among all rows of row number `row` of the block; the last row if that row does not exist.
  mlir::Value rowAt(mlir::Value row);
  /// Returns the score that the nest of the scores computes from `product`. `row` and `key` are numbers among all rows
  /// and keys. Returns minus infinity if the key does not exist.
  mlir::Value scoreAt(mlir::Value row, mlir::Value key, mlir::Value product);
  /// Returns the growth of a row: `before` is its maximum so far, `greatest` that of the new part. While all scores of
  /// a row are minus infinity, nothing is subtracted, so a part without keys adds nothing. If they all are in the end,
  /// the sum stays zero and the quotients are NaN, as those of a softmax.
  Growth grow(mlir::Value before, mlir::Value greatest);
  mlir::Value power(mlir::Value score, mlir::Value reference);
  /// Returns the sum or the maximum of `value` over `threads` neighbouring threads.
  mlir::Value exchange(mlir::Value value, bool isSum, int64_t threads);

  mlir::Value constant(int64_t value);
  mlir::Value number(double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value value, int64_t factor);
  mlir::Value divide(mlir::Value number, int64_t by);
  mlir::Value remainder(mlir::Value number, int64_t by);
  mlir::Value isBelow(mlir::Value value, int64_t limit);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Attention &attention;
  OnlineTile tile;
  llvm::ArrayRef<mlir::Value> buffers;
  Values outerAt;       ///< the index of the block along each outer dimension
  mlir::Value firstRow; ///< of the block
};

} // namespace cameo::schedule

#endif

// Writes attention as one kernel: each block has some queries, and takes keys and values part by part, so that no score
// leaves it. The softmax is corrected with each part, as in Milakov and Gimelshein, "Online normalizer calculation for
// softmax" (2018), and Dao et al., "FlashAttention" (2022). How the products are computed depends on who multiplies.
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

  /// What thread number `thread` of block number `block` does.
  virtual void emit(mlir::Value block, mlir::Value thread) = 0;

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  /// What a part of the keys makes of a row: its greatest score so far, what is subtracted from scores, and by what is
  /// multiplied what was added up before.
  struct Growth {
    mlir::Value maximum, reference, correction;
  };

  /// `buffers` are those of the program. All of these outlive the object; the code goes to the builder's insertion
  /// point.
  OnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile,
             llvm::ArrayRef<mlir::Value> buffers);

  /// Sets `firstRow` and `outerAt`.
  void locateBlock(mlir::Value block);
  /// Where the block stands along the outer dimensions of either nest.
  llvm::SmallVector<Position> positionsOf(bool ofScores);
  /// Row number `row` of the block, of all; beyond the last one there is that.
  mlir::Value rowAt(mlir::Value row);
  /// What the nest of the scores makes of `product`, of row number `row` of all and of key number `key`; minus infinity
  /// where there is no such key.
  mlir::Value scoreAt(mlir::Value row, mlir::Value key, mlir::Value product);
  /// With `greatest`, that of the part, behind `before`. While all scores of a row are minus infinity nothing is
  /// subtracted, so that a part without keys adds nothing; of a row without any the sum stays zero, and its quotients
  /// are no numbers, as those of a softmax.
  Growth grow(mlir::Value before, mlir::Value greatest);
  mlir::Value power(mlir::Value score, mlir::Value reference);
  /// The greatest of what so many neighbouring threads have, or the sum.
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
  Values outerAt;       ///< the block's place along each outer dimension
  mlir::Value firstRow; ///< of the block
};

} // namespace cameo::schedule

#endif

// Emits attention whose products are computed by the matrix unit: a warp has 16 rows, with their scores, weights and
// results in registers.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAONLINENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAONLINENEST_H

#include "passes/Schedule/Emission/Gpu/Mma/MmaOperand.h"
#include "passes/Schedule/Emission/Gpu/OnlineNest.h"
#include "passes/Schedule/Rules/Gpu/MmaOnlineBlock.h"

namespace cameo::schedule {

class MmaOnlineNest : public OnlineNest {
public:
  /// Returns the types of a block's shared memory: queries, all stages of keys, and all stages of values.
  static llvm::SmallVector<mlir::MemRefType> memoryOf(const MmaOnlineBlock &block, const Attention &attention);

  /// `tensor` is the instruction that multiplies, `buffers` are those of the program, `memory` has the types of
  /// `memoryOf`. All arguments must outlive this object; code is inserted at the builder's insertion point.
  MmaOnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> memory);

  void emit(mlir::Value block, mlir::Value thread) override;

private:
  /// The number of rows of a thread; they are eight apart, as in the sums of an instruction.
  static constexpr int64_t threadRows = sumsOfThread / sumColumns;
  void locate(mlir::Value block, mlir::Value thread);
  void prepareOperands();
  void copyPart(mlir::Value part, mlir::Value stage);
  State computePart(mlir::Value part, mlir::Value stage, State state);
  State computeParts(State state);
  Values multiplyQueries();
  Values scoresOf(mlir::Value firstKey);
  Values weigh(llvm::ArrayRef<mlir::Value> scores, State &state);
  void addValues(llvm::ArrayRef<mlir::Value> weights, State &state);
  void store(const State &state);
  mlir::Value rowInBlock(int64_t row);

  MmaOnlineBlock shape;
  llvm::ArrayRef<mlir::Value> memory;
  TilePlace scorePlace, valuePlace;
  MmaProduct scoreProduct, valueProduct;
  std::optional<SharedOperand> sharedQueries, sharedKeys, sharedValues;
  std::optional<MmaOperand> queries, keys, values;
  mlir::Value warp, lane; ///< numbers of the warp in the block and of the thread in the warp
};

} // namespace cameo::schedule

#endif

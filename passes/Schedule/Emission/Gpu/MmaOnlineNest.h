// Writes attention of which the matrix unit multiplies: a warp has 16 rows, and scores, weights and results of them in
// registers.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAONLINENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAONLINENEST_H

#include "passes/Schedule/Emission/Gpu/MmaOperand.h"
#include "passes/Schedule/Emission/Gpu/OnlineNest.h"
#include "passes/Schedule/Rules/Gpu/MmaOnlineBlock.h"

namespace cameo::schedule {

class MmaOnlineNest : public OnlineNest {
public:
  /// What a block has in shared memory: queries, and all stages of keys and of values.
  static llvm::SmallVector<mlir::MemRefType> memoryOf(const MmaOnlineBlock &block, const Attention &attention);

  /// `tensor` multiplies, `buffers` are those of the program, `memory` is of the types of `memoryOf`. All of these
  /// outlive the object; the code goes to the builder's insertion point.
  MmaOnlineNest(mlir::OpBuilder &builder, const Attention &attention, const OnlineTile &tile, const TensorShape &tensor,
                llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> memory);

  void emit(mlir::Value block, mlir::Value thread) override;

private:
  /// Rows of a thread, eight apart, as those of the sums of an instruction.
  static constexpr int64_t threadRows = sumsOfThread / sumColumns;
  /// What a thread knows from one part to the next: of each of its rows the greatest score and its share of the sum of
  /// exponentials, and its sums of the values, those of 8 features after the other.
  struct State {
    Values maxima, sums, results;

    Values all() const;
    static State of(mlir::ValueRange all);
  };

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
  mlir::Value warp, lane; ///< of the thread
};

} // namespace cameo::schedule

#endif

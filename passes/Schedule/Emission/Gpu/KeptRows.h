// Rows of a product's result that a block keeps in shared memory, as the left operand of the next product (Chain.h).
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KEPTROWS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_KEPTROWS_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Rules/Gpu/Chain.h"

namespace cameo::schedule {

class KeptRows {
public:
  /// `first` and `second` are the tiles of both products, `positions` those of the thread's first point of the first
  /// product, and `memory` has the elements of the second product's left operand. What is stored are results of part
  /// number `part` of the first product's columns. `builder` and `chain` must outlive this object; code is inserted at
  /// the builder's insertion point.
  KeptRows(mlir::OpBuilder &builder, const Chain &chain, const BlockTile &first, const BlockTile &second,
           llvm::ArrayRef<Position> positions, mlir::Value memory, int64_t part);

  /// Stores `neighbours`, results of neighbouring columns from `point` on, which is relative to the thread's first
  /// point.
  void store(const Point &point, llvm::ArrayRef<mlir::Value> neighbours) const;

private:
  mlir::Value constant(int64_t value) const;

  mlir::OpBuilder &builder;
  const Chain &chain;
  SharedLayout layout;
  int64_t before; ///< offset of the part
  mlir::Value memory;
  mlir::Value place; ///< index of the thread's first point
};

} // namespace cameo::schedule

#endif

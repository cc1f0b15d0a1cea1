// The instructions of contractions of bytes in groups of four.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_BYTEDOTEMITTER_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_BYTEDOTEMITTER_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/ByteDot.h"

namespace cameo::schedule {

/// Adds groups of products to running sums.
class ByteDotEmitter {
public:
  /// `body` must outlive it.
  ByteDotEmitter(mlir::OpBuilder &builder, mlir::Location loc, const ByteDot &dot, unsigned lanes, ByteProducts unit,
                 PointEvaluator &body)
      : builder(builder), loc(loc), dot(dot), lanes(lanes), unit(unit), body(body) {}

  /// `sum` (a vector of i32) plus the products of the group at `point`.
  mlir::Value accumulate(const Point &point, mlir::Value sum);

private:
  using Halves = std::array<mlir::Value, 2>;

  mlir::Value callIntrinsic(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);
  Halves halvesOf(mlir::Value group, bool isSigned);
  mlir::Value accumulatePairs(mlir::Value sum, mlir::Value shared, mlir::Value varying);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ByteDot dot;
  unsigned lanes;
  ByteProducts unit;
  PointEvaluator &body;
  llvm::DenseMap<mlir::Value, Halves> halves;
};

} // namespace cameo::schedule

#endif

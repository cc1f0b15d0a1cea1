// Emits contractions of bytes in groups of four.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_BYTEDOTEMITTER_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_BYTEDOTEMITTER_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/ByteDot.h"

namespace cameo::schedule {

/// Adds groups of products to sums.
class ByteDotEmitter {
public:
  /// `body` must outlive this object.
  ByteDotEmitter(mlir::OpBuilder &builder, mlir::Location loc, const ByteDot &dot, unsigned lanes, ByteProducts unit,
                 PointEvaluator &body);

  /// A vector of i32 sums, and a vector of pending 16-bit sums with that many products per lane.
  struct Sum {
    mlir::Value words;
    mlir::Value halfWords = {};
    int64_t products = 0;
  };

  /// Returns the initial value of the sum over the `groups` of products from `point` on. Lanes share the points of
  /// `groups`.
  Sum start(const Point &point, llvm::ArrayRef<Point> groups);
  /// Adds the products of the group at `point` to `sum`.
  void accumulate(const Point &point, Sum &sum);
  /// Returns the i32 sums, including the pending 16-bit sums.
  mlir::Value finish(Sum sum);

private:
  using Halves = std::array<mlir::Value, 2>;
  /// The bytes of a factor in all lanes.
  struct Group {
    mlir::Value bytes;
    bool isSigned;
    int64_t bits;
  };

  mlir::Value callIntrinsic(llvm::StringRef name, llvm::ArrayRef<mlir::Value> operands);
  mlir::Value splat(mlir::Type element, int64_t number);
  bool flipsSign() const;
  Group sharedGroup(const ByteFactor &factor, const Point &point);
  Group varyingGroup(const ByteFactor &factor, const Point &point);
  Halves halvesOf(mlir::Value group, bool isSigned);
  void multiply(const Group &shared, const Group &varying, Sum &sum);
  void addHalfWords(const Group &shared, const Group &varying, Sum &sum);
  mlir::Value accumulatePairs(mlir::Value sum, const Group &shared, const Group &varying);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ByteDot dot;
  unsigned lanes;
  ByteProducts unit;
  PointEvaluator &body;
  llvm::DenseMap<mlir::Value, Halves> halves;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> parts; ///< parts of groups, by their first bit
  std::map<Point, mlir::Value> starts;                                ///< by the shared factors
};

} // namespace cameo::schedule

#endif

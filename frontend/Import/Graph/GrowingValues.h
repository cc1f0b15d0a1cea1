// Loop-carried values that grow in each iteration, such as a cache to which rows are appended. The loop carries buffers
// for the final size, of which a prefix is valid in each iteration.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

struct GrowingValue {
  unsigned number; ///< among the carried values
  int64_t axis, step;
  cameo::Dim first; ///< size before the first iteration
  mlir::Value firstSize;
};

class GrowingValues {
public:
  /// Returns the values that grow by a constant number of elements per iteration. Returns nothing if none does, or if a
  /// value changes otherwise.
  static llvm::SmallVector<GrowingValue> find(llvm::ArrayRef<mlir::Value> before, llvm::ArrayRef<mlir::Value> after);

  /// `tripCount` is the trip count, which must be known to shape inference.
  GrowingValues(NodeDraft &draft, llvm::SmallVector<GrowingValue> values, mlir::Value tripCount)
      : draft(draft), w(draft), values(std::move(values)), tripCount(tripCount) {}

  // Each function replaces the growing values among the carried ones, and fails after an error.

  /// Before the loop: appends room for all iterations.
  mlir::LogicalResult makeRoom(llvm::MutableArrayRef<mlir::Value> carried);
  /// Replaces the values by their valid prefixes after `count` iterations; the number becomes a symbolic size with the
  /// name `name`.
  mlir::LogicalResult takeFronts(llvm::MutableArrayRef<mlir::Value> carried, mlir::Value count, llvm::StringRef name);
  /// At the end of an iteration: pads the values to their full size again.
  mlir::LogicalResult fillUp(llvm::MutableArrayRef<mlir::Value> carried);

private:
  mlir::LogicalResult result() const { return mlir::failure(w.hasFailed()); }

  NodeDraft &draft;
  NodeWriter w;
  llvm::SmallVector<GrowingValue> values;
  llvm::SmallVector<mlir::Value> fronts; ///< of this iteration
  mlir::Value tripCount;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H

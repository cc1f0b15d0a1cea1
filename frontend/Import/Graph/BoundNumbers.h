// Makes integers that are computed at run time sizes, for which the user states bounds.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H

#include "frontend/Import/Versions/NodeDraft.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

/// The bounds that the user states by the name of a value of the graph: for all of its elements, or with `:I` for
/// element I.
class BoundNumbers {
public:
  explicit BoundNumbers(const llvm::StringMap<int64_t> &bounds) : bounds(bounds) {}

  /// Makes each element of `value` that has a bound a size. `value` is an integer or a vector of known length with the
  /// name `name`. Shape inference then knows the element as a new symbolic dimension, named by `nameSize`; a run in
  /// which it is negative or above the bound fails. Returns `value` itself if there is no bound for it. Fails after an
  /// error.
  mlir::FailureOr<mlir::Value> apply(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                                     mlir::Value value, llvm::function_ref<std::string()> nameSize);

  /// Fails with an error for a bound that no value has.
  mlir::LogicalResult checkUsed(mlir::Location loc) const;

private:
  const llvm::StringMap<int64_t> &bounds;
  llvm::StringSet<> used;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H

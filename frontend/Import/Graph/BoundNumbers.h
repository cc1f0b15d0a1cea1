// Integers that data decides, as sizes: the user says how large each may become.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H

#include "frontend/Import/Versions/NodeDraft.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

/// The bounds of a user: by the name of a value of the graph, for each of its numbers, or with `:I` behind it for the
/// number at place I.
class BoundNumbers {
public:
  explicit BoundNumbers(const llvm::StringMap<int64_t> &bounds) : bounds(bounds) {}

  /// `value`, an integer or a vector of integers of known length that is called `name`, with each number that has a
  /// bound made a size: from here on inference knows it by a name, a new one of `nameSize`, and a run that finds more,
  /// or less than 0, is refused. The value itself where no bound is for it. Fails after an error.
  mlir::FailureOr<mlir::Value> apply(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                                     mlir::Value value, llvm::function_ref<std::string()> nameSize);

  /// Fails with an error for a bound that no value had.
  mlir::LogicalResult checkUsed(mlir::Location loc) const;

private:
  const llvm::StringMap<int64_t> &bounds;
  llvm::StringSet<> used;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_BOUNDNUMBERS_H

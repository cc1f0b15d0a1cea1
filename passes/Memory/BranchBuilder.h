// Opens and closes the task.if regions of branches while the steps of @main are written.
#ifndef CAMEO_PASSES_MEMORY_BRANCHBUILDER_H
#define CAMEO_PASSES_MEMORY_BRANCHBUILDER_H

#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/Builders.h"

namespace cameo {

/// Keeps the stack of task.if regions around the insertion point of `builder`. Consecutive steps with the same
/// predicates share these regions.
class BranchBuilder {
public:
  /// `flagOf` returns the buffer of a condition. The builder must outlive this object, and `flagOf` must, too.
  BranchBuilder(mlir::OpBuilder &builder, llvm::function_ref<mlir::Value(mlir::Value)> flagOf)
      : builder(builder), flagOf(flagOf) {}

  /// Moves the insertion point into regions for exactly the predicates `needed`: closes the open ones that differ and
  /// opens those that are missing.
  void enter(llvm::ArrayRef<task::Predicate> needed, mlir::Location loc) {
    size_t common = 0;
    while (common < std::min(open.size(), needed.size()) && open[common].first == needed[common])
      ++common;
    if (common < open.size())
      builder.restoreInsertionPoint(open[common].second);
    open.truncate(common);
    for (const task::Predicate &predicate : needed.drop_front(common)) {
      auto branch = task::IfOp::create(builder, loc, flagOf(predicate.condition), /*negated=*/!predicate.isTrue);
      open.emplace_back(predicate, builder.saveInsertionPoint());
      builder.setInsertionPointToStart(&branch.getSteps().emplaceBlock());
    }
  }

private:
  mlir::OpBuilder &builder;
  llvm::function_ref<mlir::Value(mlir::Value)> flagOf;
  /// Per open region: its predicate, and the insertion point after its task.if.
  llvm::SmallVector<std::pair<task::Predicate, mlir::OpBuilder::InsertPoint>> open;
};

} // namespace cameo

#endif // CAMEO_PASSES_MEMORY_BRANCHBUILDER_H

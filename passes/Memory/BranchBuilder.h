// Regions of planned branches, opened and closed as the steps are written.
#ifndef CAMEO_PASSES_MEMORY_BRANCHBUILDER_H
#define CAMEO_PASSES_MEMORY_BRANCHBUILDER_H

#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/Builders.h"

namespace cameo {

/// The task.if that are open where `builder` stands: neighbours that are needed under the same conditions share them.
class BranchBuilder {
public:
  /// `flagOf` gives the buffer of a condition.
  BranchBuilder(mlir::OpBuilder &builder, llvm::function_ref<mlir::Value(mlir::Value)> flagOf)
      : builder(builder), flagOf(flagOf) {}

  /// Leaves what is open beside `needed`, and opens what is missing.
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
  llvm::SmallVector<std::pair<task::Predicate, mlir::OpBuilder::InsertPoint>> open; ///< and where to go on behind each
};

} // namespace cameo

#endif // CAMEO_PASSES_MEMORY_BRANCHBUILDER_H

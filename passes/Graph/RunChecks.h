// Creates checks that a run makes while it executes: a check passes a value on, and ends the run if a condition fails.
#ifndef CAMEO_PASSES_GRAPH_RUNCHECKS_H
#define CAMEO_PASSES_GRAPH_RUNCHECKS_H

#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Task/Predicates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace cameo::graph {

/// Creates checks in one function, at the insertion point of a builder.
class RunChecks {
public:
  RunChecks(mlir::func::FuncOp function, const task::Predicates &predicates);

  /// Returns `value` with a check: a run in which `isWrong`, a vector of one i64 that is 0 or 1, is 1 ends with
  /// CAMEO_INVALID_ARGUMENT. No dimension of `value` may be unknown.
  mlir::Value guard(OnnxBuilder &b, mlir::Value value, mlir::Value isWrong);

  /// Returns the value of an expression as a vector of one i64. Returns null, and creates no operations, if a name in
  /// it is no dimension of an input or of a value that every run computes before the insertion point.
  mlir::Value compute(OnnxBuilder &b, const Dim &dim);

private:
  struct Place {
    mlir::Value value;
    int64_t axis;
  };
  mlir::Value computeAtom(OnnxBuilder &b, mlir::Attribute atom);
  mlir::Value computeReal(OnnxBuilder &b, mlir::Attribute real);
  mlir::StringAttr makeName(mlir::MLIRContext *context);

  llvm::SetVector<mlir::StringAttr> names;        ///< all names of sizes in the function
  llvm::DenseMap<mlir::StringAttr, Place> places; ///< where to read a size: a dimension of a value outside of branches
  unsigned number = 0;
};

} // namespace cameo::graph

#endif

// Checks that a run makes on its way: a value which ends the run unless a condition holds.
#ifndef CAMEO_PASSES_GRAPH_RUNCHECKS_H
#define CAMEO_PASSES_GRAPH_RUNCHECKS_H

#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Task/Predicates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace cameo::graph {

/// Checks in one function, in front of where the builder stands.
class RunChecks {
public:
  RunChecks(mlir::func::FuncOp function, const task::Predicates &predicates);

  /// `value`, whose sizes are known, in runs where the number `isWrong`, a vector of one i64, is 0. Others end there
  /// with CAMEO_INVALID_ARGUMENT.
  mlir::Value guard(OnnxBuilder &b, mlir::Value value, mlir::Value isWrong);

  /// An expression of sizes as a vector of one i64. Null, and nothing is made, where one of its names is no dimension
  /// of an input or of what each run computes before.
  mlir::Value compute(OnnxBuilder &b, const Dim &dim);

private:
  struct Place {
    mlir::Value value;
    int64_t axis;
  };
  mlir::Value computeAtom(OnnxBuilder &b, mlir::Attribute atom);
  mlir::Value computeReal(OnnxBuilder &b, mlir::Attribute real);
  mlir::StringAttr makeName(mlir::MLIRContext *context);

  llvm::SetVector<mlir::StringAttr> names;        ///< that sizes have
  llvm::DenseMap<mlir::StringAttr, Place> places; ///< of names that are dimensions outside of branches
  unsigned number = 0;
};

} // namespace cameo::graph

#endif

// Finds the arguments of tasks that are constant in every call; these may be packed at compile time.
#ifndef CAMEO_PASSES_SCHEDULE_CONSTANTARGUMENTS_H
#define CAMEO_PASSES_SCHEDULE_CONSTANTARGUMENTS_H

#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cameo::schedule {

class ConstantArguments {
public:
  explicit ConstantArguments(mlir::ModuleOp module);

  /// Returns one flag per argument of `def`; all are false if `def` has no calls.
  llvm::SmallVector<bool> of(task::DefOp def) const;

private:
  llvm::StringMap<llvm::SmallVector<bool>> constant;
};

} // namespace cameo::schedule

#endif

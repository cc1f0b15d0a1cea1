// Which arguments of a task are constants at every call: these may be laid out anew at compile time.
#ifndef CAMEO_PASSES_SCHEDULE_CONSTANTARGUMENTS_H
#define CAMEO_PASSES_SCHEDULE_CONSTANTARGUMENTS_H

#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace cameo::schedule {

class ConstantArguments {
public:
  explicit ConstantArguments(mlir::ModuleOp module);

  /// One flag per argument of `def`; none is set when nothing calls it.
  llvm::SmallVector<bool> of(task::DefOp def) const;

private:
  llvm::StringMap<llvm::SmallVector<bool>> constant;
};

} // namespace cameo::schedule

#endif

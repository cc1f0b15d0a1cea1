// Where a task can be divided into two: borders that a search may move.
#ifndef CAMEO_PASSES_PARTITION_TASKCUTS_H
#define CAMEO_PASSES_PARTITION_TASKCUTS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace cameo::partition {

/// The operations of a task's body divided by one of them: those that it needs, itself at the end, and all others. Each
/// list is in the order of the body; constants and views of arguments that both need are in both.
struct TaskCut {
  llvm::SmallVector<mlir::Operation *> first, second;
};

/// The task divided behind operation `number` of `body`. Nothing where it cannot be: its result has to be all that goes
/// on from the first part to the second, and each part has to compute something.
std::optional<TaskCut> cutBehind(mlir::Block &body, unsigned number);

/// Numbers of all operations of `body` behind which it can be divided.
llvm::SmallVector<unsigned> findCuts(mlir::Block &body);

} // namespace cameo::partition

#endif

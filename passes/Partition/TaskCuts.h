// Finds the ops at which a task can be divided into two. A search chooses among these cuts.
#ifndef CAMEO_PASSES_PARTITION_TASKCUTS_H
#define CAMEO_PASSES_PARTITION_TASKCUTS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace cameo::partition {

/// The operations of a task's body divided at one of them: `first` has that operation at its end and all that it
/// depends on, `second` has all others. Each list is in the order of the body. Constants and views of arguments that
/// both parts need are in both lists.
struct TaskCut {
  llvm::SmallVector<mlir::Operation *> first, second;
};

/// Divides the body after operation number `number`. Returns nothing if that is not possible: only the result of that
/// operation may be used by the second part, and each part has to compute something.
std::optional<TaskCut> cutBehind(mlir::Block &body, unsigned number);

/// Returns the numbers of all operations of `body` after which it can be divided.
llvm::SmallVector<unsigned> findCuts(mlir::Block &body);

} // namespace cameo::partition

#endif

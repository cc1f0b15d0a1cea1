// Which neighbouring tasks could be one: borders that a search may move.
#ifndef CAMEO_PASSES_PARTITION_TASKNEIGHBOURS_H
#define CAMEO_PASSES_PARTITION_TASKNEIGHBOURS_H

#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/SymbolTable.h"

namespace cameo::partition {

/// Calls of one block that can become one task with a call whose result they read.
class TaskNeighbours {
public:
  /// `symbols` must outlive this; the block may not change meanwhile.
  TaskNeighbours(mlir::Block &block, const mlir::SymbolTable &symbols);

  /// The call that computes operand number `operand` of `second`, where both can be one task; null where there is no
  /// such call, or a path through other operations leads from it to `second`, or one of them runs under other
  /// conditions, computes something that is a task of its own, or calls a definition whose open sizes have other names.
  task::CallOp findFirst(task::CallOp second, unsigned operand) const;

private:
  bool canBeMember(task::CallOp call) const;
  bool hasOtherPath(task::CallOp first, task::CallOp second) const;

  mlir::Block &block;
  const mlir::SymbolTable &symbols;
  task::Predicates predicates;
};

} // namespace cameo::partition

#endif

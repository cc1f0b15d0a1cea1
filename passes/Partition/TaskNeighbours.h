// Finds neighbouring tasks that can become one. A search chooses among these pairs.
#ifndef CAMEO_PASSES_PARTITION_TASKNEIGHBOURS_H
#define CAMEO_PASSES_PARTITION_TASKNEIGHBOURS_H

#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/SymbolTable.h"

namespace cameo::partition {

/// Finds calls of one block that can become one task with a call that reads their result.
class TaskNeighbours {
public:
  /// `symbols` must outlive this object; the block must not change meanwhile.
  TaskNeighbours(mlir::Block &block, const mlir::SymbolTable &symbols);

  /// Returns the call that computes operand number `operand` of `second`, if both can become one task. Returns null if
  /// no call computes the operand, a path through other operations leads from that call to `second`, the two run under
  /// different predicates, one of them contains an op that cannot be fused, or the types of a call and its definition
  /// name dynamic sizes differently.
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

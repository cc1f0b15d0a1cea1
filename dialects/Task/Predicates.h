// Under which conditions of a run an operation is needed: what one operand of a Choose alone uses is, where that is
// chosen.
#ifndef CAMEO_DIALECTS_TASK_PREDICATES_H
#define CAMEO_DIALECTS_TASK_PREDICATES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace cameo::task {

/// A condition, and what it has to be.
struct Predicate {
  mlir::Value condition;
  bool isTrue;

  bool operator==(const Predicate &other) const { return condition == other.condition && isTrue == other.isTrue; }
};

/// Whether two of them contradict each other, as in a branch within the other branch of the same condition.
bool neverHold(llvm::ArrayRef<Predicate> predicates);

/// Of the operations of a block with onnx.Choose or task.choose: control dependence, read from the uses of values
/// backwards (Ferrante, Ottenstein, Warren: The program dependence graph, 1987, for a block whose only branches are
/// those of Choose).
class Predicates {
public:
  explicit Predicates(mlir::Block &block);

  /// Whether the elements at a use are read: what takes but the sizes of a value needs no run to compute it.
  bool isRead(mlir::OpOperand &use) const;

  /// All that must hold for the results of `op`, which is in the block, to be used; those of outer branches first. Each
  /// condition is defined before `op`: what comes before its condition is computed in any case, and so is what that
  /// needs.
  llvm::ArrayRef<Predicate> of(mlir::Operation *op) const;
  /// All that must hold for the value to be used there.
  llvm::SmallVector<Predicate, 2> of(mlir::OpOperand &use) const;

private:
  void visit(mlir::Operation &op);
  void visitUse(mlir::OpOperand &use);

  mlir::Block &block;
  std::unique_ptr<mlir::SymbolTableCollection> symbols = std::make_unique<mlir::SymbolTableCollection>();
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Predicate, 1>> predicates; ///< none are not kept
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::OpOperand *>>
      usesOfSizes; ///< by name: of values with such a dimension
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::Operation *>>
      resultsOfSizes;                                    ///< by name: what makes such values
  std::optional<llvm::SmallVector<Predicate, 1>> common; ///< of the users seen so far
};

} // namespace cameo::task

#endif // CAMEO_DIALECTS_TASK_PREDICATES_H

// Computes under which conditions the result of an operation is used: an operation that only one operand of a Choose
// depends on is needed only if that operand is chosen.
#ifndef CAMEO_DIALECTS_TASK_PREDICATES_H
#define CAMEO_DIALECTS_TASK_PREDICATES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace cameo::task {

/// A condition and the value that it must have.
struct Predicate {
  mlir::Value condition;
  bool isTrue;

  bool operator==(const Predicate &other) const { return condition == other.condition && isTrue == other.isTrue; }
};

/// Whether two of the predicates contradict each other, as in a branch nested in the other branch of the same
/// condition.
bool neverHold(llvm::ArrayRef<Predicate> predicates);

/// The predicates of the operations of a block with onnx.Choose or task.choose: control dependence, computed backwards
/// from the uses of values (Ferrante, Ottenstein, Warren: The program dependence graph, 1987, for a block whose only
/// branches are those of Choose).
class Predicates {
public:
  /// With `inAnyOrder`, a condition may be defined after operations of its branch: those that are used only there.
  explicit Predicates(mlir::Block &block, bool inAnyOrder = false);

  /// Whether a use reads the elements of a value. A use that reads only the sizes does not need the value to be
  /// computed.
  bool isRead(mlir::OpOperand &use) const;

  /// Returns all predicates under which the results of `op`, an operation of the block, are used, with those of outer
  /// branches first. Each condition is defined before `op`, unless the order does not count; operations before a
  /// condition are computed in every run, with all that they depend on.
  llvm::ArrayRef<Predicate> of(mlir::Operation *op) const;
  /// Returns all predicates under which the value is used there.
  llvm::SmallVector<Predicate, 2> of(mlir::OpOperand &use) const;

private:
  void visit(mlir::Operation &op);
  void visitUse(mlir::OpOperand &use);

  mlir::Block &block;
  bool inAnyOrder;
  std::unique_ptr<mlir::SymbolTableCollection> symbols = std::make_unique<mlir::SymbolTableCollection>();
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Predicate, 1>>
      predicates; ///< without entries for operations that have none
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::OpOperand *>>
      usesOfSizes; ///< by name: uses of values with such a dimension
  llvm::DenseMap<mlir::Attribute, llvm::SmallVector<mlir::Operation *>>
      resultsOfSizes;                                    ///< by name: operations that compute such values
  std::optional<llvm::SmallVector<Predicate, 1>> common; ///< of the users visited so far
};

/// Sorts the operations of `block`, which has a terminator and no cycles: operands come first, and so do the conditions
/// of the branches that alone use a result. Otherwise the order stays.
void sortWithConditions(mlir::Block &block);

} // namespace cameo::task

#endif // CAMEO_DIALECTS_TASK_PREDICATES_H

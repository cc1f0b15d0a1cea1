// Emits the computation of dynamic sizes as LLVM IR that reads the caller's array of symbols.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITSIZES_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITSIZES_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "dialects/Dim/DimLimits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cameo {

/// Emits the evaluation of expressions at the insertion point of `builder`, each expression once. The emitted code
/// branches to a block for refused sizes if a value does not fit into 64 bits or a size is negative.
class SizeEmitter {
public:
  /// `symbols` points to one i64 per symbol of the plan. `refused` is the block for refused sizes; it has no phi.
  SizeEmitter(llvm::IRBuilder<> &builder, const ModelPlan &plan, llvm::Value *symbols, llvm::BasicBlock *refused);

  llvm::Value *symbol(llvm::StringRef name) const { return known.lookup(name); }
  /// Returns the value of an expression: an i64, possibly negative. It is valid only after the next `leave`, which
  /// branches away after an overflow.
  llvm::Value *number(const Dim &dim);
  /// Like `number`, for an expression that must not be negative.
  llvm::Value *size(const Dim &dim);

  /// Computes the offsets of the slots, which follow the arena.
  void placeSlots();
  llvm::Value *slotOffset(unsigned slot) const { return slotOffsets[slot]; }
  llvm::Value *workspaceBytes() const { return end; }
  /// Evaluates all expressions of the plan that depend only on symbols, places the slots, and leaves if a value is out
  /// of range.
  void checkAll();
  /// Binds a size that is no symbol to `value`, which must not be negative, and evaluates the expressions of the plan
  /// whose names are now all known. Leaves if a value is out of range and `isGiven`, an i1, is true.
  void define(llvm::StringRef name, llvm::Value *value, llvm::Value *isGiven);
  /// Stores into `table`, which has one i64 for each element of `plan.sizes`, the sizes that have become known since
  /// the last call.
  void store(llvm::Value *table);
  /// Products by their two factors.
  using Products = llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *>;
  /// The values that are known before a loop or branch. Values that are computed inside do not dominate the code after
  /// it.
  struct Known {
    llvm::StringMap<llvm::Value *> known;
    llvm::DenseMap<mlir::Attribute, llvm::Value *> values;
    Products products;
    llvm::DenseSet<const Dim *> isChecked;
    llvm::DenseSet<size_t> isStored;
  };
  Known snapshot() const;
  void restore(Known before);
  /// Whether all names of an expression have values.
  bool isKnown(const Dim &dim) const;

  /// Rejects the sizes at the next `leave` if `condition` is true.
  void rejectIf(llvm::Value *condition);
  /// Emits a branch to the block for refused sizes that is taken if any value since the last branch was out of range.
  void leave();
  /// Forgets all evaluated expressions but the symbols, for a block that the blocks of the evaluation do not dominate.
  void clearExpressions();

private:
  void checkKnown();
  llvm::Value *checked(llvm::Intrinsic::ID operation, llvm::Value *left, llvm::Value *right);
  llvm::Value *quotient(DimQuotientAttr quotient);
  llvm::Value *real(mlir::Attribute real);
  /// Returns `value` rounded towards minus infinity, as an i64.
  llvm::Value *floored(llvm::Value *value);
  /// Returns `value` rounded to the nearest integer, ties to even, in its own type.
  llvm::Value *rounded(llvm::Value *value);
  llvm::Value *atom(mlir::Attribute atom);
  llvm::Value *product(const DimTerm &term);

  llvm::IRBuilder<> &builder;
  const ModelPlan &plan;
  llvm::StringMap<llvm::Value *> known;                  ///< values of sizes by name
  llvm::DenseMap<mlir::Attribute, llvm::Value *> values; ///< values of expressions, and of atoms that are no names
  Products products;
  llvm::BasicBlock *refused;
  llvm::Value *isRequired = nullptr; ///< condition for all branches to `refused`; null if there is none
  llvm::Value *isWrong = nullptr;    ///< disjunction of the conditions of rejectIf since the last branch
  unsigned unbranched = 0;           ///< number of these conditions
  llvm::Value *end;                  ///< offset of the end of the arena and the slots so far
  std::vector<llvm::Value *> slotOffsets;
  llvm::DenseSet<const Dim *> isChecked; ///< expressions of the plan that have been evaluated
  llvm::DenseSet<size_t> isStored;       ///< entries of the table that have been stored
};

/// Marks a function that evaluates very many sizes as `optnone`, because the register allocator compares each live
/// value with all others. KeepOnStackPass puts the values of such functions on the stack.
void leaveLongUnoptimized(llvm::Function &function);

/// Adds the function PREFIX.workspace_size, see cameo_model_description::workspace_size in abi.h. Its result is enough
/// for each of `plans`, the variants of one model.
llvm::Function *emitWorkspaceSize(llvm::Module &module, llvm::ArrayRef<ModelPlan> plans, llvm::StringRef prefix);

/// Adds the function PREFIX.derived_size, see cameo_model_description::derived_size in abi.h.
llvm::Function *emitDerivedSize(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix);

} // namespace cameo

#endif

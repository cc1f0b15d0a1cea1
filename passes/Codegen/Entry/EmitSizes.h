// Dynamic sizes, as LLVM IR over the caller's array of symbols.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITSIZES_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITSIZES_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "dialects/Dim/DimLimits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cameo {

/// Evaluates expressions where `builder` stands, each once, and leaves for a block where something is out of range:
/// what 64 bits do not hold, and a size below 0.
class SizeEmitter {
public:
  /// `symbols` points at one value per symbol of the plan; `refused` is the block to leave for, which has no phi.
  SizeEmitter(llvm::IRBuilder<> &builder, const ModelPlan &plan, llvm::Value *symbols, llvm::BasicBlock *refused);

  llvm::Value *symbol(llvm::StringRef name) const { return known.lookup(name); }
  /// The value of an expression: a 64-bit integer, possibly negative. It counts behind `leave` only.
  llvm::Value *number(const Dim &dim);
  /// The same for what must not be negative.
  llvm::Value *size(const Dim &dim);

  /// Places the slots behind the arena.
  void placeSlots();
  llvm::Value *slotOffset(unsigned slot) const { return slotOffsets[slot]; }
  llvm::Value *workspaceBytes() const { return end; }
  /// Evaluates everything that a run uses, as far as the symbols tell, and leaves where that is out of range.
  void checkAll();
  /// Gives a name that is no symbol its value, which must not be below 0, and evaluates what a run uses and that tells.
  /// Leaves where that is out of range, if `isGiven` is true.
  void define(llvm::StringRef name, llvm::Value *value, llvm::Value *isGiven);
  /// Fills `table`, an entry per size of the plan that kernels read, as far as they have become known since it was last
  /// filled.
  void store(llvm::Value *table);
  /// By the two factors.
  using Products = llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *>;
  /// What is known where a loop begins; what its rounds add is not known behind it.
  struct Known {
    llvm::StringMap<llvm::Value *> known;
    llvm::DenseMap<mlir::Attribute, llvm::Value *> values;
    Products products;
    llvm::DenseSet<const Dim *> isChecked;
    llvm::DenseSet<size_t> isStored;
  };
  Known remember() const;
  void restore(Known before);
  /// Whether all names of an expression have values.
  bool isKnown(const Dim &dim) const;

  /// Takes what is true for out of range, too.
  void refuseIf(llvm::Value *condition);
  /// Leaves if anything so far was out of range.
  void leave();
  /// For a block that does not follow those in which expressions were evaluated: symbols alone are known there.
  void forgetExpressions();

private:
  void checkKnown();
  llvm::Value *checked(llvm::Intrinsic::ID operation, llvm::Value *left, llvm::Value *right);
  llvm::Value *quotient(DimQuotientAttr quotient);
  llvm::Value *real(mlir::Attribute real);
  /// Towards minus infinity, as an i64.
  llvm::Value *floored(llvm::Value *value);
  /// To the nearest whole number, halves to the even one, as a float.
  llvm::Value *rounded(llvm::Value *value);
  llvm::Value *atom(mlir::Attribute atom);
  llvm::Value *product(const DimTerm &term);

  llvm::IRBuilder<> &builder;
  const ModelPlan &plan;
  llvm::StringMap<llvm::Value *> known;                  ///< by name
  llvm::DenseMap<mlir::Attribute, llvm::Value *> values; ///< by expression, and by atom that is no name
  Products products;
  llvm::BasicBlock *refused;
  llvm::Value *isRequired = nullptr; ///< whether to leave at all; null for always
  llvm::Value *isWrong = nullptr;    ///< whether one of what was looked at since the last branch was out of range
  unsigned unbranched = 0;           ///< how many these are
  llvm::Value *end;
  std::vector<llvm::Value *> slotOffsets;
  llvm::DenseSet<const Dim *> isChecked; ///< expressions of the plan
  llvm::DenseSet<size_t> isStored;       ///< entries of the table
};

/// Keeps LLVM from optimising a function that evaluates very many sizes: the register allocator compares each value
/// that waits for its reader with all others that do, unless KeepOnStackPass has put them on the stack.
void leaveLongUnoptimized(llvm::Function &function);

/// Adds the function PREFIX.workspace_size: cameo_model_description::workspace_size of abi.h, with room for each of the
/// plans of one model.
llvm::Function *emitWorkspaceSize(llvm::Module &module, llvm::ArrayRef<ModelPlan> plans, llvm::StringRef prefix);

/// Adds the function PREFIX.derived_size: cameo_model_description::derived_size.
llvm::Function *emitDerivedSize(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix);

} // namespace cameo

#endif

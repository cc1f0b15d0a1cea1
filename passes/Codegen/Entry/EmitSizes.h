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

/// Evaluates expressions where `builder` stands, each once. Straight-line code: whether something was out of range is
/// known at its end. Out of range is what 64 bits do not hold, and a size below 0.
class SizeEmitter {
public:
  /// `symbols` points at one value per symbol of the plan.
  SizeEmitter(llvm::IRBuilder<> &builder, const ModelPlan &plan, llvm::Value *symbols);

  llvm::Value *symbol(llvm::StringRef name) const { return known.lookup(name); }
  /// The value of an expression: a 64-bit integer, possibly negative.
  llvm::Value *number(const Dim &dim);
  /// The same for what must not be negative.
  llvm::Value *size(const Dim &dim);

  /// Places the slots behind the arena.
  void placeSlots();
  llvm::Value *slotOffset(unsigned slot) const { return slotOffsets[slot]; }
  llvm::Value *workspaceBytes() const { return end; }
  /// Evaluates everything that a run uses, as far as the symbols tell.
  void checkAll();
  /// Gives a name that is no symbol its value, which must not be below 0, and evaluates what a run uses and that tells.
  void define(llvm::StringRef name, llvm::Value *value);
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

  /// Whether anything so far, or since the answer was last taken, was out of range.
  llvm::Value *isInvalid() { return builder.CreateIsNotNull(faults); }
  llvm::Value *takeInvalid() { return builder.CreateIsNotNull(std::exchange(faults, builder.getInt64(0))); }

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
  /// Counts: LLVM looks through a disjunction of thousands of conditions from each of them, for minutes.
  void refuseIf(llvm::Value *condition) {
    faults = builder.CreateAdd(faults, builder.CreateZExt(condition, builder.getInt64Ty()));
  }

  llvm::IRBuilder<> &builder;
  const ModelPlan &plan;
  llvm::StringMap<llvm::Value *> known;                  ///< by name
  llvm::DenseMap<mlir::Attribute, llvm::Value *> values; ///< by expression, and by atom that is no name
  Products products;
  llvm::Value *faults, *end;
  std::vector<llvm::Value *> slotOffsets;
  llvm::DenseSet<const Dim *> isChecked; ///< expressions of the plan
  llvm::DenseSet<size_t> isStored;       ///< entries of the table
};

/// Adds the function PREFIX.workspace_size: cameo_model_description::workspace_size of abi.h, with room for each of the
/// plans of one model.
llvm::Function *emitWorkspaceSize(llvm::Module &module, llvm::ArrayRef<ModelPlan> plans, llvm::StringRef prefix);

/// Adds the function PREFIX.derived_size: cameo_model_description::derived_size.
llvm::Function *emitDerivedSize(llvm::Module &module, const ModelPlan &plan, llvm::StringRef prefix);

} // namespace cameo

#endif

// One task of several: its loop form, and its definition.
#ifndef CAMEO_PASSES_SCHEDULE_MERGEDFORM_H
#define CAMEO_PASSES_SCHEDULE_MERGEDFORM_H

#include "passes/Schedule/Loops/ReadLoops.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace cameo::schedule {

/// Where the input of a member comes from: the operand of the merged call with this number, or the result with this
/// number of all members together, which an earlier member computes.
struct MemberInput {
  unsigned number;
  bool isResult = false;
};

/// Merges the loop forms of several tasks. The nodes of the result point to operations of all of them.
class FormMerger {
public:
  void add(const LoopForm &form, llvm::ArrayRef<MemberInput> inputs);
  /// Makes the results of all members that `isKept` does not hold temporaries.
  void keepResults(llvm::function_ref<bool(unsigned result)> isKept);
  /// Returns the buffer of a result, by its number among those of all members.
  unsigned bufferOf(unsigned result) const { return results[result]; }

  LoopForm merged;

private:
  unsigned mergeBuffer(const LoopForm &form, Buffer buffer, llvm::ArrayRef<MemberInput> inputs);

  llvm::SmallVector<unsigned> results; ///< the buffers of all results
  unsigned before = 0;                 ///< results of the members before
};

/// Creates a task with the name of the first one of `defs` and the keys, descriptions and work of all. Its body returns
/// nothing.
task::DefOp createMergedDef(llvm::ArrayRef<task::DefOp> defs, mlir::TypeRange inputs, mlir::TypeRange results,
                            mlir::SymbolTable &symbols);

/// Erases the tasks of `module` that nothing calls.
void eraseUncalled(mlir::ModuleOp module);

} // namespace cameo::schedule

#endif

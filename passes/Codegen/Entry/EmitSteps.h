// Emits the steps of a plan as LLVM IR in the body of `run`.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITSTEPS_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITSTEPS_H

#include "passes/Codegen/Entry/EmitExterns.h"
#include "passes/Codegen/Entry/EmitSizes.h"
#include "passes/Codegen/Plan/ModelPlan.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace cameo {

/// Values that the code of the steps uses, which all dominate the first step. A value is null if the model does not use
/// it.
struct RunValues {
  llvm::SmallVector<llvm::Value *> inputs, outputs;
  llvm::Value *workspace = nullptr, *weights = nullptr, *strings = nullptr, *textArea = nullptr;
  llvm::Value *bufferArray = nullptr; ///< an array with room for the buffer addresses of one kernel that runs on
                                      ///< several threads
  llvm::Value *sizeArray = nullptr;   ///< the table of sizes that kernels read
  llvm::Value *isParallel = nullptr, *parallelFor = nullptr,
              *parallelUser = nullptr; ///< members of the context (abi.h)
  llvm::Value *profile = nullptr, *profileUser = nullptr;
  llvm::Value *context = nullptr; ///< the context that the caller passed, or null
};

/// Emits a return of `status` if `condition` holds.
void returnIf(llvm::IRBuilder<> &builder, llvm::Value *condition, cameo_status status);

/// Adds a function beside `kernel` that takes the buffers as an array: cameo_kernel of abi.h.
llvm::Function *emitKernelWrapper(llvm::Function *kernel, unsigned bufferCount);

/// Emits the steps of `plan` at the insertion point of `builder`.
class StepEmitter {
public:
  /// `module` holds the kernels of the plan. `sizes` is null in a model without dynamic sizes.
  StepEmitter(llvm::Module &module, llvm::IRBuilder<> &builder, const ModelPlan &plan, llvm::StringRef prefix,
              RunValues values, SizeEmitter *sizes);

  /// Emits all steps in their order; if the plan is per sample, once for each sample.
  void emitAll();

private:
  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context, name, builder.GetInsertBlock()->getParent());
  }
  llvm::Value *valueOf(const Dim &dim) { return dim.isStatic() ? builder.getInt64(dim.getSize()) : sizes->number(dim); }
  llvm::Value *address(const BufferPlace &place);
  llvm::Function *wrapperOf(llvm::Function *kernel, unsigned bufferCount);
  void emitSteps();
  void emitSamples();
  void emitStep(const PlannedStep &step);
  void emitKernel(const PlannedStep &step, llvm::ArrayRef<llvm::Value *> buffers);
  void emitCopy(const PlannedStep &step, llvm::ArrayRef<llvm::Value *> buffers);
  llvm::Function *createWriteRows();
  void emitRows(const PlannedStep &step, llvm::ArrayRef<llvm::Value *> buffers);
  void emitParallel(llvm::Function *kernel, llvm::ArrayRef<llvm::Value *> buffers, llvm::Value *extent);
  void bindSize(const PlannedStep &step);
  void beginLoop(const PlannedStep &step);
  void endLoop();
  llvm::Value *isChosen(const PlannedStep &step);
  void beginBranch(const PlannedStep &step);
  void endBranch();
  llvm::Function *createReport();
  void emitProfile(unsigned task, bool begin);

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> &builder;
  const ModelPlan &plan;
  llvm::StringRef prefix;
  RunValues values;
  SizeEmitter *sizes;
  llvm::Type *pointer, *i32, *i64;
  llvm::DenseMap<llvm::Function *, llvm::Function *> wrappers;
  struct Loop {
    llvm::BasicBlock *head, *done;
    llvm::Value *iteration;                  ///< address of the iteration number
    std::optional<SizeEmitter::Known> known; ///< sizes that are known before the loop
  };
  llvm::SmallVector<Loop> loops; ///< loops around the insertion point, innermost last
  struct Branch {
    llvm::BasicBlock *done;
    std::optional<SizeEmitter::Known> known; ///< sizes that are known before the branch
  };
  llvm::SmallVector<Branch> branches; ///< branches around the insertion point, innermost last
  llvm::Function *report = nullptr, *writeRows = nullptr;
  ExternEmitter externs;
};

} // namespace cameo

#endif

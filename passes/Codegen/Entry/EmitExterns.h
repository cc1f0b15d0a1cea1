// Emits calls of functions that the program defines, as LLVM IR.
#ifndef CAMEO_PASSES_CODEGEN_ENTRY_EMITEXTERNS_H
#define CAMEO_PASSES_CODEGEN_ENTRY_EMITEXTERNS_H

#include "passes/Codegen/Plan/ModelPlan.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <functional>

namespace cameo {

class ExternEmitter {
public:
  /// Returns a size as an i64 at the insertion point of the builder.
  using SizeOf = std::function<llvm::Value *(const Dim &dim)>;

  ExternEmitter(llvm::Module &module, llvm::IRBuilder<> &builder, const ModelPlan &plan, llvm::StringRef prefix,
                SizeOf sizeOf);

  /// Calls the function with the buffers of the tensors that are present, inputs first. Returns the status of the call.
  llvm::Value *call(const PlannedExtern &call, llvm::ArrayRef<llvm::Value *> buffers, llvm::Value *context);

private:
  llvm::FunctionCallee declare(const PlannedExtern &signature);
  llvm::Value *shapeOf(llvm::ArrayRef<Dim> dims);
  llvm::Constant *constantShape(llvm::ArrayRef<Dim> dims);
  llvm::Constant *parametersOf(const PlannedExtern &call);
  llvm::Constant *string(llvm::StringRef string);
  void addList(llvm::ArrayRef<llvm::Constant *> elements, llvm::Type *type,
               llvm::SmallVectorImpl<llvm::Constant *> &fields);
  void addTensor(mlir::ElementsAttr tensor, llvm::SmallVectorImpl<llvm::Constant *> &fields);
  void addValue(mlir::Attribute value, llvm::SmallVectorImpl<llvm::Constant *> &fields);
  llvm::GlobalVariable *constant(llvm::Constant *value, const llvm::Twine &name);

  llvm::Module &module;
  llvm::IRBuilder<> &builder;
  const ModelPlan &plan;
  llvm::StringRef prefix;
  SizeOf sizeOf;
  llvm::Type *pointer, *i32, *i64;
  llvm::StructType *shapeType; ///< cameo_shape of abi.h
};

} // namespace cameo

#endif

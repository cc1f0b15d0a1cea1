// From a planned module to LLVM IR, assembly or an object file.
#ifndef CAMEO_PASSES_CODEGEN_GENERATECODE_H
#define CAMEO_PASSES_CODEGEN_GENERATECODE_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// The code of one model, optimised, and where its weights go. The MLIR module must outlive it: it owns the weights.
class GeneratedCode {
public:
  /// Takes a module after passes/Memory. Fails after a diagnostic.
  static mlir::FailureOr<GeneratedCode> create(mlir::ModuleOp module, const CodegenOptions &options);

  void writeLlvm(llvm::raw_ostream &os) const;
  void writeAssembly(llvm::raw_pwrite_stream &os);
  /// The object without the weights, whose section is empty; made once.
  llvm::StringRef getCode();
  /// An ELF object with the weights in a read-only section of their own (unless they are external).
  llvm::Error writeObject(llvm::raw_pwrite_stream &os);
  /// The same without the bytes of the weights, for a linker that places them.
  llvm::Error writeUnfilledObject(llvm::raw_ostream &os);
  /// The symbol of the weights in the object, how many bytes they have (0 where they are external), and the bytes.
  std::string getWeightsSymbol() const { return options.prefix + ".weights"; }
  uint64_t getInnerWeightBytes() const { return options.externalWeights ? 0 : plan.weightBytes; }
  void writeInnerWeights(llvm::raw_ostream &os) const;
  /// The external weights file: see WeightsFile.h.
  void writeWeightsFile(llvm::raw_ostream &os) const;

  const ModelPlan &getPlan() const { return plan; }
  /// As they were asked for, or because they are large.
  bool hasExternalWeights() const { return options.externalWeights; }

private:
  GeneratedCode() = default;
  void emit(llvm::raw_pwrite_stream &os, bool assembly);

  CodegenOptions options;
  ModelPlan plan;
  mlir::OwningOpRef<mlir::ModuleOp> weights; ///< holds the task.weight operations
  uint64_t weightsHash = 0;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<char, 0> object; ///< of getCode; empty before
};

} // namespace cameo

#endif

// From a planned module to LLVM IR, assembly or an object file.
#ifndef CAMEO_PASSES_CODEGEN_GENERATECODE_H
#define CAMEO_PASSES_CODEGEN_GENERATECODE_H

#include "passes/Codegen/CodegenOptions.h"
#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Plan/ModelPlan.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace cameo {

/// The code of one model, optimised, and where its weights go. The MLIR modules must outlive it: they own the weights.
class GeneratedCode {
public:
  /// Takes modules of one context after passes/Memory, one for each target of `options`: the same model for each. Fails
  /// after a diagnostic.
  static mlir::FailureOr<GeneratedCode> create(llvm::ArrayRef<mlir::ModuleOp> modules, const CodegenOptions &options);

  /// These two show the kernels alone where they run on a GPU.
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

  /// What a caller sees: of several variants the largest arena, and the tasks one variant behind the other.
  const ModelPlan &getPlan() const { return plan; }
  /// One for each target.
  llvm::ArrayRef<ModelPlan> getVariants() const { return variants; }
  llvm::ArrayRef<TargetInfo> getTargets() const { return options.targets; }
  /// Of the functions that the program brings along, as the object calls them.
  llvm::StringSet<> getExternNames() const;
  /// As they were asked for, or because they are large.
  bool hasExternalWeights() const { return options.externalWeights; }
  bool isForGpu() const { return device.has_value(); }

private:
  GeneratedCode() = default;
  mlir::LogicalResult readPlans(llvm::ArrayRef<mlir::ModuleOp> modules);
  mlir::LogicalResult placeWeights(mlir::ModuleOp module);
  void joinPlans();
  mlir::FailureOr<std::unique_ptr<llvm::Module>> translate(mlir::ModuleOp module, const TargetInfo &target);
  void finish(llvm::Module &module, llvm::TargetMachine &machine, int64_t vectorBytes);
  mlir::LogicalResult generateOne(mlir::ModuleOp module);
  mlir::LogicalResult generateForGpu(mlir::ModuleOp module);
  mlir::LogicalResult generateVariants(llvm::ArrayRef<mlir::ModuleOp> modules);
  mlir::FailureOr<std::unique_ptr<llvm::Module>> generateVariant(mlir::ModuleOp module, const ModelPlan &plan,
                                                                 const TargetInfo &target);
  void emit(llvm::raw_pwrite_stream &os, bool assembly);

  CodegenOptions options;
  ModelPlan plan;
  std::vector<ModelPlan> variants;
  mlir::OwningOpRef<mlir::ModuleOp> weights; ///< holds the task.weight operations
  uint64_t weightsHash = 0;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::optional<DeviceCode> device;  ///< where kernels run on a GPU
  llvm::SmallVector<char, 0> object; ///< of getCode; empty before
};

} // namespace cameo

#endif

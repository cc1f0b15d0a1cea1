// Generates LLVM IR, assembly or an object file from a planned module.
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

/// The optimised code of one model, and the place of its weights. The MLIR modules own the weights and must outlive it.
class GeneratedCode {
public:
  /// Generates the code of the modules of one model, one module for each target of `options`. All are modules after
  /// passes/Memory, in one context. Fails after a diagnostic.
  static mlir::FailureOr<GeneratedCode> create(llvm::ArrayRef<mlir::ModuleOp> modules, const CodegenOptions &options);

  /// For a model on a GPU, these two write only the kernels.
  void writeLlvm(llvm::raw_ostream &os) const;
  void writeAssembly(llvm::raw_pwrite_stream &os);
  /// Returns the object without the contents of the weights section. It is generated once.
  llvm::StringRef getCode();
  /// Writes an ELF object with the weights in a separate read-only section, unless they are external.
  llvm::Error writeObject(llvm::raw_pwrite_stream &os);
  /// Writes the object with a weights section that has its size but no contents, for a linker that fills it.
  llvm::Error writeUnfilledObject(llvm::raw_ostream &os);
  /// The symbol of the weights in the object, their number of bytes (0 if they are external), and their contents.
  std::string getWeightsSymbol() const { return options.prefix + ".weights"; }
  uint64_t getInnerWeightBytes() const { return options.externalWeights ? 0 : plan.weightBytes; }
  void writeInnerWeights(llvm::raw_ostream &os) const;
  /// Writes the external weights file, see WeightsFile.h.
  void writeWeightsFile(llvm::raw_ostream &os) const;

  /// Returns the plan that callers see: the arena is the largest of all variants, and the tasks of all variants follow
  /// each other.
  const ModelPlan &getPlan() const { return plan; }
  /// Returns the plans of the variants, one for each target.
  llvm::ArrayRef<ModelPlan> getVariants() const { return variants; }
  llvm::ArrayRef<TargetInfo> getTargets() const { return options.targets; }
  /// Returns the symbols of the functions that the program must define, as the object calls them.
  llvm::StringSet<> getExternNames() const;
  /// Whether the weights are external, on request or because they are large.
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
  std::optional<DeviceCode> device;  ///< set if the kernels run on a GPU
  llvm::SmallVector<char, 0> object; ///< result of getCode; empty before the first call
};

} // namespace cameo

#endif

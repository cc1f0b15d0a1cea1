// Conversion, translation, entry functions, LLVM; then one of the forms of output.
#include "passes/Codegen/GenerateCode.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/AppendSection.h"
#include "passes/Codegen/EmitEntry.h"
#include "passes/Codegen/OptimizeLlvm.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/WeightsFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace cameo {

/// Exports the kernels of the task with this key, so that they alone stay.
static void exportKernels(llvm::Module &module, const ModelPlan &plan, StringRef key) {
  for (const PlannedStep &step : plan.steps)
    if (step.task && plan.tasks[*step.task].key == key)
      module.getFunction(step.kernel)->setLinkage(llvm::GlobalValue::ExternalLinkage);
}

/// AArch64 has instructions for f16, and LLVM makes integers of what it lacks for bf16.
static ExpandHalfFloatsPassOptions halfFloats(const TargetInfo &target) {
  if (!llvm::Triple(target.triple).isX86())
    return {/*f16Conversions=*/true, /*f16Arithmetic=*/true, /*bf16Conversions=*/true};
  std::vector<std::string> extensions = vectorExtensions(target);
  return {llvm::is_contained(extensions, "f16c"), llvm::is_contained(extensions, "avx512fp16"), llvm::is_contained(extensions, "avx512bf16")};
}

FailureOr<GeneratedCode> GeneratedCode::create(ModuleOp module, const CodegenOptions &options) {
  GeneratedCode code;
  code.options = options;
  FailureOr<ModelPlan> plan = ModelPlan::read(module);
  if (failed(plan))
    return failure();
  code.plan = std::move(*plan);
  OpBuilder builder(module.getContext());
  code.weights = ModuleOp::create(builder, module.getLoc());
  builder.setInsertionPointToStart(code.weights->getBody());
  for (auto weight : module.getOps<task::WeightOp>())
    builder.clone(*weight);
  bool isLarge = static_cast<uint64_t>(code.plan.weightBytes) >= options.largestWeights;
  code.options.externalWeights |= isLarge && options.externalIfLarge;
  if (code.options.externalWeights)
    code.weightsHash = options.weightsHash != 0 ? options.weightsHash : hashWeights(*code.weights, code.plan.weightBytes);
  else if (isLarge)
    return module.emitError("expected less than 2 GiB of weights in an object, got ")
           << code.plan.weightBytes << " bytes: name a file for them with --weights";
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verifiesPasses);
  manager.addPass(createExpandHalfFloatsPass(halfFloats(options.target)));
  manager.addPass(createConvertKernelsPass({options.target.floatExtrema}));
  if (failed(manager.run(module)))
    return failure();

  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  code.context = std::make_unique<llvm::LLVMContext>();
  code.module = translateModuleToLLVMIR(module, *code.context, options.prefix, /*disableVerification=*/!options.verifiesPasses);
  if (!code.module)
    return module.emitError("expected kernels that translate to LLVM IR");
  code.machine = createTargetMachine(options.target);
  code.module->setTargetTriple(llvm::Triple(options.target.triple));
  code.module->setDataLayout(code.machine->createDataLayout());
  code.module->setSourceFileName(options.prefix);
  if (options.onlyTask.empty()) {
    llvm::Function *run = emitRun(*code.module, code.plan, code.options, code.weightsHash);
    emitDescription(*code.module, code.plan, code.options, run, code.weightsHash);
  } else {
    exportKernels(*code.module, code.plan, options.onlyTask);
  }
  assert((!options.verifiesPasses || !llvm::verifyModule(*code.module, &llvm::errs())) && "the generated entry functions are valid");
  optimizeLlvm(*code.module, *code.machine, options.target.vectorBytes);
  return std::move(code);
}

void GeneratedCode::writeLlvm(llvm::raw_ostream &os) const { module->print(os, nullptr); }

void GeneratedCode::emit(llvm::raw_pwrite_stream &os, bool assembly) {
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool unable = machine->addPassesToEmitFile(
      passes, os, nullptr,
      assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile);
  assert(!unable && "both targets write assembly and objects");
  passes.run(*module);
}

void GeneratedCode::writeAssembly(llvm::raw_pwrite_stream &os) { emit(os, /*assembly=*/true); }

llvm::StringRef GeneratedCode::getCode() {
  if (object.empty()) {
    llvm::raw_svector_ostream stream(object);
    emit(stream, /*assembly=*/false);
  }
  return llvm::StringRef(object.data(), object.size());
}

llvm::Error GeneratedCode::writeObject(llvm::raw_pwrite_stream &os) {
  if (getInnerWeightBytes() == 0) {
    os << getCode();
    return llvm::Error::success();
  }
  return appendSection(
      getCode(), weightsSectionName(options.prefix), getInnerWeightBytes(), [&](llvm::raw_ostream &to) { writeInnerWeights(to); }, os);
}

llvm::Error GeneratedCode::writeUnfilledObject(llvm::raw_ostream &os) {
  if (getInnerWeightBytes() != 0)
    return reserveSection(getCode(), weightsSectionName(options.prefix), getInnerWeightBytes(), os);
  os << getCode();
  return llvm::Error::success();
}

void GeneratedCode::writeInnerWeights(llvm::raw_ostream &os) const {
  ModuleOp holder = *weights;
  writeWeights(holder, static_cast<int64_t>(getInnerWeightBytes()), os);
}

void GeneratedCode::writeWeightsFile(llvm::raw_ostream &os) const {
  cameo::writeWeightsFile(*weights, plan.weightBytes, weightsHash, os);
}

} // namespace cameo

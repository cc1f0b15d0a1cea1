#include "passes/Codegen/Gpu/DeviceCode.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/Gpu/CheckDevice.h"
#include "passes/Codegen/Gpu/RunPtxas.h"
#include "passes/Codegen/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <mutex>

using namespace mlir;

namespace cameo {
namespace {

std::unique_ptr<llvm::TargetMachine> createGpuTargetMachine(const GpuMachine &gpu) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string reason;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget("", triple, reason);
  assert(backend && "LLVM has the back end of NVIDIA's GPUs");
  llvm::TargetOptions options;
  // As the CPU's kernels, a product and a sum are rounded once.
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  std::string features = "+ptx" + std::to_string(gpu.ptxVersion);
  return std::unique_ptr<llvm::TargetMachine>(
      backend->createTargetMachine(triple, gpu.architecture, features, options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Errors at the tasks whose kernels need what GPUs have not, or one for the model.
LogicalResult reportUnsupported(ModuleOp module, ArrayRef<std::string> found, const GpuMachine &gpu) {
  if (found.empty())
    return success();
  return module.emitError("not supported on GPUs (") << gpu.name << ") yet: " << llvm::join(found, ", ");
}

class DeviceCompiler {
public:
  DeviceCompiler(ModuleOp source, const ModelPlan &plan, const CodegenOptions &options)
      : source(source), plan(plan), options(options), target(options.targets.front()), gpu(*target.gpu), forHost(options.gpuCode == GpuCode::Host) {}

  FailureOr<DeviceCode> run();

private:
  void nameKernels();
  LogicalResult translate(llvm::TargetMachine &machine);
  void optimize(llvm::TargetMachine &machine);
  llvm::SmallVector<char, 0> emit(llvm::TargetMachine &machine, llvm::CodeGenFileType type);
  LogicalResult assemble();
  LogicalResult link(llvm::TargetMachine &machine);

  ModuleOp source;
  const ModelPlan &plan;
  const CodegenOptions &options;
  const TargetInfo &target;
  const GpuMachine &gpu;
  bool forHost;
  DeviceCode code;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

/// PTX knows letters, digits, _ and $. The number keeps names apart, of which tasks of many nodes have long ones.
void DeviceCompiler::nameKernels() {
  constexpr size_t mostCharacters = 64;
  SymbolTable symbols(source);
  for (const PlannedStep &step : plan.steps) {
    if (step.kind != PlannedStep::Kind::Kernel || !code.kernelNumbers.try_emplace(step.kernel, code.kernels.size()).second)
      continue;
    std::string name = ("k" + std::to_string(code.kernels.size()) + "_" + step.kernel).substr(0, mostCharacters);
    std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
    auto kernel = symbols.lookup<func::FuncOp>(step.kernel);
    auto block = kernel->getAttrOfType<task::BlockAttr>(task::TaskDialect::getBlockName());
    assert(block && "kernels for a GPU run by block");
    code.kernels.push_back({name, block.getThreads()});
    kernel.setSymName(name);
  }
  // Dispatches that name them go with the plan that was read from them.
  source.walk([](task::DispatchOp dispatch) { dispatch.erase(); });
}

LogicalResult DeviceCompiler::translate(llvm::TargetMachine &machine) {
  PassManager manager(source.getContext());
  manager.enableVerifier(options.verifiesPasses);
  if (forHost)
    manager.addPass(createExpandHalfFloatsPass());
  manager.addPass(createConvertBlocksPass({forHost}));
  if (failed(manager.run(source)))
    return failure();
  // Without it, numbers of 64 bits would be loaded in halves, as far as LLVM knows where they lie.
  source->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(), StringAttr::get(source.getContext(), machine.createDataLayout().getStringRepresentation()));
  registerBuiltinDialectTranslation(*source.getContext());
  registerLLVMDialectTranslation(*source.getContext());
  registerNVVMDialectTranslation(*source.getContext());
  module = translateModuleToLLVMIR(source, context, options.prefix, /*disableVerification=*/!options.verifiesPasses);
  return module ? success() : source.emitError("expected kernels that translate to LLVM IR");
}

void DeviceCompiler::optimize(llvm::TargetMachine &machine) {
  for (llvm::Function &function : *module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops of a thread are short of registers, not of width.
  tuning.LoopVectorization = tuning.SLPVectorization = false;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*module, modules);
}

llvm::SmallVector<char, 0> DeviceCompiler::emit(llvm::TargetMachine &machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  // The back end changes what it emits.
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
  [[maybe_unused]] bool unable = machine.addPassesToEmitFile(passes, os, nullptr, type);
  assert(!unable && "both targets write what is asked for");
  passes.run(*copy);
  return bytes;
}

LogicalResult DeviceCompiler::assemble() {
  if (options.gpuCode == GpuCode::Ptx)
    return success();
  llvm::Expected<std::optional<std::string>> program = findPtxas(options.ptxas);
  if (!program)
    return source.emitError() << llvm::toString(program.takeError());
  if (!*program) {
    if (options.gpuCode == GpuCode::Binary)
      return source.emitError("--gpu-code=binary: expected ptxas of a CUDA toolkit in PATH, in bin of CUDA_PATH, or named by --ptxas");
    return success();
  }
  llvm::Expected<Assembled> assembled = runPtxas(**program, code.ptx, gpu.architecture);
  if (!assembled)
    return source.emitError() << llvm::toString(assembled.takeError());
  code.binary = std::move(assembled->binary);
  for (const std::string &warning : assembled->warnings)
    source.emitWarning() << warning;
  for (const KernelUse &use : assembled->uses)
    if (use.spilledBytes > 0 || use.stackBytes > 0)
      source.emitWarning("kernel ") << use.kernel << " spills " << use.spilledBytes << " bytes of registers, and has " << use.stackBytes
                                    << " bytes of stack per thread";
  return success();
}

LogicalResult DeviceCompiler::link(llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> object = emit(machine, llvm::CodeGenFileType::ObjectFile);
  llvm::Expected<std::vector<char>> image = options.linkImage(StringRef(object.data(), object.size()));
  if (!image)
    return source.emitError() << llvm::toString(image.takeError());
  code.binary.assign(image->begin(), image->end());
  return success();
}

FailureOr<DeviceCode> DeviceCompiler::run() {
  if (failed(reportUnsupported(source, findUnsupported(plan), gpu)))
    return failure();
  nameKernels();
  std::unique_ptr<llvm::TargetMachine> machine = forHost ? createTargetMachine(target) : createGpuTargetMachine(gpu);
  if (failed(translate(*machine)))
    return failure();
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  module->setSourceFileName(options.prefix);
  optimize(*machine);
  if (failed(reportUnsupported(source, findUnsupported(*module, gpu), gpu)))
    return failure();
  llvm::raw_string_ostream(code.llvm) << *module;
  llvm::SmallVector<char, 0> assembly = emit(*machine, llvm::CodeGenFileType::AssemblyFile);
  code.ptx.assign(assembly.begin(), assembly.end());
  if (failed(forHost ? link(*machine) : assemble()))
    return failure();
  return std::move(code);
}

} // namespace

FailureOr<DeviceCode> generateDeviceCode(ModuleOp module, const ModelPlan &plan, const CodegenOptions &options) {
  return DeviceCompiler(module, plan, options).run();
}

} // namespace cameo

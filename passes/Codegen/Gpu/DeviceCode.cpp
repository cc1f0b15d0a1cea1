#include "passes/Codegen/Gpu/DeviceCode.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/Gpu/CachePtxas.h"
#include "passes/Codegen/Gpu/CheckAccesses.h"
#include "passes/Codegen/Gpu/CheckDevice.h"
#include "passes/Codegen/Gpu/DependentLaunch.h"
#include "passes/Codegen/Gpu/EstimateLaunch.h"
#include "passes/Codegen/Gpu/FindDependences.h"
#include "passes/Codegen/Gpu/PersistentKernel.h"
#include "passes/Codegen/Gpu/RunPtxas.h"
#include "passes/Codegen/Gpu/ShareMemory.h"
#include "passes/Codegen/Llvm/OptimizeLlvm.h"
#include "passes/Codegen/Passes.h"
#include "passes/Target/GpuList.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cmath>
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
  // A product and a sum are fused to one rounding, as in kernels for the CPU.
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  std::string features = "+ptx" + std::to_string(gpu.ptxVersion);
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, gpu.architecture, features, options, std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Reports an error at each task whose kernels need unsupported features, or a single error for the model.
LogicalResult reportUnsupported(ModuleOp module, ArrayRef<std::string> found, const GpuMachine &gpu) {
  if (found.empty())
    return success();
  return module.emitError("not supported on GPUs (") << gpu.name << ") yet: " << llvm::join(found, ", ");
}

/// Number of ptxas processes that run at once: one takes a gigabyte for a large model.
constexpr unsigned mostAssemblers = 2;

class DeviceCompiler {
public:
  DeviceCompiler(ModuleOp source, const ModelPlan &plan, const CodegenOptions &options)
      : source(source), plan(plan), options(options), target(options.targets.front()), gpu(*target.gpu),
        forHost(options.gpuCode == GpuCode::Host) {}

  FailureOr<DeviceCode> run();

private:
  void nameKernels();
  bool isPersistentProfitable();
  LogicalResult chooseLaunch();
  LogicalResult translate(llvm::TargetMachine &machine);
  void joinKernels();
  void askForMemory();
  LogicalResult checkSharedMemory();
  LogicalResult generate(const GpuMachine &gpu, llvm::TargetMachine &machine);
  void optimize(llvm::Module &optimized, llvm::TargetMachine &machine) const;
  LogicalResult assemble();
  void report(const DeviceImage &image, const Assembled &assembled);
  LogicalResult link(llvm::Module &optimized, llvm::TargetMachine &machine, DeviceImage &image);
  bool hasDependentLaunch(const GpuMachine &machine) const;
  std::string taskOf(StringRef kernel) const;
  uint64_t dynamicBytesOf(StringRef kernel) const;

  ModuleOp source;
  const ModelPlan &plan;
  const CodegenOptions &options;
  const TargetInfo &target;
  const GpuMachine &gpu; ///< the GPU that the schedules are for
  bool forHost;
  DeviceCode code;
  std::vector<SmallVector<unsigned>> dependences; ///< of each step; only for a persistent kernel
  std::unique_ptr<llvm::Module> module;           ///< not optimised for an architecture yet
};

/// Notes which arguments of the kernel of `step` may change.
static void noteConstants(const PlannedStep &step, DeviceKernel &kernel) {
  kernel.constants.resize(step.buffers.size(), true);
  for (auto [argument, place] : llvm::enumerate(step.buffers))
    if (place.base != BufferPlace::Base::Weights)
      kernel.constants.reset(argument);
}

void DeviceCompiler::nameKernels() {
  SymbolTable symbols(source);
  for (const PlannedStep &step : plan.steps) {
    if (step.kind != PlannedStep::Kind::Kernel ||
        !code.kernelNumbers.try_emplace(step.kernel, code.kernels.size()).second)
      continue;
    std::string name = deviceNameOf(step.kernel, code.kernels.size());
    auto kernel = symbols.lookup<func::FuncOp>(step.kernel);
    auto block = kernel->getAttrOfType<task::BlockAttr>(task::TaskDialect::getBlockName());
    assert(block && "kernels for a GPU run by block");
    code.kernels.push_back({name, block.getThreads(), step.task ? plan.tasks[*step.task].name : "", step.task});
    for (auto [argument, place] : llvm::enumerate(step.buffers))
      if (place.base == BufferPlace::Base::Sizes)
        kernel.setArgAttr(argument, task::TaskDialect::getSizesName(), ArrayAttr::get(source.getContext(), {}));
    kernel.setSymName(name);
  }
  for (const PlannedStep &step : plan.steps)
    if (step.kind == PlannedStep::Kind::Kernel)
      noteConstants(step, code.kernels[code.kernelNumbers.lookup(step.kernel)]);
}

/// Whether kernels wait for earlier launches in the code for `machine`. The code of the host is for all machines.
bool DeviceCompiler::hasDependentLaunch(const GpuMachine &machine) const {
  if (!options.gpuDependentLaunch || code.isPersistent)
    return false;
  return forHost ? llvm::any_of(options.gpus, [](const GpuMachine *each) { return cameo::hasDependentLaunch(*each); })
                 : cameo::hasDependentLaunch(machine);
}

/// Whether one persistent kernel is estimated to save more than it loses.
bool DeviceCompiler::isPersistentProfitable() {
  std::optional<LaunchEstimate> estimate = estimatePersistent(plan, gpu);
  bool isProfitable = estimate && estimate->saved > estimate->lost;
  if (options.reportsKernels && estimate)
    source.emitRemark("--gpu-launch=auto: one persistent kernel is estimated to save ")
        << std::llround(estimate->saved) << " cycles of launches and to lose " << std::llround(estimate->lost)
        << " of its work: a run uses " << (isProfitable ? "that kernel" : "one launch per kernel");
  else if (options.reportsKernels)
    source.emitRemark("--gpu-launch=auto: a run launches its kernels one by one: their work is known only at run time");
  return isProfitable;
}

/// Runs after nameKernels and before the kernels are converted.
LogicalResult DeviceCompiler::chooseLaunch() {
  if (options.gpuLaunch == GpuLaunch::Dispatch || plan.steps.empty())
    return success();
  std::optional<Obstacle> obstacle = findObstacle(source, plan, code.kernels);
  if (obstacle && options.gpuLaunch == GpuLaunch::Persistent)
    return emitError(obstacle->where, "--gpu-launch=persistent: ") << obstacle->what;
  if (obstacle && options.reportsKernels)
    emitRemark(obstacle->where, "--gpu-launch=auto: a run launches its kernels one by one: ") << obstacle->what;
  if (obstacle)
    return success();
  if (options.gpuLaunch == GpuLaunch::Auto && !isPersistentProfitable())
    return success();
  BufferUses byName = findBufferUses(source), uses;
  for (const auto &[kernel, number] : code.kernelNumbers)
    uses[kernel] = byName.lookup(code.kernels[number].name);
  dependences = findDependences(plan, uses);
  code.isPersistent = true;
  return success();
}

void DeviceCompiler::joinKernels() {
  if (!code.isPersistent)
    return;
  code.kernels = {addPersistentKernel(*module, plan, dependences, code, forHost)};
}

LogicalResult DeviceCompiler::translate(llvm::TargetMachine &machine) {
  PassManager manager(source.getContext());
  manager.enableVerifier(options.verification == Verification::Passes);
  bool dependentLaunch = llvm::any_of(options.gpus, [&](const GpuMachine *each) { return hasDependentLaunch(*each); });
  manager.addPass(createConvertBlocksPass({forHost, /*areBodies=*/code.isPersistent, dependentLaunch}));
  if (failed(manager.run(source)))
    return failure();
  // Without a data layout LLVM would assume a lower alignment and load 64-bit values in halves.
  source->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(source.getContext(), machine.createDataLayout().getStringRepresentation()));
  registerBuiltinDialectTranslation(*source.getContext());
  registerLLVMDialectTranslation(*source.getContext());
  registerNVVMDialectTranslation(*source.getContext());
  module = translateModuleToLLVMIR(source, *code.context, options.prefix,
                                   /*disableVerification=*/options.verification == Verification::None);
  return module ? success() : source.emitError("expected kernels that translate to LLVM IR");
}

/// Marks products as convergent, which are mma intrinsics or inline assembly. Without it LLVM may sink a product into a
/// branch that only some threads of the warp take, but all of them must execute it together.
void keepTogether(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallBase>(&instruction))
        if (call->isInlineAsm() ||
            (call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("llvm.nvvm.mma.")))
          call->setConvergent();
}

void DeviceCompiler::optimize(llvm::Module &optimized, llvm::TargetMachine &machine) const {
  for (llvm::Function &function : optimized) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
  keepTogether(optimized);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Loops of a GPU thread are limited by registers, and wider vectors gain nothing.
  tuning.LoopVectorization = tuning.SLPVectorization = false;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager pipeline;
  // The emulator is for finding errors, so compile time matters more than run time.
  if (forHost)
    llvm::cantFail(passes.parsePassPipeline(
        pipeline,
        "function(sroa,early-cse,simplifycfg,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg),globaldce"));
  else
    pipeline = passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  pipeline.run(optimized, modules);
}

llvm::SmallVector<char, 0> emit(const llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  // The back end modifies the module.
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  [[maybe_unused]] bool unable = machine.addPassesToEmitFile(passes, os, nullptr, type);
  assert(!unable && "both targets write what is asked for");
  passes.run(*copy);
  return bytes;
}

std::string emitAssembly(const llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> bytes = emit(module, machine, llvm::CodeGenFileType::AssemblyFile);
  return {bytes.begin(), bytes.end()};
}

/// Returns the nodes of `kernel` for messages.
std::string DeviceCompiler::taskOf(StringRef kernel) const {
  auto found = llvm::find_if(code.kernels, [&](const DeviceKernel &each) { return each.name == kernel; });
  return found == code.kernels.end() || found->nodes.empty() ? "" : " (" + found->nodes + ")";
}

uint64_t DeviceCompiler::dynamicBytesOf(StringRef kernel) const {
  auto found = llvm::find_if(code.kernels, [&](const DeviceKernel &each) { return each.name == kernel; });
  return found == code.kernels.end() ? 0 : found->dynamicBytes;
}

void DeviceCompiler::report(const DeviceImage &image, const Assembled &assembled) {
  std::string suffix = options.gpus.size() > 1 ? " (" + image.gpu->architecture.str() + ")" : "";
  for (const std::string &warning : assembled.warnings)
    source.emitWarning() << warning << suffix;
  for (const KernelUse &use : assembled.uses) {
    if (use.spilledBytes > 0 || use.stackBytes > 0)
      source.emitWarning("kernel ") << use.kernel << taskOf(use.kernel) << " spills " << use.spilledBytes
                                    << " bytes of registers, and has " << use.stackBytes << " bytes of stack per thread"
                                    << suffix;
    if (options.reportsKernels)
      source.emitRemark("kernel ") << use.kernel << taskOf(use.kernel) << " has " << use.registers
                                   << " registers per thread and " << use.sharedBytes + dynamicBytesOf(use.kernel)
                                   << " bytes of shared memory" << suffix;
  }
}

/// Assembles all architectures in parallel; the reports keep the order of the architectures.
LogicalResult DeviceCompiler::assemble() {
  if (options.gpuCode == GpuCode::Ptx)
    return success();
  llvm::Expected<std::optional<std::string>> program = findPtxas(options.ptxas);
  if (!program)
    return source.emitError() << llvm::toString(program.takeError());
  if (!*program) {
    if (options.gpuCode == GpuCode::Binary)
      return source.emitError(
          "--gpu-code=binary: expected ptxas of a CUDA toolkit in PATH, in bin of CUDA_PATH, or named by --ptxas");
    return success();
  }
  std::vector<std::optional<llvm::Expected<Assembled>>> results(code.images.size());
  {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(std::min<unsigned>(mostAssemblers, code.images.size())));
    for (auto [result, image] : llvm::zip_equal(results, code.images))
      pool.async(
          [&] { result.emplace(runPtxasCached(**program, image.ptx, image.gpu->architecture, options.ptxasCache)); });
  }
  LogicalResult all = success();
  for (auto [result, image] : llvm::zip_equal(results, code.images)) {
    llvm::Expected<Assembled> &assembled = *result;
    if (!assembled) {
      std::string error = llvm::toString(assembled.takeError()), kernel = kernelOfError(error, image.ptx);
      all = source.emitError() << error << (kernel.empty() ? "" : "; that is in kernel " + kernel + taskOf(kernel));
      continue;
    }
    image.binary = std::move(assembled->binary);
    image.uses = assembled->uses;
    report(image, *assembled);
  }
  return all;
}

LogicalResult DeviceCompiler::link(llvm::Module &optimized, llvm::TargetMachine &machine, DeviceImage &image) {
  llvm::SmallVector<char, 0> object = emit(optimized, machine, llvm::CodeGenFileType::ObjectFile);
  llvm::Expected<std::vector<char>> linked = options.linkImage(StringRef(object.data(), object.size()));
  if (!linked)
    return source.emitError() << llvm::toString(linked.takeError());
  image.binary.assign(linked->begin(), linked->end());
  return success();
}

/// Finds the kernels whose launches must ask for shared memory. The functions of a persistent kernel are all functions
/// of the module; for the emulator, the code of another one is behind a function that reads its arguments.
void DeviceCompiler::askForMemory() {
  std::vector<KernelCode> kernels;
  for (const DeviceKernel &kernel : code.kernels) {
    KernelCode &own = kernels.emplace_back();
    if (code.isPersistent)
      own = llvm::map_to_vector<1>(*module, [](llvm::Function &function) { return &function; });
    else
      own = {functionOf(*module, kernel, forHost)};
  }
  for (auto [kernel, bytes] : llvm::zip_equal(code.kernels, makeMemoryDynamic(*module, kernels, forHost))) {
    kernel.dynamicBytes = bytes;
    if (!forHost || bytes == 0)
      continue;
    llvm::Type *i32 = llvm::Type::getInt32Ty(module->getContext());
    new llvm::GlobalVariable(*module, i32, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
                             llvm::ConstantInt::get(i32, bytes), kernel.name + emulatedDynamicSuffix);
  }
}

LogicalResult DeviceCompiler::checkSharedMemory() {
  for (const DeviceKernel &kernel : code.kernels)
    if (static_cast<int64_t>(kernel.dynamicBytes) > gpu.blockSharedBytes)
      return source.emitError("--gpu: kernel ")
             << kernel.name << taskOf(kernel.name) << " needs " << kernel.dynamicBytes
             << " bytes of shared memory, expected at most " << gpu.blockSharedBytes
             << ", which all devices have that the object is for";
  return success();
}

/// Generates the code for one architecture.
LogicalResult DeviceCompiler::generate(const GpuMachine &each, llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> optimized = llvm::CloneModule(*module);
  optimized->setTargetTriple(machine.getTargetTriple());
  optimized->setDataLayout(machine.createDataLayout());
  bool dependentLaunch = hasDependentLaunch(each);
  orderLaunches(*optimized, code.kernels, dependentLaunch, forHost);
  if (forHost)
    addCheckedKernels(*optimized);
  optimize(*optimized, machine);
  if (failed(reportUnsupported(source, findUnsupported(*optimized, each), each)))
    return failure();
  DeviceImage image{&each, nullptr, {}, {}, {}, dependentLaunch};
  if (forHost && failed(link(*optimized, machine, image)))
    return failure();
  if (!forHost)
    image.ptx = emitAssembly(*optimized, machine);
  image.optimized = std::move(optimized);
  code.images.push_back(std::move(image));
  return success();
}

FailureOr<DeviceCode> DeviceCompiler::run() {
  if (failed(reportUnsupported(source, findUnsupported(plan), gpu)))
    return failure();
  nameKernels();
  if (failed(chooseLaunch()))
    return failure();
  // The plan was read already, so the dispatches, which refer to the old names, are erased.
  source.walk([](task::DispatchOp dispatch) { dispatch.erase(); });
  code.context = std::make_unique<llvm::LLVMContext>();
  // All architectures have the same data layout.
  std::unique_ptr<llvm::TargetMachine> machine = forHost ? createTargetMachine(target) : createGpuTargetMachine(gpu);
  if (failed(translate(*machine)))
    return failure();
  module->setDataLayout(machine->createDataLayout());
  joinKernels();
  askForMemory();
  if (failed(checkSharedMemory()))
    return failure();
  module->setSourceFileName(options.prefix);
  if (forHost) {
    generateQuickly(*machine);
    if (failed(generate(gpu, *machine)))
      return failure();
    code.host = std::move(machine);
    return std::move(code);
  }
  for (const GpuMachine *each : options.gpus)
    if (failed(generate(*each, *createGpuTargetMachine(*each))))
      return failure();
  if (failed(assemble()))
    return failure();
  return std::move(code);
}

} // namespace

std::string deviceNameOf(StringRef kernel, size_t number) {
  constexpr size_t mostCharacters = 64;
  std::string name = ("k" + std::to_string(number) + "_" + kernel).str().substr(0, mostCharacters);
  std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
  return name;
}

std::string DeviceCode::assemblyOf(const DeviceImage &image) const {
  return host ? emitAssembly(*image.optimized, *host) : image.ptx;
}

FailureOr<DeviceCode> generateDeviceCode(ModuleOp module, const ModelPlan &plan, const CodegenOptions &options) {
  return DeviceCompiler(module, plan, options).run();
}

} // namespace cameo

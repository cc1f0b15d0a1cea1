// Converts the kernels, translates them to LLVM IR, adds the entry functions, optimises, and writes the requested form
// of output.
#include "passes/Codegen/GenerateCode.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/AppendSection.h"
#include "passes/Codegen/Entry/EmitEntry.h"
#include "passes/Codegen/Gpu/EmitGpuModel.h"
#include "passes/Codegen/Gpu/HostKernels.h"
#include "passes/Codegen/Llvm/OptimizeLlvm.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Weights/ShareWeights.h"
#include "passes/Codegen/Weights/WeightsFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace cameo {

/// Gives the kernels of the task `key` external linkage, so that all others are removed as unused.
static void exportKernels(llvm::Module &module, const ModelPlan &plan, StringRef key) {
  for (const PlannedStep &step : plan.steps)
    if (step.kind == PlannedStep::Kind::Kernel && step.task && plan.tasks[*step.task].key == key)
      module.getFunction(step.kernel)->setLinkage(llvm::GlobalValue::ExternalLinkage);
}

/// LLVM can lower f16 and bf16 on AArch64 by itself: there are instructions for f16, and LLVM expands bf16 to integer
/// operations.
static ExpandHalfFloatsPassOptions halfFloats(const TargetInfo &target) {
  if (!llvm::Triple(target.triple).isX86())
    return {/*f16Conversions=*/true, /*f16Arithmetic=*/true, /*bf16Conversions=*/true};
  std::vector<std::string> extensions = vectorExtensions(target);
  return {llvm::is_contained(extensions, "f16c"), llvm::is_contained(extensions, "avx512fp16"),
          llvm::is_contained(extensions, "avx512bf16")};
}

LogicalResult GeneratedCode::readPlans(ArrayRef<ModuleOp> modules) {
  for (ModuleOp module : modules) {
    FailureOr<ModelPlan> read = ModelPlan::read(module);
    if (failed(read))
      return failure();
    variants.push_back(std::move(*read));
  }
  if (options.hasChoice()) {
    weights = shareWeights(modules, variants);
    return success();
  }
  ModuleOp module = modules.front();
  OpBuilder builder(module.getContext());
  weights = ModuleOp::create(builder, module.getLoc());
  builder.setInsertionPointToStart(weights->getBody());
  for (auto weight : module.getOps<task::WeightOp>())
    builder.clone(*weight);
  return success();
}

void GeneratedCode::joinPlans() {
  plan = variants.front();
  for (ModelPlan &variant : MutableArrayRef(variants).drop_front()) {
    assert(variant.inputs.size() == plan.inputs.size() && variant.outputs.size() == plan.outputs.size() &&
           variant.symbols == plan.symbols && variant.derived.size() == plan.derived.size() &&
           variant.greatest.size() == plan.greatest.size() && "processors change no tensor of the caller");
    variant.firstTask = plan.tasks.size();
    llvm::append_range(plan.tasks, variant.tasks);
    plan.arenaBytes = std::max(plan.arenaBytes, variant.arenaBytes);
  }
}

LogicalResult GeneratedCode::placeWeights(ModuleOp module) {
  bool isLarge = static_cast<uint64_t>(plan.weightBytes) >= options.largestWeights;
  options.externalWeights |= isLarge && options.externalIfLarge;
  if (options.externalWeights && options.weightsFile)
    weightsHash = hashAndWriteWeightsFile(*weights, plan.weightBytes, *options.weightsFile);
  else if (options.externalWeights)
    weightsHash = options.weightsHash != 0 ? options.weightsHash : hashWeights(*weights, plan.weightBytes);
  else if (isLarge)
    return module.emitError("expected less than 2 GiB of weights in an object, got ")
           << plan.weightBytes << " bytes: name a file for them with --weights";
  return success();
}

static void setTarget(llvm::Module &module, const llvm::TargetMachine &machine, StringRef name) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setSourceFileName(name);
}

/// Returns the kernels for one processor as LLVM IR.
FailureOr<std::unique_ptr<llvm::Module>> GeneratedCode::translate(ModuleOp module, const TargetInfo &target) {
  PassManager manager(module.getContext());
  manager.enableVerifier(options.verification == Verification::Passes);
  manager.addPass(createExpandHalfFloatsPass(halfFloats(target)));
  manager.addPass(createConvertKernelsPass({target.floatExtrema}));
  if (failed(manager.run(module)))
    return failure();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, *context, options.prefix, /*disableVerification=*/true);
  if (!translated)
    return module.emitError("expected kernels that translate to LLVM IR");
  return translated;
}

void GeneratedCode::finish(llvm::Module &finished, llvm::TargetMachine &forMachine, int64_t vectorBytes) {
  assert((options.verification == Verification::None || !llvm::verifyModule(finished, &llvm::errs())) &&
         "the kernels and the generated entry functions are valid");
  optimizeLlvm(finished, forMachine, vectorBytes);
}

/// Whether a run is so short that optimised code takes longer to compile than it saves. Returns false if the amount of
/// work is known only at run time.
static bool hasLittleWork(const ModelPlan &plan) {
  // In float operations or bytes, whichever are more. Optimising a task takes about 5 ms, and a loop that is not
  // optimised takes 1.5 ns more for each operation.
  constexpr double mostWorkOfTask = 1 << 21;
  std::optional<double> work =
      plan.addUpTasks([](const PlannedTask &task) { return std::max(task.flops, task.bytes); });
  return work && *work <= mostWorkOfTask * static_cast<double>(plan.tasks.size());
}

LogicalResult GeneratedCode::generateOne(ModuleOp source) {
  const TargetInfo &target = options.targets.front();
  FailureOr<std::unique_ptr<llvm::Module>> kernels = translate(source, target);
  if (failed(kernels))
    return failure();
  module = std::move(*kernels);
  machine = createTargetMachine(target);
  if (options.isReference && hasLittleWork(plan))
    generateQuickly(*machine);
  setTarget(*module, *machine, options.prefix);
  if (options.onlyTask.empty()) {
    llvm::Function *run = emitRun(*module, plan, options, options.prefix + "_run_buffers", weightsHash);
    emitDescription(*module, plan, variants, options, run, weightsHash);
  } else {
    exportKernels(*module, plan, options.onlyTask);
  }
  finish(*module, *machine, target.vectorBytes);
  return success();
}

/// The object holds tables for the runtime. Its CPU code is the kernels that the host executes, and a run function that
/// returns an error.
LogicalResult GeneratedCode::generateForGpu(ModuleOp source) {
  OwningOpRef<ModuleOp> hostKernels = takeHostKernels(source);
  FailureOr<DeviceCode> made = generateDeviceCode(source, plan, options);
  if (failed(made))
    return failure();
  device = std::move(*made);
  const TargetInfo &target = options.targets.front();
  machine = createTargetMachine(target);
  if (hostKernels) {
    FailureOr<std::unique_ptr<llvm::Module>> translated = translate(*hostKernels, target);
    if (failed(translated))
      return failure();
    module = std::move(*translated);
  } else {
    module = std::make_unique<llvm::Module>(options.prefix, *context);
  }
  setTarget(*module, *machine, options.prefix);
  llvm::GlobalVariable *section = plan.weightBytes > 0 && !options.externalWeights
                                      ? emitWeights(*module, options, llvm::GlobalValue::InternalLinkage)
                                      : nullptr;
  emitDescription(*module, plan, variants, options, emitRefusingRun(*module, options.prefix), weightsHash);
  emitGpuModel(*module, plan, *device, options, section);
  finish(*module, *machine, target.vectorBytes);
  return success();
}

/// The names of functions end in that of the processor, and only the run function has external linkage.
FailureOr<std::unique_ptr<llvm::Module>> GeneratedCode::generateVariant(ModuleOp source, const ModelPlan &variant,
                                                                        const TargetInfo &target) {
  FailureOr<std::unique_ptr<llvm::Module>> kernels = translate(source, target);
  if (failed(kernels))
    return failure();
  llvm::Module &made = **kernels;
  std::unique_ptr<llvm::TargetMachine> ownMachine = createTargetMachine(target);
  setTarget(made, *ownMachine, options.prefix);
  if (options.onlyTask.empty())
    emitRun(made, variant, options, options.prefix + ".run", weightsHash)
        ->setVisibility(llvm::GlobalValue::HiddenVisibility);
  else
    exportKernels(made, variant, options.onlyTask);
  finish(made, *ownMachine, target.vectorBytes);
  for (llvm::Function &function : made)
    if (!function.isDeclaration())
      function.setName(variantName(function.getName(), target));
  return kernels;
}

/// The code that the variants share is for the baseline of the architecture, because it also runs on a machine that
/// supports no variant.
LogicalResult GeneratedCode::generateVariants(ArrayRef<ModuleOp> modules) {
  TargetInfo baseline = llvm::cantFail(resolveTarget(options.targets.front().triple, ""));
  machine = createTargetMachine(baseline);
  module = std::make_unique<llvm::Module>(options.prefix, *context);
  setTarget(*module, *machine, options.prefix);
  if (options.onlyTask.empty()) {
    if (plan.weightBytes > 0 && !options.externalWeights)
      emitWeights(*module, options, llvm::GlobalValue::ExternalLinkage);
    emitDescription(*module, plan, variants, options, emitChoice(*module, options), weightsHash);
  }
  finish(*module, *machine, baseline.vectorBytes);
  for (auto [source, variant, target] : llvm::zip_equal(modules, variants, options.targets)) {
    FailureOr<std::unique_ptr<llvm::Module>> made = generateVariant(source, variant, target);
    if (failed(made))
      return failure();
    [[maybe_unused]] bool isWrong = llvm::Linker::linkModules(*module, std::move(*made));
    assert(!isWrong && "variants define different names");
  }
  if (!options.onlyTask.empty())
    return success();
  // Symbols that were external only for the linking of the modules: the run functions and the weights.
  for (llvm::GlobalObject &object : module->global_objects())
    if (!object.isDeclaration() && object.hasExternalLinkage() && object.getName().starts_with(options.prefix + "."))
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
  return success();
}

FailureOr<GeneratedCode> GeneratedCode::create(ArrayRef<ModuleOp> modules, const CodegenOptions &options) {
  assert(modules.size() == options.targets.size() && "a module for each target");
  GeneratedCode code;
  code.options = options;
  if (failed(code.readPlans(modules)))
    return failure();
  code.joinPlans();
  if (failed(code.placeWeights(modules.front())))
    return failure();
  code.context = std::make_unique<llvm::LLVMContext>();
  if (failed(options.hasChoice()           ? code.generateVariants(modules)
             : options.targets.front().gpu ? code.generateForGpu(modules.front())
                                           : code.generateOne(modules.front())))
    return failure();
  return std::move(code);
}

llvm::StringSet<> GeneratedCode::getExternNames() const {
  llvm::StringSet<> names;
  for (const PlannedExtern &function : plan.externs)
    names.insert(options.prefix + "_" + function.function);
  return names;
}

void GeneratedCode::writeLlvm(llvm::raw_ostream &os) const {
  if (device)
    for (const DeviceImage &image : device->images)
      image.optimized->print(os, nullptr);
  else
    module->print(os, nullptr);
}

void GeneratedCode::emit(llvm::raw_pwrite_stream &os, bool assembly) {
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool unable = machine->addPassesToEmitFile(
      passes, os, nullptr, assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile);
  assert(!unable && "both targets write assembly and objects");
  passes.run(*module);
}

void GeneratedCode::writeAssembly(llvm::raw_pwrite_stream &os) {
  if (device)
    for (const DeviceImage &image : device->images)
      os << device->assemblyOf(image);
  else
    emit(os, /*assembly=*/true);
}

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
      getCode(), weightsSectionName(options.prefix), getInnerWeightBytes(),
      [&](llvm::raw_ostream &to) { writeInnerWeights(to); }, os);
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

#include "autotune/Measure/BuildCandidate.h"

#include "autotune/Measure/PackageFormat.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Codegen/GenerateCode.h"
#include "passes/Codegen/KernelCode.h"
#include "passes/Codegen/Weights/WeightsFile.h"
#include "passes/Pipeline/Pipeline.h"
#include "passes/Target/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace cameo::autotune {
namespace {

/// Marks the weights as external; the real hash is set later.
constexpr uint64_t placeholderHash = 1;

/// Captures the first error of a context instead of printing it.
class FirstError {
public:
  explicit FirstError(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && message.empty())
            message = diagnostic.str();
          return success();
        }) {}
  std::string message;

private:
  ScopedDiagnosticHandler handler;
};

BuildResult failWith(ErrorKind kind, std::string message) { return {{kind, std::move(message)}, {}}; }

/// Sets the values of the constants in @main.
void setConstants(ModuleOp module, const TaskSource &task, const CheckData &data) {
  unsigned number = 0;
  for (auto constant : module.lookupSymbol<func::FuncOp>("main").getOps<onnx::ConstantOp>()) {
    while (!task.constant[number])
      ++number;
    const std::shared_ptr<const Tensor> &value = data.arguments[number++];
    auto type = cast<RankedTensorType>(constant.getType());
    constant.setValueAttr(onnx::makeConstantAttr(type, ArrayRef(value->data(), value->sizeBytes()), value));
  }
}

} // namespace

CandidateBuilder::CandidateBuilder(const BuildOptions &options)
    : options(options), context(*options.registry, MLIRContext::Threading::DISABLED) {
  context.printOpOnDiagnostic(false);
}

CandidateBuilder::~CandidateBuilder() = default;

/// Returns the task's module, in linalg for the naive path, or null after an error. It is lowered to loops once for all
/// candidates.
ModuleOp CandidateBuilder::parse(const TaskSource &task, bool withLoops) {
  OwningOpRef<ModuleOp> &module = (withLoops ? loops : linalg)[task.key];
  if (module)
    return *module;
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(task.bytecode, ParserConfig(&context));
  PassManager manager(&context);
  PipelineOptions pipeline;
  pipeline.naive = !withLoops;
  // Row groups for a GPU contain no products, so forming nests depends on the target.
  if (withLoops)
    manager.addPass(createAttachTargetPass(options.target));
  addPhase(manager, Phase::Loops, pipeline);
  if (parsed && succeeded(manager.run(*parsed)))
    module = std::move(parsed);
  return *module;
}

/// Returns a copy of the task's module with its schedule and constants.
OwningOpRef<ModuleOp> CandidateBuilder::instantiate(const TaskSource &task, const BuildRequest &request) {
  ModuleOp source = parse(task, /*withLoops=*/!request.schedule.empty());
  if (!source)
    return nullptr;
  OwningOpRef<ModuleOp> module = source.clone();
  if (!request.schedule.empty()) {
    auto steps = dyn_cast_or_null<schedule::StepsAttr>(parseAttribute(request.schedule, &context));
    if (!steps)
      return nullptr;
    for (auto def : module->getOps<task::DefOp>())
      def->setAttr("schedule", steps);
  }
  if (request.check)
    setConstants(*module, task, *request.check);
  return module;
}

BuildResult CandidateBuilder::build(const TaskSource &task, const BuildRequest &request) {
  FirstError error(context);
  OwningOpRef<ModuleOp> module = instantiate(task, request);
  if (!module)
    return failWith(ErrorKind::Instantiation, error.message);
  PipelineOptions pipeline;
  pipeline.target = options.target;
  pipeline.naive = request.schedule.empty();
  pipeline.runSizes.assign(task.runSizes.begin(), task.runSizes.end());
  // The naive path always runs on the CPU.
  if (pipeline.naive)
    pipeline.target.gpu = nullptr;
  PassManager schedule(&context), memory(&context);
  // Verifying after each pass takes a considerable part of the build time, so only candidates that may become the best
  // are verified.
  schedule.enableVerifier(request.verifiesPasses);
  memory.enableVerifier(request.verifiesPasses);
  addPhase(schedule, Phase::Schedule, pipeline);
  addPhase(schedule, Phase::Emit, pipeline);
  addPhase(memory, Phase::Memory, pipeline);
  if (failed(schedule.run(*module)))
    return failWith(ErrorKind::Instantiation, error.message);
  if (failed(memory.run(*module)))
    return failWith(ErrorKind::CompileHost, error.message);

  CodegenOptions codegen;
  codegen.targets = {pipeline.target};
  codegen.prefix = CAMEO_CANDIDATE_PREFIX;
  codegen.modelName = task.name;
  codegen.externalWeights = llvm::is_contained(task.constant, true);
  codegen.weightsHash = placeholderHash;
  codegen.verification = request.verifiesPasses ? Verification::Passes : Verification::None;
  codegen.isReference = pipeline.naive;
  if (pipeline.target.gpu)
    codegen.gpus = {pipeline.target.gpu};
  codegen.gpuCode = options.gpuCode;
  codegen.ptxas = options.ptxas;
  codegen.ptxasCache = options.ptxasCache;
  codegen.linkImage = options.link;
  FailureOr<GeneratedCode> code = GeneratedCode::create(*module, codegen);
  if (failed(code))
    return failWith(ErrorKind::CompileHost, error.message);
  llvm::Expected<int64_t> codeBytes = measureKernels(code->getCode());
  if (!codeBytes)
    return failWith(ErrorKind::CompileHost, llvm::toString(codeBytes.takeError()));
  // The naive path does not become part of the model, so the limit does not apply.
  if (!request.schedule.empty() && *codeBytes > task.mostCodeBytes)
    return failWith(ErrorKind::CompileHost,
                    (llvm::Twine(*codeBytes) + " bytes of code, of which the budget of the model leaves the task " +
                     llvm::Twine(task.mostCodeBytes))
                        .str());
  SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (llvm::Error failure = code->writeObject(os))
    return failWith(ErrorKind::CompileHost, llvm::toString(std::move(failure)));
  llvm::Expected<std::vector<char>> library = options.link(os.str());
  if (!library)
    return failWith(ErrorKind::CompileHost, llvm::toString(library.takeError()));

  BuildResult result;
  result.image.library = std::move(*library);
  if (codegen.externalWeights) {
    result.image.weightBytes = getExternalBytes(code->getPlan().weightBytes);
    if (request.check) {
      llvm::raw_string_ostream weights(result.image.weights);
      code->writeWeightsFile(weights);
    }
  }
  return result;
}

} // namespace cameo::autotune

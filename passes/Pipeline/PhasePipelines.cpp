// Phases as pipelines with names, for cameo-opt: --cameo-graph, --cameo-layout and so on, and --cameo-phases for
// several at once.
#include "passes/Pipeline/Pipeline.h"
#include "passes/Target/TargetInfo.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

using namespace cameo;
using namespace mlir;

namespace {

/// Options that have the same names in `cameo compile`.
struct PhaseOptions : PassPipelineOptions<PhaseOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("The machine, as LLVM names it; the host's when empty")};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("The processor, as LLVM names it, or native; the baseline of the target when empty")};
  Option<std::string> gpu{*this, "gpu", llvm::cl::desc("The device that kernels run on; the processor when empty")};
  Option<std::string> gpuMath{
      *this, "gpu-math", llvm::cl::desc("What it multiplies where the model has float32, as GpuMachine.h names it"),
      llvm::cl::init("f32")};
  ListOption<std::string> parameters{
      *this, "machine",
      llvm::cl::desc("KEY=VALUE,...: parameters of the machine that are others than those of the processor")};
  Option<std::string> winograd{*this, "winograd", llvm::cl::desc("auto, off, f2 or f4"), llvm::cl::init("auto")};
  Option<std::string> weightsType{*this, "weights-type", llvm::cl::desc("See --shrink-weights"),
                                  llvm::cl::init("as-is")};
  Option<bool> naive{*this, "naive", llvm::cl::desc("The reference path: one task per operator, plain loops")};
  Option<bool> splitBatch{*this, "split-batch",
                          llvm::cl::desc("The model of one sample where the samples of a batch are independent")};

  llvm::Expected<PipelineOptions> resolve() const {
    PipelineOptions options;
    llvm::Expected<TargetInfo> resolved = resolveTarget(target, cpu);
    if (!resolved)
      return resolved.takeError();
    options.target = *resolved;
    if (!gpu.empty()) {
      llvm::Expected<GpuMath> math = findGpuMath(gpuMath);
      if (!math)
        return math.takeError();
      llvm::Expected<const GpuMachine *> found = findGpu(gpu, *math);
      if (!found)
        return found.takeError();
      options.target.gpu = *found;
    }
    for (llvm::StringRef parameter : parameters)
      if (llvm::Error error = setParameters(options.target, parameter))
        return std::move(error);
    options.winograd = winograd;
    options.weightsType = weightsType;
    options.naive = naive;
    options.splitBatch = splitBatch;
    return options;
  }
};

/// Registers the phases from `first` to `last` as one pipeline.
void registerPipeline(const llvm::Twine &name, const llvm::Twine &description, Phase first, Phase last) {
  auto build = [first, last](OpPassManager &manager, llvm::StringRef text,
                             llvm::function_ref<LogicalResult(const llvm::Twine &)> report) {
    PhaseOptions given;
    if (failed(given.parseFromString(text)))
      return failure();
    llvm::Expected<PipelineOptions> options = given.resolve();
    if (!options)
      return report(llvm::toString(options.takeError()));
    for (Phase phase : allPhases)
      if (phase >= first && phase <= last)
        addPhase(manager, phase, *options);
    return success();
  };
  auto listOptions = [](llvm::function_ref<void(const mlir::detail::PassOptions &)> visit) { visit(PhaseOptions()); };
  registerPassPipeline(name.str(), description.str(), build, listOptions);
}

} // namespace

void cameo::registerPhasePipelines() {
  for (Phase phase : allPhases)
    registerPipeline("cameo-" + phaseName(phase), "The passes of the phase '" + phaseName(phase) + "' of cameo compile",
                     phase, phase);
  registerPipeline("cameo-phases",
                   "All phases of cameo compile, from the imported model to kernels and a plan of memory", allPhases[0],
                   llvm::ArrayRef(allPhases).back());
}

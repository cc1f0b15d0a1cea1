#include "utils/Driver/Inspect/InspectModel.h"

#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxInterfaces.h"
#include "dialects/Task/Variants.h"
#include "frontend/Import/CheckModel.h"
#include "passes/Graph/CheckSizes.h"
#include "passes/Lower/SupportedOps.h"
#include "passes/Memory/BufferPlan.h"
#include "passes/Schedule/ChooseHostTasks.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Nests/NestDigest.h"
#include "utils/Driver/CheckGpu.h"
#include "utils/Driver/Inspect/EstimateTask.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Register.h"
#include "utils/Driver/Tune/CollectTasks.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

using namespace cameo;
using namespace mlir;

/// Runs the naive path, which has the operators of the optimised one, up to linalg. After that, only memory planning
/// can reject a model.
static void checkLowering(ModuleOp module, bool isWhole, const Plugins &plugins, const GpuMachine *gpu,
                          SlowTasks &slow) {
  PipelineOptions options;
  options.naive = true;
  options.target.gpu = gpu;
  addGraphPasses(plugins, options);
  auto run = [&](ArrayRef<Phase> phases) {
    PassManager manager(module.getContext());
    for (Phase phase : phases)
      addPhase(manager, phase, options);
    return manager.run(module);
  };
  if (failed(run(Phase::Graph)))
    return;
  bool isFine = !isWhole || succeeded(checkSizes(module));
  // Check each operation by itself first. This reports all operations without a lowering, also if sizes are unknown.
  module.walk([&](Operation *op) {
    if ((!isa<onnx::OnnxDialect>(op->getDialect()) && !isa<onnx::OnnxOp>(op)) || op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (std::optional<std::string> reason = whyNotLowered(op)) {
      op->emitError() << *reason;
      isFine = false;
    }
  });
  if (!isWhole || !isFine || failed(run({Phase::Partition, Phase::Lower})) ||
      failed(BufferPlan::create(module.lookupSymbol<func::FuncOp>("main"))) || !gpu)
    return;
  slow = findSlowTasks(module);
}

bool cameo::checkSupport(const CheckOptions &options, llvm::raw_ostream &os) {
  const GpuMachine *gpu = nullptr;
  GpuMath math = gpuMathOf(options.gpuMath);
  if (options.gpu.empty() && math != GpuMath::F32)
    return succeeded(reportFailure("--gpu-math=" + options.gpuMath + ": expected --gpu"));
  if (!options.gpu.empty()) {
    llvm::Expected<const GpuMachine *> found = findGpu(options.gpu, math);
    if (!found)
      return succeeded(reportFailure("--gpu: " + llvm::toString(found.takeError())));
    gpu = *found;
  }
  DialectRegistry registry;
  registerDialects(registry, options.plugins);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ReportDiagnostics diagnostics(context, /*withRemarks=*/false);
  ImportOptions import;
  import.dims = options.sizes;
  import.forms = options.forms;
  import.externs = options.externs;
  SlowTasks slow;
  auto check = [&](ModuleOp module, bool isWhole) { checkLowering(module, isWhole, options.plugins, gpu, slow); };
  FailureOr<ModelReport> report = checkModel(context, options.model, check, import);
  if (failed(report))
    return false;
  for (ExternFunction &function : report->externs)
    function.name.insert(0, prefixFromPath(options.model) + "_");
  report->singleThread = std::move(slow.singleThread);
  report->hostTasks = std::move(slow.host);
  options.json ? printJson(*report, os) : printText(*report, os);
  return report->isSupported();
}

// ---- tasks ----

static TaskSummary summarize(task::DefOp def, int64_t weight) {
  TaskSummary task;
  task.name = def.getSymName().str();
  if (auto key = def->getAttrOfType<StringAttr>("key"))
    task.key = key.str();
  if (auto flops = def->getAttrOfType<FloatAttr>("flops"))
    task.flops = flops.getValueAsDouble();
  if (auto bytes = def->getAttrOfType<FloatAttr>("bytes"))
    task.bytes = bytes.getValueAsDouble();
  task.weight = weight;
  task.hasKnownSizes = hasKnownSizes(def);
  task.sizeNames = spellSizeNames(def);
  task.explanation = explainTask(def);
  return task;
}

/// Schedules of GPUs are not explained, only whether the task has loop nests.
static ScheduleExplanation explainOnGpu(task::DefOp def, const GpuMachine &gpu) {
  StringRef why = whyOnHost(def);
  std::string how = schedule::programOf(def) ? "a point per thread"
                    : why.empty()            ? "a single thread, no loop nest is built from it"
                                             : "on the host, because it " + why.str();
  return {std::string(gpu.name) + ": " + how, {}, {}};
}

std::vector<TaskSummary> cameo::summarizeTasks(PhaseRunner &phases, int threads, bool withSchedules) {
  schedule::ConstantArguments constants(phases.module());
  llvm::MapVector<StringRef, int64_t> calls;
  phases.module().walk([&](task::CallOp call) { ++calls[call.getCallee()]; });
  SymbolTable symbols(phases.module());
  std::vector<TaskSummary> tasks;
  for (auto [name, count] : calls)
    if (auto def = symbols.lookup<task::DefOp>(name)) {
      TaskSummary &task = tasks.emplace_back(summarize(def, count));
      if (llvm::Expected<schedule::TaskProgram> program = schedule::nestsOf(def, constants.of(def)))
        task.nests = schedule::digestOf(*program).all;
      else
        llvm::consumeError(program.takeError());
      if (!withSchedules)
        continue;
      const Machine &machine = phases.target();
      if (const GpuMachine *gpu = phases.target().gpu) {
        task.schedule = explainOnGpu(def, *gpu);
        continue;
      }
      task.schedule = explainSchedule(def, machine);
      for (task::DefOp variant : task::variantsOf(def))
        task.variants.push_back(explainSchedule(variant, machine));
      if (task.hasKnownSizes)
        task.cycles = estimateTask(def, machine, threads);
    }
  return tasks;
}

std::optional<std::vector<TaskSummary>> cameo::listTasks(const CompileOptions &options, bool withSchedules) {
  PhaseRunner phases(options);
  if (failed(phases.resolveTarget()) || failed(phases.import()) || failed(phases.runUntil(Phase::Lower)))
    return std::nullopt;
  if (withSchedules && failed(phases.target().gpu ? phases.runUntil(Phase::Loops) : phases.chooseSchedules()))
    return std::nullopt;
  return summarizeTasks(phases, options.threads, withSchedules);
}

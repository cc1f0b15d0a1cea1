#include "utils/Driver/PhaseRunner.h"

#include "dialects/Task/TaskDialect.h"
#include "frontend/Import/ImportModel.h"
#include "passes/Target/CpuList.h"
#include "passes/Target/GpuList.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Diagnostics/ReportRemarks.h"
#include "utils/Driver/Inspect/InnerResults.h"
#include "utils/Driver/MachineFile.h"
#include "utils/Driver/Records/ApplyBorders.h"
#include "utils/Driver/Records/AttachRecords.h"
#include "utils/Driver/Register.h"
#include "utils/Driver/ReleaseConstants.h"
#include "utils/Plugin/Plugin.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace cameo;
using llvm::StringRef;

llvm::LogicalResult cameo::reportFailure(const llvm::Twine &message) {
  report(Severity::Error, message);
  return llvm::failure();
}

llvm::LogicalResult cameo::reportFailure(llvm::Error error) { return reportFailure(llvm::toString(std::move(error))); }

void cameo::addGraphPasses(const Plugins &plugins, PipelineOptions &pipeline) {
  for (const Plugin *plugin : plugins)
    for (const PluginRegistry::GraphPass &pass : plugin->getGraphPasses())
      if (pass.use == GraphPassUse::Always || !pipeline.naive)
        pipeline.graphPasses.push_back(pass.create);
}

static mlir::DialectRegistry makeRegistry(const Plugins &plugins) {
  mlir::DialectRegistry registry;
  registerDialects(registry, plugins);
  return registry;
}

PhaseRunner::PhaseRunner(const CompileOptions &options)
    : options(options), context(makeRegistry(options.plugins)), diagnostics(context, options.verbose), progress(1) {
  // One operation can be longer than all other output of -v, and --emit prints operations.
  context.printOpOnDiagnostic(false);
  if (options.isCancelled)
    context.registerActionHandler(
        [isCancelled = options.isCancelled](llvm::function_ref<void()> act, const mlir::tracing::Action &action) {
          if (!mlir::isa<mlir::PassExecutionAction>(action) || !*isCancelled)
            act();
        });
  // Errors about a module whose passes were skipped are not the model's fault.
  if (options.isCancelled)
    context.getDiagEngine().registerHandler(
        [isCancelled = options.isCancelled](mlir::Diagnostic &) { return llvm::success(isCancelled->load()); });
}

llvm::LogicalResult PhaseRunner::resolveTarget() {
  if (isCpuList(options.cpu))
    return reportFailure("--cpu: expected one CPU, got '" + options.cpu + "'");
  return resolveTargets();
}

llvm::LogicalResult PhaseRunner::resolveTargets() {
  if (!options.remarks.empty())
    if (llvm::Error error = reportRemarks(context, options.remarks))
      return reportFailure("--remarks: " + llvm::toString(std::move(error)));
  llvm::Expected<std::vector<TargetInfo>> targets = cameo::resolveTargets(options.target, options.cpu);
  if (!targets)
    return reportFailure(targets.takeError());
  allTargets = std::move(*targets);
  if (!options.machine.empty()) {
    if (allTargets.size() > 1)
      return reportFailure("--machine describes one processor: expected one --cpu, got '" + options.cpu + "'");
    if (llvm::Error error = describeMachine(options.machine, allTargets.front()))
      return reportFailure(std::move(error));
  }
  if (llvm::failed(resolveGpu()))
    return llvm::failure();
  pipeline.target = allTargets.front();
  pipeline.naive = options.naive;
  pipeline.plainTasks = options.plainTasks;
  pipeline.wide = options.wide;
  pipeline.winograd = options.winograd;
  pipeline.weightsType = options.weightsType;
  pipeline.dependentLaunch = options.gpuDependentLaunch == "on" &&
                             gpuLaunchOf(options.gpuLaunch) != GpuLaunch::Persistent &&
                             llvm::any_of(allGpus, [](const GpuMachine *gpu) { return hasDependentLaunch(*gpu); });
  pipeline.clusters = gpuLaunchOf(options.gpuLaunch) == GpuLaunch::Dispatch;
  // The naive path is the reference, so it compiles the model unchanged. Results of nodes are compared for the whole
  // batch.
  pipeline.splitBatch = !options.naive && options.gpu.empty() && options.inner != InnerOutputs::Nodes;
  addGraphPasses(options.plugins, pipeline);
  return llvm::success();
}

/// Resolves the GPU that runs the model, beside the CPU of the host.
llvm::LogicalResult PhaseRunner::resolveGpu() {
  GpuMath math = gpuMathOf(options.gpuMath);
  if (options.gpu.empty() && math != GpuMath::F32)
    return reportFailure("--gpu-math=" + options.gpuMath + ": expected --gpu");
  if (options.gpu.empty() && gpuLaunchOf(options.gpuLaunch) != GpuLaunch::Dispatch)
    return reportFailure("--gpu-launch=" + options.gpuLaunch + ": expected --gpu");
  if (options.gpu.empty())
    return options.gpuDependentLaunch == "on"
               ? llvm::success()
               : reportFailure("--gpu-dependent-launch=" + options.gpuDependentLaunch + ": expected --gpu");
  llvm::Expected<std::vector<const GpuMachine *>> gpus = findGpus(options.gpu, math);
  if (!gpus)
    return reportFailure("--gpu: " + llvm::toString(gpus.takeError()));
  if (allTargets.size() > 1)
    return reportFailure("--gpu: expected one CPU for the host, got '" + options.cpu + "'");
  allGpus = std::move(*gpus);
  allTargets.front().gpu = allGpus.front();
  return llvm::success();
}

llvm::LogicalResult PhaseRunner::run(StringRef phase, llvm::function_ref<llvm::LogicalResult()> work) {
  llvm::LogicalResult result = timer.time(phase, work);
  // Passes succeed when they are skipped.
  if (options.isCancelled && *options.isCancelled)
    return reportFailure(options.model + ": cancelled");
  // A phase that fails must report an error. This message is for a phase that does not.
  if (llvm::failed(result) && diagnostics.errorCount() == 0)
    return reportFailure(options.model + ": phase '" + phase + "' failed without a message");
  return result;
}

/// Runs the verifier behind a phase instead of behind each of its passes, which takes 5 % of the time of a compilation.
/// Only passes of the first phase meet what is wrong with a model.
static llvm::LogicalResult runPasses(mlir::PassManager &manager, mlir::ModuleOp module, bool verifiesEach = false) {
  manager.enableVerifier(verifiesEach);
  return llvm::success(llvm::succeeded(manager.run(module)) && (verifiesEach || llvm::succeeded(mlir::verify(module))));
}

llvm::LogicalResult PhaseRunner::import() {
  return run("import", [&]() -> llvm::LogicalResult {
    ImportOptions import;
    import.dims = options.sizes;
    import.forms = options.forms;
    import.externs = options.externs;
    import.bytes = options.modelBytes;
    import.onFile = [&](StringRef path) { files.insert(path.str()); };
    mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> imported = importModel(context, options.model, import);
    if (mlir::succeeded(imported))
      now().module = std::move(*imported);
    if (mlir::succeeded(imported) && options.inner == InnerOutputs::Nodes)
      makeOutputs(module(), options.inner, options.onlyInner);
    return imported;
  });
}

llvm::LogicalResult PhaseRunner::importTasks() {
  if (!StringRef(options.model).ends_with(".mlir"))
    return llvm::success(llvm::succeeded(import()) && llvm::succeeded(runUntil(Phase::Lower)));
  llvm::LogicalResult parsed = run("import", [&]() -> llvm::LogicalResult {
    now().module = mlir::parseSourceFile<mlir::ModuleOp>(options.model, &context);
    return llvm::success(static_cast<bool>(now().module));
  });
  if (llvm::failed(parsed))
    return parsed;
  return run(phaseName(Phase::Lower), [&] {
    mlir::PassManager manager(&context);
    addPhase(manager, Phase::Lower, pipeline);
    return runPasses(manager, module());
  });
}

void PhaseRunner::releaseConstants() {
  std::vector<mlir::ModuleOp> all = modules();
  for (Progress &each : progress)
    if (each.kept)
      all.push_back(*each.kept);
  releaseUnusedConstants(all);
}

void PhaseRunner::dropUnscheduled() {
  for (Progress &each : progress)
    each.kept = nullptr;
}

std::vector<mlir::ModuleOp> PhaseRunner::modules() {
  std::vector<mlir::ModuleOp> all;
  for (Progress &each : progress)
    if (each.module)
      all.push_back(*each.module);
  return all;
}

void PhaseRunner::choose(size_t target) {
  now().limits = pipeline.limits;
  current = target;
  pipeline.limits = now().limits;
  pipeline.target = allTargets[target];
}

/// Runs the phases that are the same for all targets, then gives each target its own copy of the module.
llvm::LogicalResult PhaseRunner::divideTargets() {
  if (progress.size() == allTargets.size())
    return llvm::success();
  if (std::optional<Phase> common = lastCommonPhase(allTargets)) {
    // Records may move task boundaries, which differ between processors.
    bool hasRecords = !options.records.file.empty() && options.records.policy != RecordsPolicy::Off;
    if (llvm::failed(runUntil(hasRecords ? std::min(*common, Phase::Layout) : *common)))
      return llvm::failure();
  }
  size_t phasesRun = now().phasesRun;
  progress.resize(allTargets.size());
  for (Progress &other : llvm::MutableArrayRef(progress).drop_front()) {
    other.module = progress.front().module->clone();
    other.phasesRun = phasesRun;
  }
  return llvm::success();
}

llvm::LogicalResult PhaseRunner::forEachTarget(llvm::function_ref<llvm::LogicalResult()> work) {
  if (llvm::failed(divideTargets()))
    return llvm::failure();
  for (size_t number = 0; number < allTargets.size(); ++number) {
    choose(number);
    if (llvm::failed(work()))
      return llvm::failure();
  }
  return llvm::success();
}

/// Warns about tasks that are slow because they have dynamic sizes; nothing else would report this.
void PhaseRunner::warnOfPlainLoops() {
  unsigned all = 0, plain = 0;
  for (auto def : module().getOps<task::DefOp>()) {
    ++all;
    auto usesSizes = [&](task::DispatchOp dispatch) {
      auto kernel = module().lookupSymbol<mlir::func::FuncOp>(dispatch.getKernel());
      return kernel.walk([](task::SizeOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
    };
    plain += !def->hasAttr("description") && llvm::any_of(def.getBody().getOps<task::DispatchOp>(), usesSizes);
  }
  // If there are several processors, only the first one reports.
  if (plain > 0 && pipeline.target.cpu == allTargets.front().cpu)
    report(Severity::Warning, llvm::Twine(plain) + " of " + llvm::Twine(all) +
                                  " tasks become plain loops, which are slow, over dynamic sizes; "
                                  "--dim NAME=SIZE fixes a size");
}

llvm::LogicalResult PhaseRunner::chooseSchedules() {
  if (llvm::failed(runUntil(Phase::Loops)) || llvm::failed(takeRecords()))
    return llvm::failure();
  return run(phaseName(Phase::Schedule), [&]() -> llvm::LogicalResult {
    if (options.naive)
      return llvm::success();
    mlir::PassManager manager(&context);
    addScheduleChoice(manager, pipeline);
    return runPasses(manager, module());
  });
}

/// Attaches records. Must run before the default schedules are chosen, which only tasks without a record get.
llvm::LogicalResult PhaseRunner::takeRecords() {
  if (options.naive || options.plainTasks || now().hasRecords)
    return llvm::success();
  now().hasRecords = true;
  if (!options.records.file.empty() && options.records.policy != RecordsPolicy::Off)
    files.insert(options.records.file);
  return time("records", [&] { return attachRecords(module(), pipeline.target, options); });
}

/// Moves task boundaries according to the records, also if tasks are compiled to plain loops: both forms have the same
/// tasks.
llvm::LogicalResult PhaseRunner::takeBorders() {
  bool hasRecords = !options.records.file.empty() && options.records.policy != RecordsPolicy::Off;
  if (!hasRecords && options.records.splits.empty() && options.records.merges.empty())
    return llvm::success();
  if (hasRecords)
    files.insert(options.records.file);
  return time("borders", [&] { return applyBorders(module(), pipeline.target, options); });
}

llvm::LogicalResult PhaseRunner::runUntil(Phase last) {
  for (; now().phasesRun < std::size(allPhases) && allPhases[now().phasesRun] <= last; ++now().phasesRun) {
    Phase phase = allPhases[now().phasesRun];
    if (phase == Phase::Schedule && llvm::failed(takeRecords()))
      return llvm::failure();
    llvm::LogicalResult result = run(phaseName(phase), [&]() -> llvm::LogicalResult {
      mlir::PassManager manager(&context);
      addPhase(manager, phase, pipeline);
      return runPasses(manager, module(), /*verifiesEach=*/phase == Phase::Graph);
    });
    if (llvm::failed(result))
      return result;
    releaseConstants();
    if (phase == Phase::Partition && !options.naive && llvm::failed(takeBorders()))
      return llvm::failure();
    if (phase == Phase::Partition && options.inner == InnerOutputs::Tasks)
      makeOutputs(module(), options.inner, options.onlyInner);
    if (phase == Phase::Emit && !options.naive && !options.plainTasks && !pipeline.limits.apply && options.gpu.empty())
      warnOfPlainLoops();
  }
  return llvm::success();
}

llvm::LogicalResult PhaseRunner::keepUnscheduled() {
  if (llvm::failed(runUntil(Phase::Loops)) || llvm::failed(takeRecords()))
    return llvm::failure();
  now().kept = now().module->clone();
  return llvm::success();
}

llvm::LogicalResult PhaseRunner::scheduleAgain(const ScheduleLimits &limits) {
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &diagnostic) {
    return mlir::success(diagnostic.getSeverity() == mlir::DiagnosticSeverity::Remark);
  });
  now().module = now().kept->clone();
  pipeline.limits = limits;
  pipeline.limits.apply = true;
  now().phasesRun = llvm::find(allPhases, Phase::Schedule) - std::begin(allPhases);
  return runUntil(Phase::Emit);
}

mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> PhaseRunner::copyWithSchedules() {
  mlir::OwningOpRef<mlir::ModuleOp> copy = now().kept->clone();
  mlir::PassManager manager(&context);
  addScheduleChoice(manager, pipeline);
  if (llvm::failed(runPasses(manager, *copy)))
    return mlir::failure();
  return copy;
}

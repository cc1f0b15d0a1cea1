#include "utils/Driver/PhaseRunner.h"

#include "frontend/Import/ImportModel.h"
#include "utils/Driver/CheckSizes.h"
#include "utils/Driver/Register.h"

#include "llvm/Support/WithColor.h"

using namespace cameo;
using llvm::StringRef;

llvm::LogicalResult cameo::reportFailure(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "cameo") << message << '\n';
  return llvm::failure();
}

llvm::LogicalResult cameo::reportFailure(llvm::Error error) { return reportFailure(llvm::toString(std::move(error))); }

static mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

PhaseRunner::PhaseRunner(const CompileOptions &options)
    : options(options), timer(/*progress=*/true), context(makeRegistry()), diagnostics(context, options.verbose) {
  // The operation as IR is of use to those who develop the compiler.
  context.printOpOnDiagnostic(options.verbose);
}

llvm::LogicalResult PhaseRunner::resolveTarget() {
  llvm::Expected<TargetInfo> target = cameo::resolveTarget(options.target, options.cpu);
  if (!target)
    return reportFailure(target.takeError());
  pipeline.target = *target;
  pipeline.naive = options.naive;
  pipeline.winograd = options.winograd;
  return llvm::success();
}

llvm::LogicalResult PhaseRunner::run(StringRef phase, llvm::function_ref<llvm::LogicalResult()> work) {
  llvm::LogicalResult result = timer.time(phase, work);
  // A phase that gives up must say why; this is for the one that does not.
  if (llvm::failed(result) && diagnostics.errorCount() == 0)
    return reportFailure(options.model + ": phase '" + phase + "' failed without a message");
  return result;
}

llvm::LogicalResult PhaseRunner::import() {
  return run("import", [&]() -> llvm::LogicalResult {
    ImportOptions import;
    import.dims = options.sizes;
    auto imported = importModel(context, options.model, import);
    if (mlir::succeeded(imported))
      owned = std::move(*imported);
    return imported;
  });
}

llvm::LogicalResult PhaseRunner::runUntil(Phase last) {
  for (Phase phase : allPhases) {
    if (phase > last)
      break;
    llvm::LogicalResult result = run(phaseName(phase), [&]() -> llvm::LogicalResult {
      // Constants are folded by now, and partition would hide the nodes.
      if (phase == Phase::Layout && llvm::failed(checkSizes(*owned)))
        return llvm::failure();
      mlir::PassManager manager(&context);
      addPhase(manager, phase, pipeline);
      return manager.run(*owned);
    });
    if (llvm::failed(result))
      return result;
  }
  return llvm::success();
}

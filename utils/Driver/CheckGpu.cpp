#include "utils/Driver/CheckGpu.h"

#include "dialects/Task/TaskDialect.h"
#include "dialects/Task/TaskExternOps.h"
#include "passes/Schedule/ChooseHostTasks.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <set>

using namespace mlir;

namespace cameo {
namespace {

/// Returns the feature that `op` needs and GPU code lacks; empty if there is none.
std::string whatLacks(Operation *op) {
  if (isa<task::ExternOp>(op))
    return "functions of the program";
  return "";
}

} // namespace

void checkOnGpu(ModuleOp module, const GpuMachine &gpu) {
  // Report once per node, however many operations it was lowered to.
  std::set<std::pair<const void *, std::string>> said;
  auto refuse = [&](Location loc, StringRef what) {
    if (said.insert({loc.getAsOpaquePointer(), what.str()}).second)
      emitError(loc) << "not supported on GPUs (" << gpu.name << ") yet: " << what;
  };
  module.walk([&](Operation *op) {
    if (std::string what = op->getNumResults() > 0 ? whatLacks(op) : ""; !what.empty())
      refuse(op->getLoc(), what);
  });
}

SlowTasks findSlowTasks(ModuleOp module) {
  // Silences the remarks of the pass: the result lists the tasks without loop nests, and compiling prints the remarks
  // on request.
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  PassManager manager(module.getContext());
  manager.addPass(createBuildLoopsPass());
  SlowTasks tasks;
  if (failed(manager.run(module)))
    return tasks;
  for (auto def : module.getOps<task::DefOp>())
    if (needsHost(def))
      tasks.host.push_back(def.getSymName().str());
    else if (!schedule::programOf(def))
      tasks.singleThread.push_back(def.getSymName().str());
  return tasks;
}

} // namespace cameo

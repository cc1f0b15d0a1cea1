#include "utils/Driver/CheckGpu.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/ChooseHostTasks.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace cameo {
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
    if (!whyOnHost(def).empty())
      tasks.host.push_back(def.getSymName().str());
    else if (!schedule::programOf(def))
      tasks.singleThread.push_back(def.getSymName().str());
  return tasks;
}

} // namespace cameo

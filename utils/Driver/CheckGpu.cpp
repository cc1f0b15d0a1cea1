#include "utils/Driver/CheckGpu.h"

#include "dialects/Task/TaskDialect.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskTextOps.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

#include <set>

using namespace mlir;

namespace cameo {
namespace {

/// Returns the feature that `op` needs and GPU code lacks; empty if there is none.
std::string whatLacks(Operation *op) {
  if (isa<task::ExternOp>(op))
    return "functions of the program";
  if (isa<task::TextOp, task::TextAreaOp, task::InvokeOp, task::TextsOp>(op))
    return "texts";
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
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (function.getResultAttr(i, "onnx.alias"))
        refuse(function.getLoc(), "outputs in the memory of inputs (--alias)");
  module.walk([&](Operation *op) {
    if (std::string what = op->getNumResults() > 0 ? whatLacks(op) : ""; !what.empty())
      refuse(op->getLoc(), what);
  });
}

std::vector<std::string> findSingleThread(ModuleOp module) {
  // Silences the remarks of the pass: the result lists the tasks without loop nests, and compiling prints the remarks
  // on request.
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  PassManager manager(module.getContext());
  manager.addPass(createBuildLoopsPass());
  std::vector<std::string> nodes;
  if (failed(manager.run(module)))
    return nodes;
  for (auto def : module.getOps<task::DefOp>())
    if (!schedule::programOf(def))
      nodes.push_back(def.getSymName().str());
  return nodes;
}

} // namespace cameo

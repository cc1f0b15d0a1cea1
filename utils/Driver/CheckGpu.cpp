#include "utils/Driver/CheckGpu.h"

#include "dialects/Task/TaskDialect.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskTextOps.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace cameo {
namespace {

/// Whether a GPU has an instruction for `op`, or the compiler knows a polynomial.
bool hasForm(Operation *op) {
  return !op->getResult(0).getType().isF64() ||
         isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::CosOp, math::ExpOp, math::FloorOp, math::FmaOp,
             math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::LogOp, math::PowFOp, math::RoundEvenOp,
             math::RoundOp, math::SinOp, math::SqrtOp, math::TruncOp>(op);
}

/// What of `op` there is no form for; empty where there is one.
std::string whatLacks(Operation *op) {
  if (isa<task::LoopOp>(op))
    return "loops whose end data decides";
  if (isa<task::PrefixOp>(op))
    return "sizes that data decides";
  if (isa<task::ChooseOp>(op))
    return "branches that data decides";
  if (isa<task::ExternOp>(op))
    return "functions of the program";
  if (isa<task::TextOp, task::TextAreaOp, task::InvokeOp, task::TextsOp>(op))
    return "texts";
  if (isa<math::MathDialect>(op->getDialect()) && !hasForm(op))
    return op->getName().stripDialect().str() + " of float64";
  return "";
}

} // namespace

void checkOnGpu(ModuleOp module, const GpuMachine &gpu) {
  auto refuse = [&](Location loc, const llvm::Twine &what) {
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
  // What builds no nests is said here, and where compiling asks for it.
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

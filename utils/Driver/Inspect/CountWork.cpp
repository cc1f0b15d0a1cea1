#include "utils/Driver/Inspect/CountWork.h"

#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "utils/Driver/PhaseRunner.h"

using namespace cameo;

static double numberOf(task::DefOp def, llvm::StringRef attribute) {
  auto number = def->getAttrOfType<mlir::FloatAttr>(attribute);
  return number ? number.getValueAsDouble() : 0;
}

std::optional<llvm::StringMap<TaskWork>> cameo::countWork(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTargets()) || llvm::failed(phases.import()) ||
      llvm::failed(phases.runUntil(Phase::Partition)))
    return std::nullopt;
  llvm::StringMap<TaskWork> work;
  mlir::SymbolTable symbols(phases.module());
  phases.module().walk([&](task::CallOp call) {
    auto def = symbols.lookup<task::DefOp>(call.getCallee());
    work.try_emplace(task::nodeNames(call.getLoc()), TaskWork{numberOf(def, "flops"), numberOf(def, "bytes")});
  });
  return work;
}

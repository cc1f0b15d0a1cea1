// Attaches the default schedule to every task that has none (a record's schedule was attached before).
#include "passes/Schedule/BuildNests.h"
#include "passes/Schedule/ChooseFusion.h"
#include "passes/Schedule/ChooseWinograd.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/DefaultSchedule.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/ScheduleSteps.h"

namespace cameo {
#define GEN_PASS_DEF_SCHEDULETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Whether a size is known only when the task runs.
bool hasSymbolicSize(task::DefOp def) {
  auto isDynamic = [](mlir::Type type) {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  return llvm::any_of(def.getArgumentTypes(), isDynamic) || llvm::any_of(def.getResultTypes(), isDynamic) ||
         !def.getBody().getOps<task::SizeOp>().empty();
}

struct ScheduleTasks : impl::ScheduleTasksPassBase<ScheduleTasks> {
  using Base::Base;

  void runOnOperation() override {
    if (!schedule::isWinogradMode(winograd)) {
      getOperation().emitError("expected winograd to be auto, off, f2 or f4, got '") << winograd << "'";
      return signalPassFailure();
    }
    schedule::ConstantArguments constants(getOperation());
    schedule::Machine machine{vectorBytes, vectorRegisters, l2Bytes, byteProducts};
    for (auto def : getOperation().getOps<task::DefOp>()) {
      if (def->hasAttr("schedule") || def.isBufferForm())
        continue;
      if (hasSymbolicSize(def)) {
        def.emitRemark("goes the naive way: a size is known only when it runs");
        continue;
      }
      llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constants.of(def));
      if (!program) {
        def.emitRemark("goes the naive way: ") << llvm::toString(program.takeError());
        continue;
      }
      std::vector<schedule::Replacement> replacements = schedule::chooseReplacements(*program, winograd, machine);
      llvm::cantFail(schedule::replaceNests(replacements, *program));
      std::vector<schedule::NestSchedule> schedules = schedule::defaultSchedules(*program, machine);
      def->setAttr("schedule", schedule::toSteps(&getContext(), replacements, schedules));
    }
  }
};

} // namespace
} // namespace cameo

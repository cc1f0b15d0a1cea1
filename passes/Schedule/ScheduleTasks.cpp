// Attaches the default schedule to every task that has none (a record's schedule was attached before).
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Nests/BuildNests.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/ChooseFusion.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

namespace cameo {
#define GEN_PASS_DEF_SCHEDULETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct ScheduleTasks : impl::ScheduleTasksPassBase<ScheduleTasks> {
  using Base::Base;

  void runOnOperation() override {
    if (!schedule::isWinogradMode(winograd)) {
      getOperation().emitError("expected winograd to be auto, off, f2 or f4, got '") << winograd << "'";
      return signalPassFailure();
    }
    schedule::ConstantArguments constants(getOperation());
    Machine machine = machineOf(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>()) {
      if (def->hasAttr("schedule") || def.isBufferForm())
        continue;
      llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constants.of(def));
      if (!program) {
        def.emitRemark("goes the naive way: ") << llvm::toString(program.takeError());
        continue;
      }
      std::vector<schedule::Replacement> replacements;
      if (program->hasKnownSizes())
        replacements = schedule::chooseReplacements(*program, winograd, machine);
      llvm::cantFail(schedule::replaceNests(replacements, *program));
      std::vector<schedule::NestSchedule> schedules = schedule::defaultSchedules(*program, machine);
      def->setAttr("schedule", schedule::toSteps(&getContext(), replacements, schedules));
    }
  }
};

} // namespace
} // namespace cameo

// Gives the nests of every scheduled task the loops that its steps say.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/DescribeSchedule.h"
#include "passes/Schedule/Rules/ScheduleSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace cameo {
#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct ApplySchedule : impl::ApplySchedulePassBase<ApplySchedule> {
  using Base::Base;

  void runOnOperation() override {
    Machine machine = machineOf(getOperation());
    for (auto def : getOperation().getOps<task::DefOp>())
      if (auto all = def->getAttrOfType<schedule::StepsAttr>("schedule")) {
        auto first = schedule::StepsAttr::get(&getContext(), all.getSteps().take_front(steps));
        if (llvm::Error error = apply(def, first, machine)) {
          def.emitError("the schedule does not fit: ") << llvm::toString(std::move(error));
          signalPassFailure();
        }
      }
  }

private:
  llvm::Error apply(task::DefOp def, schedule::StepsAttr first, const Machine &machine) {
    if (!schedule::programOf(def))
      return llvm::createStringError("expected loops, which build-loops makes of a task's body");
    schedule::LoopForm form = schedule::readLoops(def);
    if (llvm::Error error = schedule::replaceNests(first, form.program))
      return error;
    llvm::Expected<std::vector<schedule::NestSchedule>> schedules = schedule::fromSteps(first, form.program, machine);
    if (!schedules)
      return schedules.takeError();
    form.schedules = std::move(*schedules);
    auto scheduleCopy = [&](const schedule::LoopNest &nest) {
      return schedule::defaultSchedule(form.program, nest, /*rowDims=*/0, machine);
    };
    form.relayouts = schedule::packOperands(form.program, form.schedules, scheduleCopy);
    def->setAttr("description", mlir::StringAttr::get(&getContext(), schedule::describe(form.program, form.schedules, first)));
    schedule::writeLoops(def, form);
    def->removeAttr("schedule");
    return llvm::Error::success();
  }
};

} // namespace
} // namespace cameo

// Applies the steps of every scheduled task to its nests.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"
#include "passes/Schedule/Rules/Complete/FinishBlocks.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PackConstants.h"
#include "passes/Schedule/Rules/Gpu/PlaceRows.h"
#include "passes/Schedule/Rules/PlaceRows.h"
#include "passes/Schedule/Rules/ShareKernels.h"
#include "passes/Schedule/Steps/DescribeSchedule.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

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
          def.emitError("the schedule cannot be applied: ") << llvm::toString(std::move(error));
          signalPassFailure();
        }
      }
  }

private:
  llvm::Error apply(task::DefOp def, schedule::StepsAttr first, const Machine &machine) {
    if (!schedule::programOf(def))
      return llvm::createStringError("expected loops, which build-loops makes of a task's body");
    llvm::Expected<schedule::ScheduledProgram> state =
        schedule::applySteps(first, schedule::readNests(def), machine, gpuOf(getOperation()));
    if (!state)
      return state.takeError();
    if (state->gpu) {
      schedule::placeRows(state->program, *state->gpu);
      std::string text = schedule::describe(*state, first).text(state->schedules.size());
      def->setAttr("description", mlir::StringAttr::get(&getContext(), text));
      std::map<unsigned, schedule::ConstantPacking> packings =
          schedule::layOutConstants(state->program, state->schedules, state->gpuSchedules);
      schedule::writeLoops(def, {std::move(state->program), std::move(state->schedules), std::move(packings),
                                 std::move(state->gpuSchedules)});
      def->removeAttr("schedule");
      return llvm::Error::success();
    }
    schedule::completeSchedules(state->program, state->schedules, machine);
    schedule::finishBlocks(state->program, state->schedules);
    auto scheduleCopy = [&](const schedule::LoopNest &nest) {
      schedule::NestSchedule copied = schedule::defaultSchedule(state->program, nest, /*rowDims=*/0, machine);
      schedule::completeSchedule(nest, /*rowDims=*/0, copied, machine);
      return copied;
    };
    schedule::Description description = schedule::describe(*state, first);
    std::map<unsigned, schedule::ConstantPacking> packings =
        schedule::packOperands(state->program, state->schedules, scheduleCopy);
    schedule::shareKernels(state->program, machine);
    schedule::placeRows(state->program);
    def->setAttr("description", mlir::StringAttr::get(&getContext(), description.text(state->schedules.size())));
    schedule::writeLoops(def, {std::move(state->program), std::move(state->schedules), std::move(packings)});
    def->removeAttr("schedule");
    return llvm::Error::success();
  }
};

} // namespace
} // namespace cameo

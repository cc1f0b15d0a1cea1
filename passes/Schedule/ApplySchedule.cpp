// Emits every scheduled task.
#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Emission/Cpu/EmitTask.h"
#include "passes/Schedule/Nests/BuildNests.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/DescribeSchedule.h"
#include "passes/Schedule/Rules/ScheduleSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace cameo {
#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct ApplySchedule : impl::ApplySchedulePassBase<ApplySchedule> {
  using Base::Base;

  void runOnOperation() override {
    schedule::ConstantArguments constants(getOperation());
    Machine machine = machineOf(getOperation());
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>()))
      if (auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule"))
        if (llvm::Error error = apply(def, steps, constants.of(def), machine)) {
          def.emitError("the schedule does not fit: ") << llvm::toString(std::move(error));
          signalPassFailure();
        }
  }

private:
  llvm::Error apply(task::DefOp def, schedule::StepsAttr steps, llvm::ArrayRef<bool> constantArguments, const Machine &machine) {
    llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, constantArguments);
    if (!program)
      return program.takeError();
    if (llvm::Error error = schedule::replaceNests(steps, *program))
      return error;
    llvm::Expected<std::vector<schedule::NestSchedule>> schedules = schedule::fromSteps(steps, *program, machine);
    if (!schedules)
      return schedules.takeError();
    auto scheduleCopy = [&](const schedule::LoopNest &nest) {
      return schedule::defaultSchedule(*program, nest, /*rowDims=*/0, machine);
    };
    std::map<unsigned, schedule::Relayout> relayouts =
        schedule::packOperands(*program, *schedules, scheduleCopy);
    def->setAttr("description", mlir::StringAttr::get(&getContext(), schedule::describe(*program, *schedules, steps)));
    schedule::emitTask(def, *program, *schedules, relayouts, machine);
    return llvm::Error::success();
  }
};

} // namespace
} // namespace cameo

// Attaches the default schedule to every task that has none (a record's schedule was attached before).
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Variants.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/ChooseFusion.h"
#include "passes/Schedule/Rules/ChooseVariant.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_SCHEDULETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Adds `chosen` as variant `number` of `def`.
void addVariant(task::DefOp def, const schedule::TaskProgram &program, const schedule::RowsVariant &chosen,
                size_t number, const Machine &machine) {
  schedule::StepsAttr steps = schedule::toSteps(def.getContext(), /*replacements=*/{}, chosen.schedules);
  llvm::cantFail(schedule::fromSteps(steps, program, machine));
  OpBuilder builder(def.getContext());
  builder.setInsertionPointAfter(def);
  auto variant = cast<task::DefOp>(builder.clone(*def));
  variant.setSymName((def.getSymName() + ".v" + Twine(number)).str());
  SymbolTable(def->getParentOp()).insert(variant, builder.getInsertionPoint());
  task::Variant stated{FlatSymbolRefAttr::get(def.getSymNameAttr()), {}};
  for (DimExprAttr size : chosen.sizes)
    stated.ranges.push_back({size, chosen.least, chosen.most});
  task::setVariant(variant, stated);
  variant->setAttr("schedule", steps);
}

struct ScheduleTasks : impl::ScheduleTasksPassBase<ScheduleTasks> {
  using Base::Base;

  void runOnOperation() override {
    if (!schedule::isWinogradMode(winograd)) {
      getOperation().emitError("expected winograd to be auto, off, f2 or f4, got '") << winograd << "'";
      return signalPassFailure();
    }
    Machine machine = machineOf(getOperation());
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>())) {
      if (def->hasAttr("schedule") || !schedule::programOf(def))
        continue;
      schedule::TaskProgram program = schedule::readNests(def);
      if (const GpuMachine *gpu = gpuOf(getOperation())) {
        auto [loops, threads] = schedule::defaultSchedules(program, *gpu);
        def->setAttr("schedule", schedule::toSteps(&getContext(), loops, threads));
        continue;
      }
      std::vector<schedule::Replacement> replacements;
      if (program.hasKnownSizes())
        replacements = schedule::chooseReplacements(program, winograd, machine);
      for (const schedule::Replacement &replacement : replacements)
        if (auto *step = std::get_if<schedule::WinogradStep>(&replacement))
          mlir::remark::passed(def.getLoc(), mlir::remark::RemarkOpts::name("winograd").category("schedule-tasks"))
              << llvm::formatv("computes a convolution by Winograd's method, {0}x{0} outputs at a time", step->outputs)
                     .str();
      llvm::cantFail(schedule::replaceNests(replacements, program));
      std::vector<schedule::NestSchedule> schedules = schedule::defaultSchedules(program, machine);
      SmallVector<schedule::RowsVariant, 2> variants = schedule::chooseVariants(program, schedules, machine);
      for (auto [index, variant] : llvm::enumerate(llvm::reverse(variants))) // each is inserted after `def`
        addVariant(def, program, variant, variants.size() - index, machine);
      def->setAttr("schedule", schedule::toSteps(&getContext(), replacements, schedules));
    }
  }
};

} // namespace
} // namespace cameo

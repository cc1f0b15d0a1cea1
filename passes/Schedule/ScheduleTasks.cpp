// Attaches the default schedule to every task that has none (a record's schedule was attached before).
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Variants.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/MergedCalls.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/ChooseFusion.h"
#include "passes/Schedule/Rules/ChooseVariant.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_SCHEDULETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Adds `chosen` as variant `number` of `def`.
void addVariant(task::DefOp def, const schedule::RowsVariant &chosen, size_t number, const Machine &machine) {
  schedule::TaskProgram program = schedule::readNests(def);
  schedule::StepsAttr steps = schedule::toSteps(def.getContext(), chosen.replacements, chosen.schedules);
  llvm::cantFail(schedule::replaceNests(chosen.replacements, program));
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

/// For each task of a GPU, the tasks that it shares launches with.
using Companies = DenseMap<task::DefOp, SmallVector<task::DefOp>>;

/// Returns the company that each task has in most of its calls; the first one of several.
Companies findCompanies(ModuleOp module, const GpuMachine &gpu) {
  SymbolTable symbols(module);
  auto defOf = [&](task::CallOp call) { return symbols.lookup<task::DefOp>(call.getCallee()); };
  llvm::MapVector<task::DefOp, SmallVector<std::pair<SmallVector<task::DefOp>, int64_t>>>
      found; // with numbers of calls
  auto count = [&](task::DefOp def, ArrayRef<task::DefOp> company, int64_t calls) {
    auto &all = found[def];
    auto known = llvm::find_if(all, [&](const auto &each) { return ArrayRef(each.first) == company; });
    if (known == all.end())
      known = all.insert(all.end(), {SmallVector<task::DefOp>(company), 0});
    known->second += calls;
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    function.walk([&](task::CallOp call) {
      if (task::DefOp def = defOf(call))
        count(def, {}, 1);
    });
    function.walk([&](Block *block) {
      for (ArrayRef<task::CallOp> calls : findMergedCalls(*block, gpu, defOf))
        for (size_t own = 0; own < calls.size(); ++own) {
          SmallVector<task::DefOp> company;
          for (size_t other = 0; other < calls.size(); ++other)
            if (other != own)
              company.push_back(defOf(calls[other]));
          count(defOf(calls[own]), {}, -1);
          count(defOf(calls[own]), company, 1);
        }
    });
  }
  Companies most;
  for (const auto &[def, all] : found)
    most[def] = llvm::max_element(all, [](const auto &a, const auto &b) { return a.second < b.second; })->first;
  return most;
}

struct ScheduleTasks : impl::ScheduleTasksPassBase<ScheduleTasks> {
  using Base::Base;

  void runOnOperation() override {
    if (!schedule::isWinogradMode(winograd)) {
      getOperation().emitError("expected winograd to be auto, off, f2 or f4, got '") << winograd << "'";
      return signalPassFailure();
    }
    Machine machine = machineOf(getOperation());
    const GpuMachine *gpu = gpuOf(getOperation());
    Companies companies = gpu ? findCompanies(getOperation(), *gpu) : Companies();
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>())) {
      if (def->hasAttr("schedule") || !schedule::programOf(def))
        continue;
      schedule::TaskProgram program = schedule::readNests(def);
      if (gpu) {
        std::vector<schedule::TaskProgram> others;
        for (task::DefOp other : companies.lookup(def))
          others.push_back(schedule::readNests(other));
        SmallVector<const schedule::TaskProgram *> beside;
        for (const schedule::TaskProgram &other : others)
          beside.push_back(&other);
        auto [loops, threads] = schedule::defaultSchedules(program, *gpu, beside);
        def->setAttr("schedule", schedule::toSteps(&getContext(), loops, threads));
        continue;
      }
      std::vector<schedule::Replacement> replacements = schedule::chooseReplacements(program, winograd, machine);
      for (const schedule::Replacement &replacement : replacements)
        if (auto *step = std::get_if<schedule::WinogradStep>(&replacement))
          mlir::remark::passed(def.getLoc(), mlir::remark::RemarkOpts::name("winograd").category("schedule-tasks"))
              << llvm::formatv("computes a convolution by Winograd's method, {0}x{0} outputs at a time", step->outputs)
                     .str();
      llvm::cantFail(schedule::replaceNests(replacements, program));
      std::vector<schedule::NestSchedule> schedules = schedule::defaultSchedules(program, machine);
      SmallVector<schedule::RowsVariant, 2> variants =
          schedule::chooseVariants(program, replacements, schedules, machine);
      for (auto [index, variant] : llvm::enumerate(llvm::reverse(variants))) // each is inserted after `def`
        addVariant(def, variant, variants.size() - index, machine);
      def->setAttr("schedule", schedule::toSteps(&getContext(), replacements, schedules));
    }
  }
};

} // namespace
} // namespace cameo

// Changes schedules that exceed the budgets of a model: the memory of transformed filters and of intermediate planes,
// and the code of large blocks.
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Variants.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/ChooseFusion.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace cameo {
#define GEN_PASS_DEF_LIMITSCHEDULESPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

using Replacements = std::vector<schedule::Replacement>;

/// A task with its schedule, and the limits of the schedule.
struct LimitedTask {
  task::DefOp def;
  schedule::TaskProgram program; ///< before any replacement
  int64_t calls;                 ///< each call has its own filters
  schedule::TaskLimits limits;
  std::optional<int64_t> registers; ///< the limit of registers per block
  Replacements before, now;
};

/// Describes replacements, such as "F(4x4) of filters transformed at compile time, overlapped tiles of 4".
std::string textOf(const Replacements &replacements) {
  llvm::SmallVector<std::string> parts;
  for (const schedule::Replacement &each : replacements) {
    if (const auto *step = std::get_if<schedule::WinogradStep>(&each))
      parts.push_back(llvm::formatv("F({0}x{0}) by {1} of filters transformed {2}", step->outputs, tilesText(*step),
                                    step->channels > 0 ? "at run time" : "at compile time"));
    if (const auto *step = std::get_if<schedule::FuseStep>(&each))
      parts.push_back(llvm::formatv("overlapped tiles of {0}", step->size));
  }
  return parts.empty() ? "the plain loops" : llvm::join(parts, ", ");
}

bool transformsFilters(const Replacements &replacements) {
  return llvm::any_of(replacements, [](const schedule::Replacement &each) {
    return std::holds_alternative<schedule::WinogradStep>(each);
  });
}

struct LimitSchedules : impl::LimitSchedulesPassBase<LimitSchedules> {
  using Base::Base;

  void runOnOperation() override {
    machine = machineOf(getOperation());
    collect();
    keepScratch();
    saveFilters();
    for (LimitedTask &task : tasks)
      if (task.now != task.before || task.registers)
        apply(task);
  }

private:
  void collect();
  void keepScratch();
  void saveFilters();
  void apply(LimitedTask &task);
  static int64_t scratchOf(const LimitedTask &task, const Replacements &replacements);
  schedule::WinogradUse useOf(const LimitedTask &task, const Replacements &replacements) const {
    return schedule::winogradUse(task.program, replacements, machine);
  }
  double cyclesOf(const LimitedTask &task, const Replacements &replacements) const;

  Machine machine;
  std::vector<LimitedTask> tasks;
};

void LimitSchedules::collect() {
  tasks.clear();
  llvm::StringMap<int64_t> calls;
  getOperation().walk([&](task::CallOp call) { ++calls[call.getCallee()]; });
  for (auto def : getOperation().getOps<task::DefOp>()) {
    auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
    if (!steps || !schedule::programOf(def))
      continue;
    schedule::TaskProgram program = schedule::readNests(def);
    Replacements replacements = schedule::replacementsOf(steps);
    // Of tasks with dynamic sizes only filters are limited, and variants share the layout of constants.
    bool isDynamic = !program.hasKnownSizes();
    if (isDynamic && (!transformsFilters(replacements) || task::getVariant(def) || !task::variantsOf(def).empty()))
      continue;
    schedule::TaskLimits limits;
    if (auto most = def->getAttrOfType<mlir::IntegerAttr>("most_scratch"); most && !isDynamic)
      limits.scratchBytes = most.getInt();
    std::optional<int64_t> registers;
    if (auto most = def->getAttrOfType<mlir::IntegerAttr>("most_registers"); most && !isDynamic)
      registers = most.getInt();
    tasks.push_back(
        {def, std::move(program), calls.lookup(def.getSymName()), limits, registers, replacements, replacements});
  }
}

void LimitSchedules::keepScratch() {
  for (LimitedTask &task : tasks)
    if (task.limits.scratchBytes != schedule::TaskLimits().scratchBytes) {
      Replacements replacements = schedule::chooseReplacements(task.program, winograd, machine, task.limits);
      // All results of a transformed convolution must exist before they are read, so only the plain convolution can be
      // fused with other nests in overlapped tiles.
      if (winograd == "auto" && scratchOf(task, replacements) > task.limits.scratchBytes)
        if (Replacements plain = schedule::chooseReplacements(task.program, "off", machine, task.limits);
            scratchOf(task, plain) < scratchOf(task, replacements))
          replacements = std::move(plain);
      if (scratchOf(task, replacements) < scratchOf(task, task.before))
        task.now = std::move(replacements);
    }
}

int64_t LimitSchedules::scratchOf(const LimitedTask &task, const Replacements &replacements) {
  schedule::TaskProgram program = task.program;
  llvm::cantFail(schedule::replaceNests(replacements, program));
  return schedule::scratchBytes(program);
}

/// Takes the changes that cost the fewest cycles per saved byte, until the budget is met or no change is left.
void LimitSchedules::saveFilters() {
  struct Way {
    schedule::TaskLimits limits;
    Replacements replacements;
    int64_t saved = 0;
    double loss = 0; ///< cycles per byte
  };
  int64_t saved = 0;
  for (const LimitedTask &task : tasks)
    saved += task.calls * (useOf(task, task.before).filterBytes - useOf(task, task.now).filterBytes);
  std::vector<std::optional<Way>> ways(tasks.size());
  auto findWay = [&](const LimitedTask &task) {
    Way way{task.limits};
    schedule::WinogradUse use = useOf(task, task.now);
    if (use.filterBytes == 0)
      return way;
    way.limits.filterBytes = use.filterBytes - 1;
    way.replacements = schedule::chooseReplacements(task.program, winograd, machine, way.limits);
    schedule::WinogradUse less = useOf(task, way.replacements);
    way.saved = use.filterBytes - less.filterBytes;
    way.loss = (less.cycles - use.cycles) / static_cast<double>(std::max<int64_t>(way.saved, 1));
    return way;
  };
  while (saved < savedBytes) {
    std::optional<size_t> least;
    for (auto [number, task] : llvm::enumerate(tasks)) {
      if (!ways[number])
        ways[number] = findWay(task);
      if (ways[number]->saved > 0 && (!least || ways[number]->loss < ways[*least]->loss))
        least = number;
    }
    if (!least)
      return;
    LimitedTask &task = tasks[*least];
    task.now = ways[*least]->replacements;
    task.limits = ways[*least]->limits;
    saved += task.calls * ways[*least]->saved;
    ways[*least].reset();
  }
}

/// Estimates convolutions by the cost model of their rule, and the repeated computation of overlapped tiles.
double LimitSchedules::cyclesOf(const LimitedTask &task, const Replacements &replacements) const {
  double cycles = useOf(task, replacements).cycles;
  schedule::TaskProgram tiled = task.program;
  Replacements tiles;
  llvm::copy_if(replacements, std::back_inserter(tiles),
                [](const schedule::Replacement &each) { return std::holds_alternative<schedule::FuseStep>(each); });
  llvm::cantFail(schedule::replaceNests(tiles, tiled));
  auto sum = [&](const schedule::TaskProgram &program) {
    double all = 0;
    for (const schedule::NestGroup &group : program.groups)
      for (const schedule::LoopNest &nest : group.nests)
        all += schedule::arithmeticCycles(nest, machine);
    return all;
  };
  return cycles + sum(tiled) - sum(task.program);
}

void LimitSchedules::apply(LimitedTask &task) {
  schedule::TaskProgram program = task.program;
  llvm::cantFail(schedule::replaceNests(task.now, program));
  Machine within = machine;
  within.vectorRegisters = std::min(machine.vectorRegisters, task.registers.value_or(machine.vectorRegisters));
  std::vector<schedule::NestSchedule> schedules = schedule::defaultSchedules(program, within);
  task.def->setAttr("schedule", schedule::toSteps(&getContext(), task.now, schedules));
  if (task.now == task.before)
    return;
  std::string text = llvm::formatv("{0} instead of {1}, for about {2:F0} cycles more", textOf(task.now),
                                   textOf(task.before), cyclesOf(task, task.now) - cyclesOf(task, task.before));
  task.def->setAttr("traded", mlir::StringAttr::get(&getContext(), text));
}

} // namespace
} // namespace cameo

#include "utils/Driver/Tune/CollectTasks.h"

#include "autotune/Measure/OpenTask.h"
#include "passes/Schedule/ConstantArguments.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "utils/Driver/Inspect/EstimateTask.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cameo;
using namespace cameo::autotune;

static bool isChosen(llvm::ArrayRef<std::string> chosen, llvm::StringRef key, llvm::StringRef name) {
  return chosen.empty() || llvm::any_of(chosen, [&](llvm::StringRef each) {
           return name == each || (each.size() >= 4 && key.starts_with(each));
         });
}

bool cameo::hasKnownSizes(task::DefOp def) {
  auto isKnown = [](mlir::Type type) {
    auto shaped = mlir::dyn_cast<mlir::RankedTensorType>(type);
    return shaped && shaped.hasStaticShape();
  };
  return llvm::all_of(def.getArgumentTypes(), isKnown) && llvm::all_of(def.getResultTypes(), isKnown);
}

std::vector<std::string> cameo::openTasks(mlir::ModuleOp module, llvm::ArrayRef<std::string> chosen,
                                          llvm::ArrayRef<TunedDim> sizes) {
  std::vector<std::string> names;
  for (auto def : module.getOps<task::DefOp>()) {
    auto key = def->getAttrOfType<mlir::StringAttr>("key");
    if (!hasKnownSizes(def) && runsOfTask(def, sizes).empty() &&
        isChosen(chosen, key ? key.strref() : "", def.getSymName()))
      names.push_back(def.getSymName().str());
  }
  return names;
}

std::string cameo::explainOpenTasks(llvm::ArrayRef<std::string> names) {
  constexpr size_t shown = 8;
  std::string text = "dynamic sizes in " + llvm::join(names.take_front(shown), ", ");
  if (names.size() > shown)
    text += llvm::formatv(" and {0} more", names.size() - shown);
  return text +
         "; --dim NAME=SIZE fixes one that has a name, and 'cameo tune --tune-dim NAME=SIZE,...' measures at some";
}

llvm::FailureOr<std::vector<SessionTask>> cameo::collectTasks(PhaseRunner &phases, const CompileOptions &options,
                                                              llvm::ArrayRef<std::string> chosen,
                                                              std::vector<TunedDim> sizes) {
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.importTasks()))
    return llvm::failure();
  mlir::ModuleOp module = phases.module();
  if (llvm::Error error = resolveTunedDims(module, options.sizes, sizes))
    return reportFailure(options.model + ": --tune-dim: " + llvm::toString(std::move(error)));
  llvm::StringMap<double> calls;
  module.walk([&](task::CallOp call) { calls[call.getCallee()] += 1; });
  schedule::ConstantArguments constants(module);
  const TargetInfo &target = phases.target();
  std::vector<SessionTask> tasks;
  llvm::DenseSet<mlir::StringAttr> seenOpen;
  for (auto def : module.getOps<task::DefOp>()) {
    auto key = def->getAttrOfType<mlir::StringAttr>("key");
    if (!key)
      return reportFailure(options.model + ": expected task @" + def.getSymName() + " to have a key");
    if (!isChosen(chosen, key.strref(), def.getSymName()))
      continue;
    SearchTask task;
    if (!hasKnownSizes(def)) {
      task.runs = runsOfTask(def, sizes);
      // Tasks with equal keys share one schedule, whatever the names of their dimensions.
      if (task.runs.empty() || !seenOpen.insert(key).second)
        continue;
      task.sizes = spellTunedDims(def, sizes);
    }
    task.def = def;
    if (!task.runs.empty())
      task.runFlops = flopsOf(task);
    task.constantArguments = constants.of(def);
    task.machine = target;
    task.gpu = target.gpu;
    task.threads = static_cast<unsigned>(options.threads);
    task.key = key.str();
    if (llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(def, task.constantArguments))
      task.nests = schedule::digestOf(*program);
    else
      llvm::consumeError(program.takeError()); // a task without loop nests has no schedules
    unsigned runs = 0;
    for (const RunSizes &run : task.runs)
      runs += run.times;
    tasks.push_back({std::move(task), std::max(calls.lookup(def.getSymName()), 1.0) / std::max(runs, 1U), nullptr});
  }
  if (tasks.empty())
    if (std::vector<std::string> open = openTasks(module, chosen, sizes); !open.empty())
      return reportFailure(options.model + ": no task to tune: " + explainOpenTasks(open));
  if (tasks.empty())
    return reportFailure(options.model + ": no task to tune" +
                         (chosen.empty() ? "" : " with a name or key of --tasks"));
  return tasks;
}

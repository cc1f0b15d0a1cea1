#include "utils/Driver/Tune/SelectTask.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using namespace mlir;

namespace {

struct TaskName {
  StringRef key, name;
};

} // namespace

static StringRef keyOrName(task::DefOp def) {
  auto key = def->getAttrOfType<StringAttr>("key");
  return key ? key.getValue() : def.getSymName();
}

/// Returns all tasks, before and after they are lowered to functions.
static SmallVector<TaskName> namesOf(ModuleOp module) {
  SmallVector<TaskName> names;
  for (auto def : module.getOps<task::DefOp>())
    names.push_back({keyOrName(def), def.getSymName()});
  for (auto info : module.getOps<task::InfoOp>())
    names.push_back({info.getKey(), info.getName()});
  return names;
}

llvm::Error cameo::checkTask(ModuleOp module, StringRef key) {
  SmallVector<TaskName> tasks = namesOf(module);
  if (llvm::any_of(tasks, [&](const TaskName &task) { return task.key == key; }))
    return llvm::Error::success();
  if (tasks.empty())
    return llvm::createStringError("--task: the model has no tasks");
  // The list begins with keys that start with `key`, then with those of the smallest edit distance.
  constexpr size_t shown = 5;
  auto distance = [&](StringRef other) { return other.starts_with(key) ? 0 : key.edit_distance(other); };
  llvm::sort(tasks, [&](const TaskName &a, const TaskName &b) {
    return std::tuple(distance(a.key), a.key, a.name) < std::tuple(distance(b.key), b.key, b.name);
  });
  std::string near =
      llvm::join(llvm::map_range(ArrayRef(tasks).take_front(shown),
                                 [](const TaskName &task) { return (task.key + " (" + task.name + ")").str(); }),
                 ", ");
  return llvm::createStringError("--task: no task of the model has the key '" + key + "'; " +
                                 (tasks.size() > shown ? "the most similar are " : "there are ") + near);
}

/// The kernels that the dispatches of the task run.
static llvm::DenseSet<StringAttr> kernelsOf(func::FuncOp main, int64_t task) {
  llvm::DenseSet<StringAttr> kernels;
  main.walk([&](task::DispatchOp dispatch) {
    if (dispatch.getTaskIndex() == task)
      kernels.insert(dispatch.getKernelAttr().getAttr());
  });
  return kernels;
}

void cameo::keepTask(ModuleOp module, StringRef key) {
  llvm::DenseSet<StringAttr> kernels;
  for (auto info : llvm::make_early_inc_range(module.getOps<task::InfoOp>())) {
    if (info.getKey() == key)
      kernels = kernelsOf(module.lookupSymbol<func::FuncOp>("main"), info.getIndex());
    else
      info.erase();
  }
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto def = dyn_cast<task::DefOp>(op);
    auto function = dyn_cast<func::FuncOp>(op);
    if ((def && keyOrName(def) != key) || (function && !kernels.contains(function.getSymNameAttr())) ||
        isa<task::WeightOp>(op))
      op.erase();
  }
  for (auto table : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    if (SymbolTable::symbolKnownUseEmpty(table, module))
      table.erase();
}

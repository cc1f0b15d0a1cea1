#include "utils/Driver/Budgets/MemoryUse.h"

#include "dialects/Files/PrintableText.h"
#include "dialects/Task/NodeNames.h"
#include "passes/Memory/BufferPlan.h"
#include "passes/Memory/WeightPlaces.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace cameo;
using namespace mlir;

std::optional<size_t> MemoryUse::peak() const {
  auto most = llvm::max_element(steps, [](const Step &a, const Step &b) { return a.aliveBytes < b.aliveBytes; });
  return most == steps.end() ? std::nullopt : std::optional<size_t>(most - steps.begin());
}

namespace {

class MemoryFinder {
public:
  MemoryFinder(ModuleOp module, const BufferPlan &plan) : symbols(module), plan(plan) {}

  MemoryUse find();

private:
  void addBuffers();
  void addInputs();
  void addStep(Operation *op);
  void addSources();
  void addCall(task::CallOp call);
  void addWeight(task::CallOp call, ElementsAttr constant, task::PackingAttr packing, MemoryUse::Task &task);

  SymbolTable symbols;
  const BufferPlan &plan;
  WeightPlaces places;
  llvm::MapVector<StringRef, MemoryUse::Task> tasks;
  MemoryUse use;
};

} // namespace

std::string cameo::taskText(llvm::StringRef task, llvm::StringRef nodes) {
  return nodes.empty() ? printable(task) : printable(task) + " (" + printable(nodes) + ")";
}

/// Returns the name of the called task, or of the operation if it is no call.
static std::string nameOf(Operation *op) {
  auto call = dyn_cast<task::CallOp>(op);
  return call ? call.getCallee().str() : op->getName().stripDialect().str();
}

void MemoryFinder::addBuffers() {
  for (const ArenaBuffer &buffer : plan.getBuffers()) {
    if (buffer.place.slot) {
      ++use.openBuffers;
      continue;
    }
    use.buffers.push_back({nameOf(buffer.owner), task::nodeNames(buffer.owner->getLoc()), buffer.isScratch,
                           buffer.bytes.getSize(), buffer.place.offset, buffer.first, buffer.last});
    // The memory plan aligns each buffer, so the live bytes are counted like this.
    for (int64_t step = buffer.first; step <= buffer.last; ++step)
      use.steps[step].aliveBytes += llvm::alignTo(use.buffers.back().bytes, arenaAlignment);
  }
}

/// Calls `use` with each constant that the task reads at `call`, and with its packing.
static void forEachWeight(task::CallOp call, task::DefOp def,
                          llvm::function_ref<void(ElementsAttr constant, task::PackingAttr packing)> use) {
  for (auto [number, operand] : llvm::enumerate(call.getInputs())) {
    ElementsAttr constant;
    if (!def.getBody().getArgument(number).use_empty() && matchPattern(operand, m_Constant(&constant)))
      use(constant, def.getPacking(number));
  }
}

void MemoryFinder::addWeight(task::CallOp call, ElementsAttr constant, task::PackingAttr packing,
                             MemoryUse::Task &task) {
  int64_t offset = places.offsetOf(constant, packing);
  const WeightPlace *place = llvm::lower_bound(places.getPlaces(), offset,
                                               [](const WeightPlace &each, int64_t at) { return each.offset < at; });
  task.weightBytes += place->bytes;
  if (places.getPlaces().size() == use.weights.size())
    return;
  std::string type;
  llvm::raw_string_ostream(type) << constant.getType();
  use.weights.push_back({nameOf(call), task::nodeNames(call.getLoc()), type, place->bytes});
}

void MemoryFinder::addCall(task::CallOp call) {
  auto def = symbols.lookup<task::DefOp>(call.getCallee());
  MemoryUse::Task &task = tasks[call.getCallee()];
  if (task.calls++ == 0) {
    auto key = def->getAttrOfType<StringAttr>("key");
    task.name = call.getCallee().str();
    task.key = key ? key.str() : "";
    task.nodes = task::nodeNames(call.getLoc());
  }
  forEachWeight(call, def,
                [&](ElementsAttr constant, task::PackingAttr packing) { addWeight(call, constant, packing, task); });
}

void MemoryFinder::addStep(Operation *op) {
  use.steps.push_back({nameOf(op), task::nodeNames(op->getLoc())});
  use.steps.back().isConstant = op->hasTrait<OpTrait::ConstantLike>();
  if (auto call = dyn_cast<task::CallOp>(op))
    addCall(call);
}

void MemoryFinder::addInputs() {
  auto main = symbols.lookup<func::FuncOp>("main");
  for (unsigned number = 0; number < main.getNumArguments(); ++number) {
    auto name = main.getArgAttrOfType<StringAttr>(number, "onnx.name");
    use.inputs.push_back(name ? name.str() : "");
  }
}

/// Arguments of a loop's body belong to the loop, whose step precedes those of its body.
void MemoryFinder::addSources() {
  DenseMap<Value, int64_t> makers;
  auto main = symbols.lookup<func::FuncOp>("main");
  for (BlockArgument argument : main.getArguments())
    makers[argument] = -1 - static_cast<int64_t>(argument.getArgNumber());
  for (auto [number, op] : llvm::enumerate(plan.getSteps())) {
    for (Value result : op->getResults())
      makers[result] = number;
    if (auto loop = dyn_cast<task::LoopOp>(op))
      for (BlockArgument argument : symbols.lookup<func::FuncOp>(loop.getBody()).getArguments())
        makers[argument] = number;
  }
  for (auto [step, op] : llvm::zip_equal(use.steps, plan.getSteps())) {
    llvm::SmallSetVector<int64_t, 8> sources;
    for (Value operand : op->getOperands())
      if (auto maker = makers.find(operand); maker != makers.end())
        sources.insert(maker->second);
    step.sources.assign(sources.begin(), sources.end());
    llvm::sort(step.sources);
  }
}

MemoryUse MemoryFinder::find() {
  use.arenaBytes = plan.arenaBytes;
  use.aliveBytes = plan.liveBytes;
  addInputs();
  for (Operation *op : plan.getSteps())
    addStep(op);
  addSources();
  addBuffers();
  for (const MemoryUse::Step &step : use.steps)
    if (auto task = tasks.find(step.task); task != tasks.end())
      task->second.aliveBytes = std::max(task->second.aliveBytes, step.aliveBytes);
  for (auto &[name, task] : tasks)
    use.tasks.push_back(std::move(task));
  return std::move(use);
}

std::optional<MemoryUse> cameo::findMemoryUse(ModuleOp module) {
  FailureOr<BufferPlan> plan = BufferPlan::create(module.lookupSymbol<func::FuncOp>("main"));
  if (failed(plan))
    return std::nullopt;
  return MemoryFinder(module, *plan).find();
}

int64_t cameo::sharedWeightBytes(llvm::ArrayRef<ModuleOp> modules) {
  WeightPlaces places;
  for (ModuleOp module : modules) {
    SymbolTable symbols(module);
    module.walk([&](task::CallOp call) {
      forEachWeight(call, symbols.lookup<task::DefOp>(call.getCallee()),
                    [&](ElementsAttr constant, task::PackingAttr packing) { places.offsetOf(constant, packing); });
    });
  }
  return places.getBytes();
}

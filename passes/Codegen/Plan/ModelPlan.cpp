// Reads the planned @main: its tensors, its memory, its steps.
#include "passes/Codegen/Plan/ModelPlan.h"

#include "dialects/Task/TaskStringOps.h"
#include "passes/Codegen/Plan/ReadSteps.h"
#include "passes/Codegen/Plan/ReadTensors.h"

using namespace mlir;

namespace cameo {

static std::vector<Dim> readSizes(Attribute attribute) {
  std::vector<Dim> sizes;
  if (auto expressions = dyn_cast_or_null<ArrayAttr>(attribute))
    llvm::append_range(sizes, llvm::map_range(expressions, readSize));
  return sizes;
}

/// Returns the constant strings in the order of the table of their addresses.
static std::vector<std::string> readStrings(ModuleOp module) {
  std::vector<std::string> strings;
  for (auto table : module.getOps<task::StringTableOp>()) {
    assert(table.getOffset() == strings.size() * sizeof(uint64_t) && "tables lie one behind the other");
    for (StringRef string : cast<DenseStringElementsAttr>(table.getValue()).getValues<StringRef>())
      strings.push_back(string.str());
  }
  return strings;
}

/// Reports each name in a size that is neither a symbol of an input nor bound by a step.
static LogicalResult checkNames(func::FuncOp main, const ModelPlan &plan) {
  llvm::SetVector<StringAttr> names;
  auto collect = [&](ArrayRef<Dim> sizes) {
    for (const Dim &size : sizes)
      collectNames(size, names);
  };
  collect(plan.derived);
  collect(plan.dimensions);
  collect(plan.zeros);
  collect(plan.sizes);
  for (const std::vector<Dim> &slot : plan.slots)
    collect(slot);
  for (const PlannedStep &step : plan.steps) {
    collect({step.extent, step.bytes, step.maxTripCount.value_or(0)});
    for (const HostOperand &operand : step.operands)
      collect(operand.bytes);
  }
  for (const PlannedStep &step : plan.steps)
    if (step.call)
      for (const std::vector<ExternTensor> *tensors : {&step.call->inputs, &step.call->outputs})
        for (const ExternTensor &tensor : *tensors)
          collect(tensor.dims);
  for (StringAttr name : names)
    if (!llvm::is_contained(plan.symbols, name.strref()) && !llvm::is_contained(plan.counted, name.strref()))
      return main.emitError("expected sizes that follow from the dimensions of the inputs, got '")
             << name.strref() << "'";
  return success();
}

FailureOr<ModelPlan> ModelPlan::read(ModuleOp module) {
  ModelPlan plan;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto count = [&](StringRef name) { return main ? main->getAttrOfType<IntegerAttr>(name) : IntegerAttr(); };
  IntegerAttr inputs = count(task::TaskDialect::getInputsName()), outputs = count(task::TaskDialect::getOutputsName());
  if (!inputs || !outputs)
    return module.emitError("expected a @main whose buffers are planned");
  Attribute batch = module->getAttr(task::TaskDialect::getBatchName());
  if (auto symbol = dyn_cast_or_null<StringAttr>(batch)) {
    plan.batch = Dim::named(symbol);
    plan.symbols.push_back(symbol.str());
  }
  if (auto parts = dyn_cast_or_null<IntegerAttr>(batch))
    plan.batch = Dim(parts.getInt());
  if (failed(readTensors(plan, main, inputs.getInt(), outputs.getInt())))
    return failure();
  unsigned tensors = inputs.getInt() + outputs.getInt();
  plan.arenaBytes = bytesOf(main.getArgument(tensors));
  plan.weightBytes = plan.ownWeightBytes = bytesOf(main.getArgument(tensors + 1));
  plan.dimensions = readSizes(main->getAttr(task::TaskDialect::getDimensionsName()));
  plan.zeros = readSizes(main->getAttr(task::TaskDialect::getZerosName()));
  for (unsigned number = tensors + 2; number < main.getNumArguments(); ++number) {
    if (Attribute slot = main.getArgAttr(number, task::TaskDialect::getSlotName()))
      plan.slots.push_back(readSizes(slot));
    else if (Attribute sizes = main.getArgAttr(number, task::TaskDialect::getSizesName()))
      plan.sizes = readSizes(sizes);
    plan.makesStrings |= main.getArgAttr(number, task::textAreaName) != nullptr;
  }
  plan.strings = readStrings(module);
  readSteps(plan, main, inputs.getInt(), outputs.getInt());
  if (failed(checkNames(main, plan)))
    return failure();
  for (auto info : module.getOps<task::InfoOp>())
    plan.tasks.push_back({info.getName().str(), info.getKey().str(), info.getFlops().convertToDouble(),
                          info.getBytes().convertToDouble(), info.getSchedule().value_or("plain loops").str()});
  return plan;
}

std::optional<double> ModelPlan::addUpTasks(llvm::function_ref<double(const PlannedTask &)> costOf) const {
  double sum = 0;
  for (const PlannedStep &step : steps) {
    if (!step.task || !step.beginsTask)
      continue;
    const PlannedTask &task = tasks[*step.task];
    if (task.flops < 0 || task.bytes < 0)
      return std::nullopt;
    sum += costOf(task);
  }
  return sum;
}

} // namespace cameo

// Creates the new calls at the end of the block, each after the calls that compute its operands, and then erases the
// old ops.
#include "passes/Partition/OutlineTasks.h"

#include "passes/Partition/OpRole.h"
#include "passes/Partition/TaskCost.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace cameo::partition {
namespace {

/// Most elements of a constant that a task contains. Such constants are parameters (axes, bounds, scales), not data.
constexpr int64_t maxParameterElements = 128;

std::string toSnakeCase(StringRef name) {
  std::string snake;
  for (auto [index, c] : llvm::enumerate(name)) {
    bool startsWord = llvm::isUpper(c) && index > 0 &&
                      (llvm::isLower(name[index - 1]) || (index + 1 < name.size() && llvm::isLower(name[index + 1])));
    snake += startsWord ? "_" : "";
    snake += llvm::toLower(c);
  }
  return snake;
}

/// Returns the values defined outside that the regions of the op read.
SmallVector<Value> getCapturedValues(Operation *op) {
  llvm::SetVector<Value> values;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, values);
  return values.takeVector();
}

class TaskOutliner {
public:
  TaskOutliner(func::FuncOp function, const Grouping &grouping)
      : function(function), grouping(grouping), block(grouping.getBlock()), builder(function.getContext()),
        symbols(function->getParentOfType<ModuleOp>()) {}

  void run();

private:
  void emit(Operation *op);
  void emitView(Operation *op);
  void emitGroup(const TaskGroup &group);

  bool belongsInside(OpOperand &use, OpRole role) const;
  void collectInputs(Value value, OpOperand *use, OpRole role, const TaskGroup &group,
                     llvm::SetVector<Value> &inputs) const;
  Value cloneInside(Value value, IRMapping &mapping, OpBuilder &body) const;
  SmallVector<Value> getOutputs(const TaskGroup &group) const;
  task::DefOp createDefinition(const TaskGroup &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs);

  func::FuncOp function;
  const Grouping &grouping;
  Block &block;
  OpBuilder builder;
  SymbolTable symbols;
  llvm::StringMap<unsigned> nameCounts;
  IRMapping replaced;
  DenseSet<Operation *> emitted;
};

/// Whether the constant `use` belongs to the task's body: a single number, a splat operand of an elementwise op, or a
/// parameter such as axes or bounds. Weights stay operands of the task whatever their values are. `role` is the role of
/// the user; the caller looks it up once for all operands, because the lookup reads them all.
bool TaskOutliner::belongsInside(OpOperand &use, OpRole role) const {
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  if (!type)
    return true;
  Operation *user = use.getOwner();
  // An ExternOp calls a function, which takes buffers.
  if (isa<onnx::ExternOp>(user))
    return false;
  if (isNumber(use.get()))
    return true;
  DenseElementsAttr elements;
  bool isSmall = matchPattern(use.get(), m_Constant(&elements)) && type.getNumElements() <= maxParameterElements;
  if (role == OpRole::Elementwise)
    return isSmall && elements.isSplat();
  bool isData = use.getOperandNumber() == 0 || readsAnyPermutation(user) ||
                isa<onnx::ConvOp, onnx::ConvIntegerOp, onnx::ConvTransposeOp>(user) ||
                getOpType(user).ends_with("Normalization") || role == OpRole::Concat;
  return isSmall && !isData;
}

/// Adds to `inputs` the values outside the group that `value` needs: `value` itself or, behind absorbed views, the
/// operands of these views. `use` is the operand that reads `value`, null for a value that a region captures; `role` is
/// the role of its owner.
void TaskOutliner::collectInputs(Value value, OpOperand *use, OpRole role, const TaskGroup &group,
                                 llvm::SetVector<Value> &inputs) const {
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != &block) {
    inputs.insert(value);
    return;
  }
  if (grouping.getGroup(def) == &group)
    return;
  OpRole defRole = getRole(def);
  if (defRole == OpRole::Constant) {
    if (isa<onnx::NoneOp>(def) || (use && belongsInside(*use, role)))
      return;
    inputs.insert(value);
    return;
  }
  if (!grouping.isAbsorbed(def)) {
    inputs.insert(value);
    return;
  }
  for (OpOperand &operand : def->getOpOperands())
    collectInputs(operand.get(), &operand, defRole, group, inputs);
}

/// Returns the value inside the task. Clones constants and absorbed views into the body on demand.
Value TaskOutliner::cloneInside(Value value, IRMapping &mapping, OpBuilder &body) const {
  if (Value inside = mapping.lookupOrNull(value))
    return inside;
  Operation *def = value.getDefiningOp();
  for (Value operand : def->getOperands())
    cloneInside(operand, mapping, body);
  return body.clone(*def, mapping)->getResult(cast<OpResult>(value).getResultNumber());
}

SmallVector<Value> TaskOutliner::getOutputs(const TaskGroup &group) const {
  SmallVector<Value> outputs;
  for (Operation *op : group.ops)
    for (Value result : op->getResults()) {
      bool isUsedOutside = llvm::any_of(result.getUsers(), [&](Operation *user) {
        Operation *top = block.findAncestorOpInBlock(*user);
        return !top || grouping.getGroup(top) != &group;
      });
      if (isUsedOutside)
        outputs.push_back(result);
    }
  return outputs;
}

task::DefOp TaskOutliner::createDefinition(const TaskGroup &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
  SmallVector<Location> locations;
  for (Operation *op : group.ops)
    locations.push_back(op->getLoc());
  OpBuilder moduleBuilder(function.getContext());
  std::string name = nameTask(group.ops);
  name += "_" + std::to_string(nameCounts[name]++);
  auto type = moduleBuilder.getFunctionType(ValueRange(inputs).getTypes(), ValueRange(outputs).getTypes());
  auto def = task::DefOp::create(moduleBuilder, moduleBuilder.getFusedLoc(locations), name, type);
  symbols.insert(def);

  Block *body = &def.getBody().emplaceBlock();
  OpBuilder bodyBuilder = OpBuilder::atBlockEnd(body);
  IRMapping mapping;
  double flops = 0, bytes = 0;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : group.ops) {
    for (Value value : op->getOperands())
      cloneInside(value, mapping, bodyBuilder);
    for (Value value : getCapturedValues(op))
      cloneInside(value, mapping, bodyBuilder);
    bodyBuilder.clone(*op, mapping);
    flops += countFlops(op);
  }
  for (BlockArgument input : body->getArguments())
    bytes += countReadBytes(input);
  SmallVector<Value> returned;
  for (Value output : outputs) {
    returned.push_back(mapping.lookup(output));
    bytes += countStoredBytes(output);
  }
  task::ReturnOp::create(bodyBuilder, def.getLoc(), returned);
  def->setAttr("flops", builder.getF64FloatAttr(flops));
  def->setAttr("bytes", builder.getF64FloatAttr(bytes));
  return def;
}

void TaskOutliner::emitGroup(const TaskGroup &group) {
  SmallVector<Value> outputs = getOutputs(group);
  if (outputs.empty())
    return;
  llvm::SetVector<Value> inputs;
  for (Operation *op : group.ops) {
    OpRole role = getRole(op);
    for (OpOperand &operand : op->getOpOperands())
      collectInputs(operand.get(), &operand, role, group, inputs);
    for (Value value : getCapturedValues(op))
      collectInputs(value, nullptr, role, group, inputs);
  }
  for (Value input : inputs)
    if (Operation *def = input.getDefiningOp())
      emit(def);
  task::DefOp def = createDefinition(group, inputs.getArrayRef(), outputs);
  SmallVector<Value> operands;
  for (Value input : inputs)
    operands.push_back(replaced.lookupOrDefault(input));
  auto call = task::CallOp::create(builder, def.getLoc(), def.getResultTypes(), def.getSymName(), operands);
  replaced.map(ValueRange(outputs), call.getOutputs());
}

void TaskOutliner::emitView(Operation *op) {
  if (OpRole role = getRole(op);
      role == OpRole::Loop || role == OpRole::Join || role == OpRole::Update || role == OpRole::Choose) {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        emit(def);
    if (auto choose = dyn_cast<onnx::ChooseOp>(op)) {
      auto operands =
          llvm::map_to_vector(op->getOperands(), [&](Value operand) { return replaced.lookupOrDefault(operand); });
      replaced.map(
          choose.getChosen(),
          task::ChooseOp::create(builder, op->getLoc(), TypeRange(choose.getChosen().getType()), operands).getChosen());
    } else {
      builder.clone(*op, replaced);
    }
    return;
  }
  if (Operation *def = op->getOperand(0).getDefiningOp())
    emit(def);
  Value input = replaced.lookupOrDefault(op->getOperand(0));
  Type type = op->getResult(0).getType();
  if (getRole(op) == OpRole::Prefix) {
    if (Operation *def = op->getOperand(1).getDefiningOp())
      emit(def);
    Value count = replaced.lookupOrDefault(op->getOperand(1));
    replaced.map(op->getResult(0), task::PrefixOp::create(builder, op->getLoc(), type, input, count).getOutput());
    return;
  }
  replaced.map(op->getResult(0),
               input.getType() == type ? input : task::ViewOp::create(builder, op->getLoc(), type, input));
}

/// Emits the group or view of `op`, unless that has happened.
void TaskOutliner::emit(Operation *op) {
  if (!emitted.insert(op).second || getRole(op) == OpRole::Constant || grouping.isAbsorbed(op))
    return;
  if (TaskGroup *group = grouping.getGroup(op)) {
    for (Operation *member : group->ops)
      emitted.insert(member);
    emitGroup(*group);
  } else {
    emitView(op);
  }
}

void TaskOutliner::run() {
  Operation *terminator = block.getTerminator();
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator())
    old.push_back(&op);
  builder.setInsertionPoint(terminator);
  for (Operation *op : old) {
    // A group is emitted at its last op: all its other operands are computed before.
    TaskGroup *group = grouping.getGroup(op);
    if (!group || group->ops.back() == op)
      emit(op);
  }
  for (OpOperand &operand : terminator->getOpOperands())
    operand.set(replaced.lookupOrDefault(operand.get()));
  for (Operation *op : llvm::reverse(old)) {
    if (getRole(op) == OpRole::Constant && !op->use_empty())
      continue;
    op->erase();
  }
}

} // namespace

std::string nameTask(ArrayRef<Operation *> ops) {
  SmallVector<std::string> words;
  for (Operation *op : ops) {
    auto call = dyn_cast<onnx::ExternOp>(op);
    std::string word = call ? call.getFunction().str() : toSnakeCase(op->getName().stripDialect());
    if (words.size() < 4 && (words.empty() || words.back() != word))
      words.push_back(word);
  }
  return llvm::join(words, "_");
}

std::string nameTask(ArrayRef<Operation *> ops, const SymbolTable &symbols) {
  std::string base = nameTask(ops), name;
  unsigned number = 0;
  do
    name = base + "_" + std::to_string(number++);
  while (symbols.lookup(name));
  return name;
}

void outlineTasks(func::FuncOp function, const Grouping &grouping) { TaskOutliner(function, grouping).run(); }

} // namespace cameo::partition

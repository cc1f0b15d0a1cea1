// --split-tasks: divides fused tasks into two where an attribute says so.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/OutlineTasks.h"
#include "passes/Partition/Passes.h"
#include "passes/Partition/TaskCost.h"
#include "passes/Partition/TaskCuts.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_SPLITTASKSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

/// A new definition, and the values of the old body that are its operands.
struct TaskPart {
  task::DefOp def;
  SmallVector<Value> inputs;
};

class Splitter {
public:
  Splitter(ModuleOp module, SymbolTable &symbols) : module(module), symbols(symbols) {}

  /// Divides `def` at `cut` and replaces `calls`, all calls of it.
  void run(task::DefOp def, const TaskCut &cut, ArrayRef<task::CallOp> calls);

private:
  TaskPart makePart(task::DefOp def, ArrayRef<Operation *> ops, ArrayRef<Value> outputs);

  ModuleOp module;
  SymbolTable &symbols;
};

/// Creates the task of `ops`, a part of the body of `def`, with the results `outputs`.
TaskPart Splitter::makePart(task::DefOp def, ArrayRef<Operation *> ops, ArrayRef<Value> outputs) {
  llvm::SetVector<Value> inputs;
  SmallVector<Operation *> members;
  SmallVector<Location> locations;
  for (Operation *op : ops) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == &def.getBody().front() && !llvm::is_contained(ops, operand.getDefiningOp()))
          inputs.insert(operand);
    });
    if (getRole(op) == OpRole::Constant)
      continue;
    members.push_back(op);
    locations.push_back(op->getLoc());
  }

  Builder types(module.getContext());
  auto type = types.getFunctionType(ValueRange(inputs.getArrayRef()).getTypes(), ValueRange(outputs).getTypes());
  OpBuilder builder(def);
  Location loc = types.getFusedLoc(locations);
  auto part = task::DefOp::create(builder, loc, nameTask(members, symbols), type);
  symbols.insert(part);
  Block *body = &part.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  double flops = 0, bytes = 0;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : ops) {
    builder.clone(*op, mapping);
    flops += countFlops(op);
  }
  for (BlockArgument input : body->getArguments())
    bytes += countReadBytes(input);
  for (Value output : outputs)
    bytes += countStoredBytes(output);
  task::ReturnOp::create(builder, loc,
                         llvm::map_to_vector(outputs, [&](Value output) { return mapping.lookup(output); }));
  part->setAttr("flops", types.getF64FloatAttr(flops));
  part->setAttr("bytes", types.getF64FloatAttr(bytes));
  return {part, inputs.takeVector()};
}

void Splitter::run(task::DefOp def, const TaskCut &cut, ArrayRef<task::CallOp> calls) {
  Operation *border = cut.first.back();
  Value passed = border->getResult(0);
  SmallVector<Value> returned(def.getBody().front().getTerminator()->getOperands()), computed = returned;
  llvm::erase(computed, passed);
  TaskPart first = makePart(def, cut.first, {passed}), second = makePart(def, cut.second, computed);
  remark::passed(def.getLoc(), remark::RemarkOpts::name("split").category("split-tasks").function(def.getSymName()))
      << ("two tasks, split after " + border->getName().getStringRef()).str();
  for (task::CallOp call : calls) {
    OpBuilder builder(call);
    IRMapping values;
    values.map(def.getBody().front().getArguments(), call.getInputs());
    for (const TaskPart &part : {first, second}) {
      auto operands = llvm::map_to_vector(part.inputs, [&](Value input) { return values.lookup(input); });
      task::DefOp callee = part.def;
      auto made =
          task::CallOp::create(builder, callee.getLoc(), callee.getResultTypes(), callee.getSymName(), operands);
      values.map(callee == first.def ? ValueRange(passed) : ValueRange(computed), made.getResults());
    }
    call.replaceAllUsesWith(llvm::map_to_vector(returned, [&](Value result) { return values.lookup(result); }));
    call.erase();
  }
  symbols.erase(def);
}

struct SplitTasksPass : impl::SplitTasksPassBase<SplitTasksPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    llvm::MapVector<Operation *, SmallVector<task::CallOp>> callsOf;
    module.walk([&](task::CallOp call) {
      if (auto def = symbols.lookup<task::DefOp>(call.getCallee()))
        callsOf[def].push_back(call);
    });
    for (auto &[op, calls] : callsOf) {
      auto number = op->getAttrOfType<IntegerAttr>("split");
      if (!number)
        continue;
      auto def = cast<task::DefOp>(op);
      int64_t place = number.getInt();
      std::optional<TaskCut> cut = place < 0 || place > UINT32_MAX
                                       ? std::nullopt
                                       : cutBehind(def.getBody().front(), static_cast<unsigned>(place));
      if (!cut) {
        def.emitError() << "expected the number of an operation after which the task can be split, got " << place;
        return signalPassFailure();
      }
      Splitter(module, symbols).run(def, *cut, calls);
    }
  }
};

} // namespace
} // namespace cameo

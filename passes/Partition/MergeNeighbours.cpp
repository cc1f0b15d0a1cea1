// --merge-neighbours: merges two tasks into one where an attribute says so.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/OutlineTasks.h"
#include "passes/Partition/Passes.h"
#include "passes/Partition/TaskCost.h"
#include "passes/Partition/TaskNeighbours.h"

#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_MERGENEIGHBOURSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

class NeighbourMerger {
public:
  NeighbourMerger(task::CallOp first, task::CallOp second, SymbolTable &symbols)
      : calls{first, second}, symbols(symbols) {}

  void run();

private:
  task::DefOp calleeOf(task::CallOp call) const { return symbols.lookup<task::DefOp>(call.getCallee()); }
  std::string name();
  void collect();
  task::DefOp makeDefinition();

  task::CallOp calls[2];
  SymbolTable &symbols;
  llvm::SetVector<Value> inputs;
  SmallVector<Value> outputs; ///< results of both calls that others read
};

} // namespace

/// Collects the values that both calls read from outside, and their results that others read.
void NeighbourMerger::collect() {
  for (task::CallOp call : calls) {
    for (Value input : call.getInputs())
      if (input.getDefiningOp() != calls[0])
        inputs.insert(input);
    for (Value output : call.getOutputs())
      if (llvm::any_of(output.getUsers(), [&](Operation *user) { return user != calls[1]; }))
        outputs.push_back(output);
  }
}

std::string NeighbourMerger::name() {
  SmallVector<Operation *> ops;
  for (task::CallOp call : calls)
    for (Operation &op : calleeOf(call).getBody().front().without_terminator())
      if (getRole(&op) != OpRole::Constant)
        ops.push_back(&op);
  return nameTask(ops, symbols);
}

task::DefOp NeighbourMerger::makeDefinition() {
  Builder types(calls[0].getContext());
  task::DefOp firstDef = calleeOf(calls[0]), secondDef = calleeOf(calls[1]);
  auto type = types.getFunctionType(ValueRange(inputs.getArrayRef()).getTypes(), ValueRange(outputs).getTypes());
  OpBuilder builder(secondDef);
  Location loc = types.getFusedLoc({firstDef.getLoc(), secondDef.getLoc()});
  auto def = task::DefOp::create(builder, loc, name(), type);
  symbols.insert(def);
  Block *body = &def.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);

  IRMapping made; // values of the caller -> values of the body
  double flops = 0, bytes = 0;
  for (Value input : inputs)
    made.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (task::CallOp call : calls) {
    Block &from = calleeOf(call).getBody().front();
    IRMapping mapping;
    for (auto [argument, input] : llvm::zip_equal(from.getArguments(), call.getInputs()))
      mapping.map(argument, made.lookup(input));
    for (Operation &op : from.without_terminator()) {
      builder.clone(op, mapping);
      flops += countFlops(&op);
    }
    for (auto [output, returned] : llvm::zip_equal(call.getOutputs(), from.getTerminator()->getOperands()))
      made.map(output, mapping.lookup(returned));
  }
  auto returned = llvm::map_to_vector(outputs, [&](Value output) { return made.lookup(output); });
  for (BlockArgument input : body->getArguments())
    bytes += countReadBytes(input);
  for (Value output : returned)
    bytes += countStoredBytes(output);
  task::ReturnOp::create(builder, loc, returned);
  def->setAttr("flops", types.getF64FloatAttr(flops));
  def->setAttr("bytes", types.getF64FloatAttr(bytes));
  return def;
}

void NeighbourMerger::run() {
  collect();
  task::DefOp def = makeDefinition();
  remark::passed(def.getLoc(),
                 remark::RemarkOpts::name("merge").category("merge-neighbours").function(def.getSymName()))
      << ("one task of " + calls[0].getCallee() + " and " + calls[1].getCallee()).str();
  Block *block = calls[1]->getBlock();
  OpBuilder builder(calls[1]);
  auto merged =
      task::CallOp::create(builder, def.getLoc(), def.getResultTypes(), def.getSymName(), inputs.getArrayRef());
  for (auto [output, result] : llvm::zip_equal(outputs, merged.getOutputs()))
    output.replaceAllUsesWith(result);
  calls[1].erase();
  calls[0].erase();
  // Other operations may have read results of the first call before the second one.
  task::sortWithConditions(*block);
}

namespace {

struct MergeNeighboursPass : impl::MergeNeighboursPassBase<MergeNeighboursPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<task::CallOp> marked;
    getOperation().walk([&](task::CallOp call) {
      if (call->hasAttr("merge"))
        marked.push_back(call);
    });
    for (task::CallOp second : marked) {
      auto number = second->getAttrOfType<IntegerAttr>("merge");
      int64_t operand = number ? number.getInt() : -1;
      task::CallOp first;
      if (operand >= 0 && operand < second.getNumOperands())
        first = TaskNeighbours(*second->getBlock(), symbols).findFirst(second, static_cast<unsigned>(operand));
      if (!first) {
        second.emitError() << "expected the number of an operand whose task can be merged with this one, got "
                           << second->getAttr("merge");
        return signalPassFailure();
      }
      NeighbourMerger(first, second, symbols).run();
    }
  }
};

} // namespace
} // namespace cameo

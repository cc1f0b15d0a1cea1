#include "passes/Partition/TaskNeighbours.h"

#include "passes/Partition/Grouping.h"
#include "passes/Partition/OpRole.h"

using namespace mlir;

namespace cameo::partition {

TaskNeighbours::TaskNeighbours(Block &block, const SymbolTable &symbols)
    : block(block), symbols(symbols), predicates(block) {}

static task::DefOp calleeOf(task::CallOp call, const SymbolTable &symbols) {
  return symbols.lookup<task::DefOp>(call.getCallee());
}

/// Returns the number of operations of the body without constants.
static size_t countOps(task::DefOp def) {
  return llvm::count_if(def.getBody().front().without_terminator(),
                        [](Operation &op) { return getRole(&op) != OpRole::Constant; });
}

/// Whether the task contains only ops that can be fused, and its definition names dynamic sizes as the call does.
bool TaskNeighbours::canBeMember(task::CallOp call) const {
  task::DefOp def = calleeOf(call, symbols);
  if (!def || call.getOperandTypes() != def.getArgumentTypes() || call.getResultTypes() != def.getResultTypes())
    return false;
  return llvm::all_of(def.getBody().front().without_terminator(), [](Operation &op) {
    switch (getRole(&op)) {
    case OpRole::Constant:
    case OpRole::Elementwise:
    case OpRole::Row:
    case OpRole::Anchor:
    case OpRole::Transpose:
    case OpRole::Slice:
    case OpRole::Pad:
      return true;
    default:
      return false;
    }
  });
}

bool TaskNeighbours::hasOtherPath(task::CallOp first, task::CallOp second) const {
  DenseSet<Operation *> seen = {first};
  SmallVector<Operation *> waiting = {second};
  while (!waiting.empty()) {
    Operation *user = waiting.pop_back_val();
    bool reachesFirst = false;
    user->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (!def || def->getBlock() != &block)
          continue;
        reachesFirst |= def == first && user != second;
        // An operation before the first call does not depend on it.
        if (first->isBeforeInBlock(def) && seen.insert(def).second)
          waiting.push_back(def);
      }
    });
    if (reachesFirst)
      return true;
  }
  return false;
}

task::CallOp TaskNeighbours::findFirst(task::CallOp second, unsigned operand) const {
  if (operand >= second.getNumOperands())
    return {};
  Value passed = second.getOperand(operand);
  auto first = passed.getDefiningOp<task::CallOp>();
  if (!first || first->getBlock() != &block || !canBeMember(first) || !canBeMember(second))
    return {};
  task::DefOp firstDef = calleeOf(first, symbols), secondDef = calleeOf(second, symbols);
  // The result of a task.place is part of a larger tensor, so the second task cannot read it inside the merged one.
  Value made = firstDef.getBody().front().getTerminator()->getOperand(cast<OpResult>(passed).getResultNumber());
  if (isa_and_nonnull<task::PlaceOp>(made.getDefiningOp()) || countOps(firstDef) + countOps(secondDef) > mostTaskOps ||
      predicates.of(first) != predicates.of(second) || hasOtherPath(first, second))
    return {};
  return first;
}

} // namespace cameo::partition

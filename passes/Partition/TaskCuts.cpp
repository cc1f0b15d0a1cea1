#include "passes/Partition/TaskCuts.h"

#include "passes/Partition/OpRole.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::partition {

/// Returns the operations of `body` whose results `op` or its regions read.
static SmallVector<Operation *> operandsIn(Block &body, Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, values);
  SmallVector<Operation *> defs;
  for (Value value : values)
    if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &body)
      defs.push_back(def);
  return defs;
}

/// Whether the op is a constant or a view of arguments, which both parts may contain.
static bool isShared(Block &body, Operation *op) {
  OpRole role = getRole(op);
  if (role == OpRole::Constant)
    return true;
  return (role == OpRole::Slice || role == OpRole::Transpose) &&
         llvm::all_of(operandsIn(body, op), [&](Operation *def) { return isShared(body, def); });
}

/// Whether one of `ops` is more than a constant or a data movement.
static bool compute(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [](Operation *op) {
    OpRole role = getRole(op);
    return role == OpRole::Elementwise || role == OpRole::Row || role == OpRole::Anchor;
  });
}

/// Returns `roots` and all ops that they depend on, without `border` and what only `border` depends on.
static DenseSet<Operation *> dependences(Block &body, ArrayRef<Operation *> roots, Operation *border) {
  DenseSet<Operation *> found;
  SmallVector<Operation *> waiting(roots);
  while (!waiting.empty()) {
    Operation *op = waiting.pop_back_val();
    if (op == border || !found.insert(op).second)
      continue;
    llvm::append_range(waiting, operandsIn(body, op));
  }
  return found;
}

std::optional<TaskCut> cutBehind(Block &body, unsigned number) {
  if (number + 1 >= body.getOperations().size())
    return std::nullopt;
  Operation *border = &*std::next(body.begin(), number);
  if (border->getNumResults() != 1)
    return std::nullopt;
  DenseSet<Operation *> first = dependences(body, {border}, nullptr);
  // Results of the task that the border itself computes add nothing to the second part.
  // empty.
  SmallVector<Operation *> returned = operandsIn(body, body.getTerminator());
  DenseSet<Operation *> second = dependences(body, returned, border);
  TaskCut cut;
  for (Operation &op : body.without_terminator()) {
    bool isInFirst = first.contains(&op), isInSecond = second.contains(&op);
    if (isInFirst && isInSecond && !isShared(body, &op))
      return std::nullopt;
    if (isInFirst)
      cut.first.push_back(&op);
    if (isInSecond)
      cut.second.push_back(&op);
  }
  if (!compute(cut.first) || !compute(cut.second))
    return std::nullopt;
  return cut;
}

SmallVector<unsigned> findCuts(Block &body) {
  SmallVector<unsigned> numbers;
  for (unsigned number = 0; number + 1 < body.getOperations().size(); ++number)
    if (cutBehind(body, number))
      numbers.push_back(number);
  return numbers;
}

} // namespace cameo::partition

#include "passes/Partition/Grouping.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::partition {

Grouping::Grouping(Block &block) : block(block), predicates(block) {
  for (Operation &op : block)
    places[&op] = places.size();
  crossing.resize(places.size());
  for (auto choose : block.getOps<onnx::ChooseOp>())
    markDeciding(choose.getCondition());
}

/// Marks the ops of one element that compute `number`, the condition of a choice. The condition is computed in every
/// run, so its ops must not share a task with ops of a branch.
void Grouping::markDeciding(Value number) {
  Operation *op = number.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(number.getType());
  bool isNumber = type && type.hasStaticShape() && type.getNumElements() == 1;
  if (!op || op->getBlock() != &block || !isNumber || !deciding.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    markDeciding(operand);
}

TaskGroup &Grouping::create(TaskGroup::Kind kind, ArrayRef<Dim> domain, Operation *first) {
  groups.push_back(std::make_unique<TaskGroup>());
  TaskGroup &group = *groups.back();
  group.kind = kind;
  group.domain.assign(domain.begin(), domain.end());
  add(group, first);
  return group;
}

/// Extends the group to the places from `first` to `last` and counts the places that it crosses now. The group has ops
/// already.
void Grouping::widen(TaskGroup &group, unsigned first, unsigned last) {
  for (unsigned place = first + 1; place <= group.first; ++place)
    ++crossing[place];
  for (unsigned place = group.last + 1; place <= last; ++place)
    ++crossing[place];
  group.first = std::min(group.first, first);
  group.last = std::max(group.last, last);
}

void Grouping::add(TaskGroup &group, Operation *op) {
  unsigned place = getPlace(op);
  if (group.ops.empty())
    group.first = group.last = place;
  widen(group, place, place);
  group.ops.push_back(op);
  groupOf[op] = &group;
}

void Grouping::merge(TaskGroup &into, TaskGroup &from) {
  for (unsigned place = from.first + 1; place <= from.last; ++place)
    --crossing[place];
  for (Operation *op : from.ops)
    add(into, op);
  from.ops.clear();
}

/// Returns the last place up to `place` that no group crosses: ops before it do not depend on ops from it on.
unsigned Grouping::findCut(unsigned place) const {
  while (crossing[place] > 0)
    --place;
  return place;
}

bool Grouping::canUnite(ArrayRef<TaskGroup *> united, ArrayRef<Operation *> ops) const {
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  for (TaskGroup *group : united)
    inside.insert(group->ops.begin(), group->ops.end());
  if (inside.size() > mostTaskOps)
    return false;
  ArrayRef<task::Predicate> needed = predicates.of(*inside.begin());
  bool decides = deciding.contains(*inside.begin());
  if (llvm::any_of(inside,
                   [&](Operation *op) { return predicates.of(op) != needed || deciding.contains(op) != decides; }))
    return false;

  unsigned first = getPlace(*inside.begin());
  for (Operation *op : inside)
    first = std::min(first, getPlace(op));
  unsigned cut = findCut(first);

  DenseSet<Operation *> seen;
  SmallVector<Operation *> worklist;
  auto visitOperands = [&](Operation *user) {
    user->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (def && def->getBlock() == &block && seen.insert(def).second)
          worklist.push_back(def);
      }
    });
  };
  auto visitOutside = [&](ArrayRef<Operation *> members) {
    for (Operation *member : members)
      for (Value operand : member->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && !inside.contains(def) && seen.insert(def).second)
          worklist.push_back(def);
  };
  // The operands of a single group do not depend on that group, so only the additions can close a cycle.
  visitOutside(ops);
  if (united.size() > 1)
    for (TaskGroup *group : united)
      visitOutside(group->ops);

  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (inside.contains(op))
      return false;
    if (getPlace(op) < cut)
      continue;
    // A group runs as a whole, so it depends on the operands of all its ops.
    TaskGroup *group = getGroup(op);
    if (!group) {
      visitOperands(op);
      continue;
    }
    for (Operation *member : group->ops) {
      seen.insert(member);
      visitOperands(member);
    }
  }
  return true;
}

} // namespace cameo::partition

#include "passes/Graph/SeparateBranches.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/Predicates.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace cameo;
using task::Predicate;

namespace {

using PredicateList = SmallVector<Predicate, 2>;

/// Uses of one operation under the same predicates.
struct UseGroup {
  PredicateList needed;
  SmallVector<OpOperand *> uses;
};

class BranchSeparator {
public:
  explicit BranchSeparator(Block &block) : predicates(block) {}

  /// Users come first.
  void visit(Operation *op) {
    SmallVector<UseGroup> groups;
    SmallVector<OpOperand *> ofSizes;
    for (OpOperand &use : op->getUses())
      if (predicates.isRead(use))
        add(groups, use);
      else
        ofSizes.push_back(&use);
    if (groups.size() < 2 || isNeededByAll(groups))
      return;
    auto isBefore = [](OpOperand *a, OpOperand *b) { return a->getOwner()->isBeforeInBlock(b->getOwner()); };
    for (UseGroup &group : groups) {
      // Where the conditions of all its uses are known.
      Operation *first = (*llvm::min_element(group.uses, isBefore))->getOwner(), *copy = op->clone();
      first->getBlock()->getOperations().insert(first->getIterator(), copy);
      llvm::for_each(group.uses, [&](OpOperand *use) { moveTo(*use, copy); });
      for (OpOperand *&use : ofSizes)
        if (use && copy->isBeforeInBlock(use->getOwner()))
          moveTo(*std::exchange(use, nullptr), copy);
      copies[copy] = std::move(group.needed);
    }
    if (!op->use_empty())
      return;
    op->dropAllReferences();
    dead.push_back(op);
  }

  ~BranchSeparator() {
    for (Operation *op : dead)
      op->erase();
  }

private:
  static void moveTo(OpOperand &use, Operation *copy) {
    use.set(copy->getResult(cast<OpResult>(use.get()).getResultNumber()));
  }

  PredicateList of(OpOperand &use) const {
    PredicateList needed = predicates.of(use);
    for (const Predicate &each : copies.lookup(use.getOwner()))
      if (!llvm::is_contained(needed, each))
        needed.push_back(each);
    return needed;
  }

  void add(SmallVectorImpl<UseGroup> &groups, OpOperand &use) const {
    PredicateList needed = of(use);
    UseGroup *same = llvm::find_if(groups, [&](const UseGroup &group) {
      return group.needed.size() == needed.size() &&
             llvm::all_of(needed, [&](const Predicate &each) { return llvm::is_contained(group.needed, each); });
    });
    if (same == groups.end())
      same = &groups.emplace_back(UseGroup{std::move(needed), {}});
    same->uses.push_back(&use);
  }

  /// Whether one group is needed wherever any is, or the groups are both branches of a condition.
  static bool isNeededByAll(ArrayRef<UseGroup> groups) {
    const UseGroup *least = llvm::min_element(
        groups, [](const UseGroup &a, const UseGroup &b) { return a.needed.size() < b.needed.size(); });
    auto isWithin = [](ArrayRef<Predicate> inner, ArrayRef<Predicate> outer) {
      return llvm::all_of(outer, [&](const Predicate &each) { return llvm::is_contained(inner, each); });
    };
    if (llvm::all_of(groups, [&](const UseGroup &group) { return isWithin(group.needed, least->needed); }))
      return true;
    if (groups.size() != 2 || groups[0].needed.size() != groups[1].needed.size())
      return false;
    PredicateList only;
    for (const Predicate &each : groups[0].needed)
      if (!llvm::is_contained(groups[1].needed, each))
        only.push_back(each);
    return only.size() == 1 &&
           llvm::is_contained(groups[1].needed, Predicate{only.front().condition, !only.front().isTrue});
  }

  task::Predicates predicates;
  llvm::DenseMap<Operation *, PredicateList> copies; ///< and what must hold for them to be used
  SmallVector<Operation *> dead; ///< kept until the end: a copy at the address of one would take its predicates
};

/// Whether a second one makes the same values, and no size has its name from it.
bool canCopy(Operation *op) {
  return isa<onnx::OnnxOp>(op) && !isa<onnx::DataSizedOp, onnx::PrefixOp>(op) && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) { return user->getBlock() == op->getBlock(); });
}

} // namespace

void graph::separateBranches(Block &block, const llvm::SmallPtrSetImpl<Operation *> &checked) {
  if (checked.empty())
    return;
  llvm::SmallPtrSet<Operation *, 16> reached;
  SmallVector<Operation *> order;
  for (Operation &op : block)
    if (checked.contains(&op) ||
        llvm::any_of(op.getOperands(), [&](Value operand) { return reached.contains(operand.getDefiningOp()); })) {
      reached.insert(&op);
      if (canCopy(&op))
        order.push_back(&op);
    }
  BranchSeparator separator(block);
  llvm::for_each(llvm::reverse(order), [&](Operation *op) { separator.visit(op); });
}

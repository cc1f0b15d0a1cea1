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

  /// Copies an operation for each group of its uses. The users of an operation must be visited before it.
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
      // At the first use, all conditions of the group have been computed.
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

  /// Whether the predicates of one group hold in every run that needs any group, or the groups are the two branches of
  /// one condition.
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
  llvm::DenseMap<Operation *, PredicateList> copies; ///< the copies with the predicates under which they are used
  SmallVector<Operation *> dead; ///< erased at the end, because a copy at the same address would take its predicates
};

/// Whether the operation can be copied: a copy computes the same values, and the operation defines no size.
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

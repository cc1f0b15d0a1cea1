#include "dialects/Task/Predicates.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace cameo::task;

/// Returns the condition of a Choose of either dialect; null for all other operations.
static Value conditionOf(Operation *op) {
  if (auto choose = dyn_cast<cameo::onnx::ChooseOp>(op))
    return choose.getCondition();
  auto choose = dyn_cast<ChooseOp>(op);
  return choose ? choose.getCondition() : Value();
}

static bool isPrefix(Operation *op) { return isa<cameo::onnx::PrefixOp, PrefixOp>(op); }

static llvm::SetVector<StringAttr> namesIn(TypeRange types) {
  llvm::SetVector<StringAttr> names;
  for (Type type : types)
    for (const cameo::Dim &dim : cameo::onnx::getDims(type).value_or(cameo::onnx::DimList()))
      cameo::collectNames(dim, names);
  return names;
}

Predicates::Predicates(Block &block, bool inAnyOrder) : block(block), inAnyOrder(inAnyOrder) {
  if (llvm::none_of(block, [](Operation &op) { return conditionOf(&op) != nullptr; }))
    return;
  if (llvm::any_of(block, [](Operation &op) { return isPrefix(&op); }))
    for (Operation &op : block) {
      for (StringAttr name : namesIn(op.getResultTypes()))
        resultsOfSizes[name].push_back(&op);
      for (OpOperand &operand : op.getOpOperands())
        for (StringAttr name : namesIn(operand.get().getType()))
          usesOfSizes[name].push_back(&operand);
    }
  for (Operation &op : llvm::reverse(block))
    visit(op);
}

bool cameo::task::neverHold(ArrayRef<Predicate> predicates) {
  return llvm::any_of(predicates, [&](const Predicate &each) {
    return llvm::is_contained(predicates, Predicate{each.condition, !each.isTrue});
  });
}

ArrayRef<Predicate> Predicates::of(Operation *op) const {
  auto found = predicates.find(op);
  return found == predicates.end() ? ArrayRef<Predicate>() : ArrayRef<Predicate>(found->second);
}

bool Predicates::isRead(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (isa<cameo::onnx::ShapeOp, cameo::onnx::SizeOp>(user))
    return false;
  if (auto view = dyn_cast<ViewOp>(user))
    return llvm::any_of(view->getUses(), [&](OpOperand &further) { return isRead(further); });
  auto call = dyn_cast<CallOp>(user);
  auto def = call ? symbols->lookupNearestSymbolFrom<DefOp>(call, call.getCalleeAttr()) : DefOp();
  return !def || !def.getBody().getArgument(use.getOperandNumber()).use_empty();
}

/// Keeps the predicates that all users have in common.
static void intersect(std::optional<SmallVector<Predicate, 1>> &common, ArrayRef<Predicate> other) {
  if (!common)
    common.emplace(other);
  else
    llvm::erase_if(*common, [&](const Predicate &predicate) { return !llvm::is_contained(other, predicate); });
}

SmallVector<Predicate, 2> Predicates::of(OpOperand &use) const {
  Operation *user = block.findAncestorOpInBlock(*use.getOwner());
  SmallVector<Predicate, 2> needed(user ? of(user) : ArrayRef<Predicate>());
  Value condition = user == use.getOwner() ? conditionOf(user) : Value();
  if (unsigned number = use.getOperandNumber(); condition && (number == 1 || number == 2))
    if (Predicate predicate{condition, number == 1}; !llvm::is_contained(needed, predicate))
      needed.push_back(predicate);
  return needed;
}

void Predicates::visitUse(OpOperand &use) { intersect(common, of(use)); }

void Predicates::visit(Operation &op) {
  common.reset();
  for (OpOperand &use : op.getUses())
    if (isRead(use))
      visitUse(use);
  // The size of a prefix is needed where one of the tensors with this dimension is, and where it is read as a number.
  if (isPrefix(&op)) {
    StringAttr name = (*cameo::onnx::getDims(op.getResult(0).getType()))[0].getName();
    for (OpOperand *use : usesOfSizes.lookup(name))
      visitUse(*use);
    for (Operation *maker : resultsOfSizes.lookup(name))
      if (maker != &op)
        intersect(common, of(maker));
  }
  if (!common)
    return;
  llvm::erase_if(*common, [&](const Predicate &predicate) {
    Operation *maker = predicate.condition.getDefiningOp();
    return !inAnyOrder && maker && maker->getBlock() == &block && !maker->isBeforeInBlock(&op);
  });
  if (!common->empty())
    predicates[&op] = std::move(*common);
}

namespace {

/// Places the operations of a block that is sorted but for its conditions.
class Sorter {
public:
  explicit Sorter(Block &block) : block(block), predicates(block, /*inAnyOrder=*/true) {}

  void run();

private:
  bool isPlaced(Value value) const;
  bool hasOperands(Operation *op);
  bool hasConditions(Operation *op);
  bool dependsOn(Value condition, Operation *op);
  void place(Operation *op);

  Block &block;
  Predicates predicates;
  SmallPtrSet<Operation *, 32> unplaced;
  llvm::DenseMap<Value, SmallPtrSet<Operation *, 16>> slices; ///< by condition: the operations it depends on
};

} // namespace

bool Sorter::isPlaced(Value value) const {
  Operation *maker = value.getDefiningOp();
  return !maker || !unplaced.contains(block.findAncestorOpInBlock(*maker));
}

bool Sorter::hasOperands(Operation *op) {
  return !op->walk([&](Operation *each) {
              bool arePlaced = llvm::all_of(each->getOperands(), [&](Value operand) {
                Operation *maker = operand.getDefiningOp();
                return (maker && op->isAncestor(maker)) || isPlaced(operand);
              });
              return arePlaced ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

bool Sorter::dependsOn(Value condition, Operation *op) {
  auto [slice, isNew] = slices.try_emplace(condition);
  SmallVector<Value> left;
  if (isNew)
    left.push_back(condition);
  while (!left.empty()) {
    Operation *maker = left.pop_back_val().getDefiningOp();
    maker = maker ? block.findAncestorOpInBlock(*maker) : nullptr;
    if (maker && slice->second.insert(maker).second)
      maker->walk([&](Operation *each) { llvm::append_range(left, each->getOperands()); });
  }
  return slice->second.contains(op);
}

/// A condition that depends on the sizes of a result of `op` comes after `op`.
bool Sorter::hasConditions(Operation *op) {
  return llvm::all_of(predicates.of(op),
                      [&](const Predicate &each) { return isPlaced(each.condition) || dependsOn(each.condition, op); });
}

void Sorter::place(Operation *op) {
  unplaced.erase(op);
  op->moveBefore(block.getTerminator());
}

void Sorter::run() {
  if (llvm::all_of(block, [&](Operation &op) { return predicates.of(&op).empty(); }))
    return;
  SmallVector<Operation *> waiting;
  for (Operation &op : block.without_terminator())
    waiting.push_back(&op);
  unplaced.insert_range(waiting);
  // Each pass places the operations that are ready, in their order. Passes are few, because the block is sorted but for
  // the operations that wait for a condition. If two conditions each depend on sizes of the other's branch, one branch
  // has to be computed in every run.
  for (bool isStuck = false; !waiting.empty();) {
    SmallVector<Operation *> left;
    for (Operation *op : waiting)
      if (hasOperands(op) && (isStuck || hasConditions(op))) {
        place(op);
        isStuck = false;
      } else {
        left.push_back(op);
      }
    isStuck = left.size() == waiting.size();
    waiting = std::move(left);
  }
}

void cameo::task::sortWithConditions(Block &block) {
  // Uses must come after definitions before the predicates can be computed.
  sortTopologically(&block);
  Sorter(block).run();
}

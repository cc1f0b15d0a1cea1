#include "dialects/Task/Predicates.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "llvm/ADT/SetVector.h"

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

Predicates::Predicates(Block &block) : block(block) {
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
    return maker && maker->getBlock() == &block && !maker->isBeforeInBlock(&op);
  });
  if (!common->empty())
    predicates[&op] = std::move(*common);
}

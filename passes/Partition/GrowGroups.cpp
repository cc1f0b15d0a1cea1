// Decides which ops become one task. Visits the ops in the order of the block; each op joins the group of an operand if
// it may, or starts its own group. README.md says what a task may look like.

#include "passes/Partition/Grouping.h"
#include "passes/Partition/OpRole.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Remarks.h"
#include <set>

using namespace mlir;

namespace cameo::partition {
namespace {

using Kind = TaskGroup::Kind;
using Tail = TaskGroup::Tail;

// Why an op does not join the task of an operand.
constexpr StringRef usedElsewhere = "its operand has other uses",
                    otherShape = "its shape differs from that of the task before",
                    takesNoMore = "the task before takes no more operations",
                    wouldCycle = "a path through other tasks would lead back into the task before";

/// Bounds the look-ahead; no activation function is written in more ops.
constexpr unsigned maxEpilogue = 24;

/// The most rows of a product that read its right matrix where it lies. More rows read a packed copy.
constexpr int64_t mostRowsInPlace = 8;

bool keepsInnermostAxis(Operation *transpose) {
  auto perm = transpose->getAttrOfType<DenseI64ArrayAttr>("perm");
  return perm && !perm.empty() && perm.asArrayRef().back() == static_cast<int64_t>(perm.size()) - 1;
}

class GroupGrower {
public:
  GroupGrower(Block &block, bool joinsCopies) : grouping(block), joinsCopies(joinsCopies) {}

  Grouping run();

private:
  // Views that are read through
  bool canReadThrough(Operation *view, OpOperand &use) const;
  bool selectsPart(Operation *op) const;
  bool convertsStored(Operation *op) const;
  void absorbViews();

  // One op
  void place(Operation *op);
  TaskGroup &start(Kind kind, Operation *op);
  TaskGroup &start(Kind kind, ArrayRef<Dim> domain, Operation *op);
  /// Returns false: the op does not join the task of an operand. A remark names the last reason.
  bool refuse(StringRef reason);
  bool joinElementwise(Operation *op);
  bool joinAnchor(Operation *op, TaskGroup &group, Value tip);
  bool joinAnchorBefore(Operation *op);
  bool joinCopy(Operation *op);
  bool joinRow(Operation *op);
  bool joinPad(Operation *op);
  bool joinTranspose(Operation *op);

  // Questions
  bool canFollow(Operation *op, Operation *before) const;
  bool matchesDomain(Operation *op, const TaskGroup &group) const;
  bool isScoring(Operation *op, const TaskGroup &group) const;
  SmallVector<Operation *> findEpilogue(Value tip, TaskGroup &group) const;
  SmallVector<Value> findTips(Operation *op) const;

  Grouping grouping;
  const bool joinsCopies;
  DenseMap<Operation *, unsigned> depth; // longest path from an input
  StringRef refusal;                     // why the op that is placed has not joined a task
};

/// Whether the user can read the operand of `view` instead, with changed indices.
bool GroupGrower::canReadThrough(Operation *view, OpOperand &use) const {
  Operation *user = use.getOwner();
  bool isSlice = getRole(view) == OpRole::Slice;
  switch (getRole(user)) {
  case OpRole::Elementwise:
  case OpRole::Slice:
  case OpRole::Transpose:
    return true;
  case OpRole::Row:
    return isSlice || keepsInnermostAxis(view);
  case OpRole::Anchor:
    return isSlice || readsAnyPermutation(user);
  case OpRole::Concat:
    return isSlice;
  default:
    return false;
  }
}

/// Whether `op` takes a part of a table at a place that no loop changes, as the weights of one expert. Its users read
/// the table instead.
bool GroupGrower::selectsPart(Operation *op) const {
  auto gather = dyn_cast_or_null<onnx::GatherOp>(op);
  return gather && isNumber(gather.getIndices()) && llvm::all_of(op->getUsers(), [&](Operation *user) {
           bool isProduct = readsAnyPermutation(user) || isa<onnx::BlockedMatMulOp>(user);
           return isProduct ? joinsCopies : getRole(user) == OpRole::Elementwise;
         });
}

/// Whether `op` converts values that are in memory anyway; each user then converts the elements that it reads.
bool GroupGrower::convertsStored(Operation *op) const {
  if (isa<onnx::CastOp>(op)) {
    Operation *stored = op->getOperand(0).getDefiningOp();
    return (isa_and_nonnull<onnx::ConstantOp>(stored) || (joinsCopies && selectsPart(stored))) &&
           llvm::all_of(op->getUsers(), readsAnyPermutation);
  }
  if (!isa<onnx::DequantizeLinearOp>(op) || getRole(op) != OpRole::Elementwise)
    return false;
  return !op->getOperand(0).hasOneUse() &&
         llvm::all_of(op->getUsers(), [](Operation *user) { return getRole(user) == OpRole::Elementwise; });
}

void GroupGrower::absorbViews() {
  for (Operation &op : llvm::reverse(grouping.getBlock())) {
    OpRole role = getRole(&op);
    if (convertsStored(&op) || selectsPart(&op))
      grouping.absorb(&op);
    if (role != OpRole::Slice && role != OpRole::Transpose)
      continue;
    if (llvm::all_of(op.getUses(), [&](OpOperand &use) { return canReadThrough(&op, use); }))
      grouping.absorb(&op);
  }
}

bool GroupGrower::matchesDomain(Operation *op, const TaskGroup &group) const {
  onnx::DimList dims = getShape(op->getResult(0));
  ArrayRef<Dim> shape = dims, domain = group.domain;
  if (shape == domain)
    return true;
  if (group.kind != Kind::Row || shape.size() != domain.size())
    return false;
  // One value per row.
  int64_t outer = domain.size() - group.rowRank;
  return shape.take_front(outer) == domain.take_front(outer) &&
         llvm::all_of(shape.drop_front(outer), [](const Dim &dim) { return dim == 1; });
}

/// Returns the shortest sequence of elementwise ops after `tip` of which only the last result is used elsewhere; empty
/// if there is none. It has more than one op where a value is used twice and the paths join again, as in x *
/// tanh(softplus(x)).
SmallVector<Operation *> GroupGrower::findEpilogue(Value tip, TaskGroup &group) const {
  SmallVector<Operation *> epilogue;
  std::set<std::pair<unsigned, Operation *>> waiting; // users in the order of the block
  auto addUsers = [&](Value value) {
    for (Operation *user : value.getUsers())
      waiting.emplace(grouping.getPlace(user), user);
  };
  addUsers(tip);
  while (!waiting.empty() && epilogue.size() < maxEpilogue) {
    Operation *next = waiting.begin()->second;
    waiting.erase(waiting.begin());
    if (getRole(next) != OpRole::Elementwise || grouping.getGroup(next) || grouping.isAbsorbed(next) ||
        getShape(next->getResult(0)) != getShape(tip))
      return {};
    epilogue.push_back(next);
    addUsers(next->getResult(0));
    // The epilogue is closed as soon as only its last result is used elsewhere.
    bool isClosed = llvm::all_of(waiting, [&](auto &entry) {
      return llvm::none_of(entry.second->getOperands(), [&](Value operand) {
        return operand == tip ||
               (operand != next->getResult(0) && llvm::is_contained(epilogue, operand.getDefiningOp()));
      });
    });
    if (isClosed && !next->use_empty() && grouping.canUnite({&group}, epilogue))
      return epilogue;
  }
  return {};
}

bool GroupGrower::joinAnchor(Operation *op, TaskGroup &group, Value tip) {
  SmallVector<Operation *> epilogue = findEpilogue(tip, group);
  if (!llvm::is_contained(epilogue, op))
    return refuse(usedElsewhere);
  for (Operation *member : epilogue)
    grouping.add(group, member);
  return true;
}

/// Whether `op` is the Softmax of attention: its operand is a product of activations, one per head, and another such
/// product reads its result as weights. A task of all three never stores a whole matrix of scores. False where heads
/// share a factor. Of dynamic sizes only matrices of scores with as many rows as columns: others are those of decoders,
/// whose products have schedules of their own for the few rows of a step.
bool GroupGrower::isScoring(Operation *op, const TaskGroup &group) const {
  onnx::DimList domain = group.domain;
  ArrayRef<Dim> heads = ArrayRef(domain).drop_back(std::min<size_t>(domain.size(), 2));
  bool isSquare = domain.size() > 2 && domain.back() == domain[domain.size() - 2];
  auto isFactor = [&](Value value) {
    onnx::DimList shape = getShape(value);
    bool isStatic = llvm::all_of(shape, [](const Dim &dim) { return dim.isStatic(); });
    return !isa_and_nonnull<onnx::ConstantOp>(value.getDefiningOp()) && (isStatic || isSquare) &&
           shape.size() == domain.size() && ArrayRef(shape).drop_back(2) == heads;
  };
  auto isProduct = [&](Operation *other) {
    return isa<onnx::MatMulOp>(other) && llvm::all_of(other->getOperands(), isFactor);
  };
  bool hasHeads = llvm::any_of(heads, [](const Dim &dim) { return dim != 1; });
  if (!isa<onnx::SoftmaxOp>(op) || group.kind != Kind::Anchor || !hasHeads || !isProduct(group.ops.front()) ||
      !op->getOperand(0).hasOneUse())
    return false;
  for (Value value = op->getResult(0); value.hasOneUse();) {
    OpOperand &use = *value.use_begin();
    if (isProduct(use.getOwner()))
      return use.getOperandNumber() == 0;
    if (getRole(use.getOwner()) != OpRole::Elementwise || getShape(use.getOwner()->getResult(0)) != group.domain)
      return false;
    value = use.getOwner()->getResult(0);
  }
  return false;
}

/// Whether `op` can run tile by tile with `before`: a depthwise convolution or pool after a convolution, a pointwise
/// convolution after a depthwise one, or a product after its Softmax. The result of `before` is then never stored as a
/// whole plane or matrix.
bool GroupGrower::canFollow(Operation *op, Operation *before) const {
  if (isa<onnx::SoftmaxOp>(before))
    return isa<onnx::MatMulOp>(op);
  bool isDepthwise = isa<onnx::ConvOp>(before) && keepsChannelsApart(before);
  return isDepthwise ? isPointwiseConv(op) : isa<onnx::ConvOp>(before) && keepsChannelsApart(op);
}

bool GroupGrower::joinAnchorBefore(Operation *op) {
  Value value = op->getOperand(0);
  TaskGroup *group = grouping.getGroup(value);
  if (!group || group->kind != Kind::Anchor)
    return false;
  if (!value.hasOneUse())
    return refuse(usedElsewhere);
  SmallVector<Operation *> anchors;
  for (Operation *member : group->ops) {
    if (getRole(member) == OpRole::Anchor || getRole(member) == OpRole::Row)
      anchors.push_back(member);
    if (getRole(member) == OpRole::Transpose)
      return refuse(takesNoMore);
  }
  bool isChained = keepsChannelsApart(op) && anchors.size() > 1;
  if (isChained || !canFollow(op, anchors.back()))
    return refuse("it cannot run tile by tile with the product before");
  if (!grouping.canUnite({group}, {op}))
    return refuse(wouldCycle);
  onnx::DimList domain = getShape(op->getResult(0));
  grouping.add(*group, op);
  group->domain = domain;
  group->tail = Tail::Open;
  return true;
}

/// Lets a product of a few rows follow the Concat that appends rows to its right matrix, an output such as the keys of
/// a decoder. In one task the schedule can copy the matrix tile by tile, and each tile is multiplied while it is in the
/// cache.
bool GroupGrower::joinCopy(Operation *op) {
  auto product = dyn_cast<onnx::MatMulOp>(op);
  if (!joinsCopies || !product)
    return false;
  OpOperand *use = &product.getBMutable();
  SmallVector<Operation *> members = {op};
  if (auto view = use->get().getDefiningOp<onnx::TransposeOp>();
      view && grouping.isAbsorbed(view) && view->hasOneUse()) {
    use = &view->getOpOperand(0);
    members.push_back(view);
  }
  auto concat = use->get().getDefiningOp<onnx::ConcatOp>();
  TaskGroup *group = concat ? grouping.getGroup(concat.getOperation()) : nullptr;
  if (!group || group->kind != Kind::Single || group->ops.size() != 1 || concat->getNumOperands() != 2 ||
      !isa<BlockArgument>(concat->getOperand(0)))
    return false;
  bool isReturned = false;
  for (OpOperand &other : concat->getUses()) {
    bool returns = other.getOwner() == grouping.getBlock().getTerminator();
    isReturned |= returns;
    if (&other != use && !returns)
      return false;
  }
  onnx::DimList rows = getShape(product.getA()), matrix = getShape(concat.getResult());
  int64_t axis = concat.getAxis(), rank = matrix.size();
  if (!isReturned || rows.size() < 2 || (axis < 0 ? axis + rank : axis) != rank - 2)
    return false;
  const Dim &few = rows[rows.size() - 2];
  if ((few.isStatic() && few.getSize() > mostRowsInPlace) || !grouping.canUnite({group}, members))
    return false;
  grouping.add(*group, op);
  group->kind = Kind::Anchor;
  group->tail = Tail::Open;
  group->domain = getShape(op->getResult(0));
  return true;
}

/// Returns the operands that open groups compute, the best first. A residual sum could follow either branch; it follows
/// the deeper one, because the other operand is computed earlier, and because all blocks of a network then get the same
/// tasks.
SmallVector<Value> GroupGrower::findTips(Operation *op) const {
  SmallVector<Value> tips;
  for (Value operand : op->getOperands()) {
    TaskGroup *group = grouping.getGroup(operand);
    if (group && group->kind != Kind::Single && group->tail == Tail::Open && !llvm::is_contained(tips, operand))
      tips.push_back(operand);
  }
  auto rank = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return std::tuple(grouping.getGroup(value)->kind == Kind::Anchor, depth.lookup(def), grouping.getPlace(def));
  };
  llvm::sort(tips, [&](Value a, Value b) { return rank(a) > rank(b); });
  return tips;
}

bool GroupGrower::joinElementwise(Operation *op) {
  TaskGroup *joined = nullptr;
  for (Value tip : findTips(op)) {
    TaskGroup *group = grouping.getGroup(tip);
    if (group == joined)
      continue;
    if (!matchesDomain(op, joined ? *joined : *group)) {
      refuse(otherShape);
      continue;
    }
    if (group->kind == Kind::Anchor) {
      if (!joined && getShape(tip) == getShape(op->getResult(0)) && joinAnchor(op, *group, tip))
        return true;
    } else if (!joined) {
      if (grouping.canUnite({group}, {op})) {
        grouping.add(*group, op);
        joined = group;
      } else {
        refuse(wouldCycle);
      }
    } else if (joined->domain == group->domain && grouping.canUnite({joined, group}, {})) {
      // Both operands come from groups over the same shape, which become one group.
      if (group->kind == Kind::Row && joined->kind == Kind::Row && group->rowRank != joined->rowRank)
        continue;
      if (group->kind == Kind::Row) {
        joined->kind = Kind::Row;
        joined->rowRank = group->rowRank;
      }
      grouping.merge(*joined, *group);
    }
  }
  return joined != nullptr;
}

bool GroupGrower::joinRow(Operation *op) {
  TaskGroup *group = grouping.getGroup(op->getOperand(0));
  int64_t rowRank = getRowRank(op);
  if (!group)
    return false;
  if (group->tail != Tail::Open)
    return refuse(takesNoMore);
  if (getShape(op->getOperand(0)) != group->domain)
    return refuse(otherShape);
  if (isScoring(op, *group) && grouping.canUnite({group}, {op})) {
    grouping.add(*group, op);
    return true;
  }
  bool sameRows = group->kind == Kind::Elementwise || (group->kind == Kind::Row && group->rowRank == rowRank);
  if (!sameRows)
    return refuse("the task before has other rows");
  if (!grouping.canUnite({group}, {op}))
    return refuse(wouldCycle);
  grouping.add(*group, op);
  group->kind = Kind::Row;
  group->rowRank = rowRank;
  return true;
}

/// Lets the producer write into the padded buffer.
bool GroupGrower::joinPad(Operation *op) {
  Value value = op->getOperand(0);
  TaskGroup *group = grouping.getGroup(value);
  if (!group)
    return false;
  if (group->tail == Tail::Closed)
    return refuse(takesNoMore);
  if (!value.hasOneUse())
    return refuse(usedElsewhere);
  if (!grouping.canUnite({group}, {op}))
    return refuse(wouldCycle);
  grouping.add(*group, op);
  group->tail = Tail::Closed;
  return true;
}

/// Lets the producer write in the permuted order, a whole innermost line at a time.
bool GroupGrower::joinTranspose(Operation *op) {
  Value value = op->getOperand(0);
  TaskGroup *group = grouping.getGroup(value);
  if (!group)
    return false;
  if (group->tail != Tail::Open || group->kind == Kind::Single)
    return refuse(takesNoMore);
  if (!value.hasOneUse())
    return refuse(usedElsewhere);
  if (!keepsInnermostAxis(op) && group->kind != Kind::Elementwise)
    return refuse("the task before would write single elements far apart");
  if (getShape(value) != group->domain)
    return refuse(otherShape);
  if (!grouping.canUnite({group}, {op}))
    return refuse(wouldCycle);
  grouping.add(*group, op);
  group->tail = Tail::PadOnly;
  return true;
}

bool GroupGrower::refuse(StringRef reason) {
  refusal = reason;
  return false;
}

TaskGroup &GroupGrower::start(Kind kind, Operation *op) {
  return start(kind, op->getNumResults() ? getShape(op->getResult(0)) : onnx::DimList(), op);
}

TaskGroup &GroupGrower::start(Kind kind, ArrayRef<Dim> domain, Operation *op) {
  if (!refusal.empty())
    remark::missed(op->getLoc(), remark::RemarkOpts::name("fuse").category("form-tasks").function(getOpType(op)))
        << ("starts a new task: " + refusal).str();
  return grouping.create(kind, domain, op);
}

void GroupGrower::place(Operation *op) {
  if (grouping.getGroup(op) || grouping.isAbsorbed(op))
    return;
  refusal = {};
  switch (getRole(op)) {
  case OpRole::Constant:
  case OpRole::View:
  case OpRole::Prefix:
  case OpRole::Loop:
  case OpRole::Choose:
  case OpRole::Join:
  case OpRole::Update:
    return;
  case OpRole::Elementwise:
    if (!joinElementwise(op))
      start(Kind::Elementwise, op);
    return;
  case OpRole::Row:
    if (!joinRow(op)) {
      TaskGroup &group = start(Kind::Row, getShape(op->getOperand(0)), op);
      group.rowRank = getRowRank(op);
    }
    return;
  case OpRole::Anchor:
    if (!joinAnchorBefore(op) && !joinCopy(op))
      start(Kind::Anchor, op);
    return;
  case OpRole::Transpose:
    if (!joinTranspose(op))
      start(Kind::Single, op).tail = Tail::PadOnly;
    return;
  case OpRole::Slice:
  case OpRole::Concat:
    start(Kind::Single, op).tail = Tail::PadOnly;
    return;
  case OpRole::Pad:
    if (!joinPad(op))
      start(Kind::Single, op).tail = Tail::Closed;
    return;
  case OpRole::Opaque:
    // Once it knows its range, DynamicQuantizeLinear stores bytes as an elementwise op does.
    start(Kind::Single, op).tail = isa<onnx::DynamicQuantizeLinearOp>(op) ? Tail::PadOnly : Tail::Closed;
    return;
  }
}

Grouping GroupGrower::run() {
  absorbViews();
  for (Operation &op : grouping.getBlock()) {
    unsigned longest = 0;
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp())
        longest = std::max(longest, depth.lookup(def) + 1);
    depth[&op] = longest;
  }
  for (Operation &op : grouping.getBlock().without_terminator())
    place(&op);
  return std::move(grouping);
}

} // namespace

Grouping growGroups(Block &block, bool joinsCopies) { return GroupGrower(block, joinsCopies).run(); }

} // namespace cameo::partition

#include "passes/Layout/FollowLayout.h"

#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::layout {
namespace {

/// Dimensions of the operand that become dimensions of the result: both lists ascending, sizes 1 left out, equal
/// products.
struct Group {
  SmallVector<int64_t> from, to;
};

/// Empty if there is no such division, as with sizes 0.
std::optional<SmallVector<Group>> groupDimensions(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<Group> groups;
  size_t i = 0, j = 0;
  auto skipOnes = [](ArrayRef<int64_t> sizes, size_t &k) {
    while (k < sizes.size() && sizes[k] == 1)
      ++k;
  };
  while (true) {
    skipOnes(from, i);
    skipOnes(to, j);
    if (i == from.size() && j == to.size())
      return groups;
    if (i == from.size() || j == to.size())
      return std::nullopt;
    Group group{{static_cast<int64_t>(i)}, {static_cast<int64_t>(j)}};
    int64_t left = from[i++], right = to[j++];
    while (left != right) {
      bool grows = left < right;
      ArrayRef<int64_t> sizes = grows ? from : to;
      size_t &k = grows ? i : j;
      skipOnes(sizes, k);
      if (k == sizes.size() || left == 0 || right == 0)
        return std::nullopt;
      (grows ? group.from : group.to).push_back(k);
      (grows ? left : right) *= sizes[k++];
    }
    groups.push_back(std::move(group));
  }
}

/// Whether the group's dimensions are neighbours in storage, in their order; dimensions of size 1 may lie between.
bool liesTogether(const Group &group, ArrayRef<int64_t> places, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> stored(places.size(), -1); // place -> dimension
  for (auto [dim, place] : llvm::enumerate(places))
    stored[place] = dim;
  llvm::erase_if(stored, [&](int64_t dim) { return shape[dim] == 1; });
  auto first = llvm::find(stored, group.from.front());
  return std::equal(group.from.begin(), group.from.end(), first,
                    first + std::min<ptrdiff_t>(stored.end() - first, group.from.size()));
}

/// Where the dimensions of the operand must be for all groups to lie together: those of the first place first, and so
/// on.
Perm alignGroups(ArrayRef<Group> groups, ArrayRef<int64_t> places, ArrayRef<int64_t> shape) {
  Perm aligned(places.size());
  int64_t next = 0;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size == 1)
      aligned[dim] = next++;
  for (const Group &group : groups)
    for (int64_t dim : group.from)
      aligned[dim] = next++;
  return aligned;
}

bool isConstant(Value value) { return isa_and_nonnull<onnx::ConstantOp>(value.getDefiningOp()); }

/// A weight whose dimension `axis` is made of `sizes` has the parts of that dimension reordered as `places` says.
Value reorderWeight(OpBuilder &builder, Location loc, Value weight, int64_t axis, ArrayRef<int64_t> sizes,
                    ArrayRef<int64_t> places) {
  auto type = cast<RankedTensorType>(weight.getType());
  SmallVector<int64_t> shape(type.getShape().take_front(axis));
  Perm whole = llvm::to_vector(llvm::seq<int64_t>(0, axis));
  for (auto [size, place] : llvm::zip(sizes, places)) {
    shape.push_back(size);
    whole.push_back(axis + place);
  }
  for (int64_t dim = axis + 1; dim < type.getRank(); ++dim) {
    shape.push_back(type.getDimSize(dim));
    whole.push_back(whole.size());
  }
  Value split = onnx::makeReshape(builder, loc, weight, shape);
  return onnx::makeReshape(builder, loc, createPermuted(builder, loc, split, whole), type.getShape());
}

/// The axis of the constant weight that meets the last dimension of `value` in the use, or -1.
int64_t getContractedAxis(OpOperand &use) {
  Operation *user = use.getOwner();
  if (use.getOperandNumber() != 0 || user->getNumOperands() < 2 || !isConstant(user->getOperand(1)))
    return -1;
  auto gemm = dyn_cast<onnx::GemmOp>(user);
  if (gemm && !gemm.getTransA())
    return gemm.getTransB() ? 1 : 0;
  return isa<onnx::MatMulOp>(user) && cast<ShapedType>(user->getOperand(1).getType()).getRank() == 2 ? 0 : -1;
}

class ReshapeFollower {
public:
  ReshapeFollower(onnx::ReshapeOp op, PermutedValues &values, OpBuilder &builder)
      : op(op), values(values), builder(builder) {}

  LogicalResult run();

private:
  bool feedWeights();
  void restate(ArrayRef<int64_t> places);

  onnx::ReshapeOp op;
  PermutedValues &values;
  OpBuilder &builder;
  RankedTensorType from, to;
  SmallVector<Group> groups;
};

/// A flattened map that only meets constant weights: their rows take the order in which the map is stored, and nothing
/// is moved at run time.
bool ReshapeFollower::feedWeights() {
  const Permuted &entry = *values.find(op.getData());
  Value result = op.getReshaped();
  if (groups.empty() || groups.back().to.size() != 1 || groups.back().to.front() != to.getRank() - 1 ||
      result.use_empty() || !llvm::all_of(result.getUses(), [](OpOperand &use) { return getContractedAxis(use) >= 0; }))
    return false;
  // The leading dimensions must be outermost in storage, too.
  ArrayRef<int64_t> joined = groups.back().from;
  int64_t first = joined.front();
  for (int64_t dim = 0; dim < first; ++dim)
    if (entry.places[dim] != dim)
      return false;
  SmallVector<int64_t> sizes, places;
  for (int64_t dim = first; dim < from.getRank(); ++dim) {
    sizes.push_back(from.getDimSize(dim));
    places.push_back(entry.places[dim] - first);
  }
  Value flat = onnx::makeReshape(builder, op.getLoc(), entry.value, to.getShape());
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(user);
    user->setOperand(1,
                     reorderWeight(builder, op.getLoc(), user->getOperand(1), getContractedAxis(use), sizes, places));
    use.set(flat);
  }
  return true;
}

/// The reshape of the operand stored at `places`, with all groups together there.
void ReshapeFollower::restate(ArrayRef<int64_t> places) {
  Value stored = values.get(builder, op.getLoc(), op.getData(), places);
  SmallVector<const Group *> order;
  for (const Group &group : groups)
    order.push_back(&group);
  llvm::sort(order, [&](const Group *a, const Group *b) { return places[a->from.front()] < places[b->from.front()]; });

  // Dimensions of size 1 stay in front: of everything, or of the dimension they precede.
  SmallVector<int64_t> sequence;
  while (static_cast<int64_t>(sequence.size()) < to.getRank() && to.getDimSize(sequence.size()) == 1)
    sequence.push_back(sequence.size());
  auto appendWithOnes = [&](int64_t dim) {
    int64_t first = dim;
    while (first > 0 && to.getDimSize(first - 1) == 1 && !llvm::is_contained(sequence, first - 1))
      --first;
    for (int64_t d = first; d <= dim; ++d)
      sequence.push_back(d);
  };
  for (const Group *group : order)
    for (int64_t dim : group->to)
      appendWithOnes(dim);
  for (int64_t dim = 0; dim < to.getRank(); ++dim)
    if (!llvm::is_contained(sequence, dim))
      sequence.push_back(dim);

  Perm moved(to.getRank());
  SmallVector<int64_t> shape, large;
  for (auto [place, dim] : llvm::enumerate(sequence)) {
    moved[dim] = place;
    shape.push_back(to.getDimSize(dim));
    if (to.getDimSize(dim) != 1)
      large.push_back(dim);
  }
  // Only dimensions of size 1 would have to move: the order is the original one.
  if (llvm::is_sorted(large)) {
    shape.assign(to.getShape().begin(), to.getShape().end());
    moved = llvm::to_vector(llvm::seq<int64_t>(0, to.getRank()));
  }
  values.set(op.getReshaped(), {onnx::makeReshape(builder, op.getLoc(), stored, shape), moved, true});
}

LogicalResult ReshapeFollower::run() {
  const Permuted *entry = values.find(op.getData());
  from = dyn_cast<RankedTensorType>(op.getData().getType());
  to = dyn_cast<RankedTensorType>(op.getReshaped().getType());
  if (!entry || !entry->isComputed || !from || !to || !from.hasStaticShape() || !to.hasStaticShape())
    return failure();
  std::optional<SmallVector<Group>> found = groupDimensions(from.getShape(), to.getShape());
  if (!found)
    return failure();
  groups = *found;
  Perm places = entry->places;
  bool allTogether =
      llvm::all_of(groups, [&](const Group &group) { return liesTogether(group, places, from.getShape()); });
  if (!allTogether) {
    if (feedWeights())
      return success();
    llvm::sort(groups, [&](const Group &a, const Group &b) { return places[a.from.front()] < places[b.from.front()]; });
    places = alignGroups(groups, places, from.getShape());
  }
  restate(places);
  return success();
}

} // namespace

LogicalResult followReshape(Operation *reshape, PermutedValues &values, OpBuilder &builder) {
  return ReshapeFollower(cast<onnx::ReshapeOp>(reshape), values, builder).run();
}

} // namespace cameo::layout

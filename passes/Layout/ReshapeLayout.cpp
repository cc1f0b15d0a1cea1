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

/// Whether `part` times other sizes can be `whole`; nothing if that is not known.
std::optional<bool> isSmaller(const Dim &part, const Dim &whole) {
  if (part.isStatic() && whole.isStatic())
    return part.getSize() < whole.getSize();
  if (!exactDivDims(whole, part).isUnknown())
    return true;
  return exactDivDims(part, whole).isUnknown() ? std::nullopt : std::optional(false);
}

/// Empty if there is no such division, as with sizes 0.
std::optional<SmallVector<Group>> groupDimensions(ArrayRef<Dim> from, ArrayRef<Dim> to) {
  SmallVector<Group> groups;
  size_t i = 0, j = 0;
  auto skipOnes = [](ArrayRef<Dim> sizes, size_t &k) {
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
    Dim left = from[i++], right = to[j++];
    while (left != right) {
      std::optional<bool> grows = left == 0 || right == 0 ? std::nullopt : isSmaller(left, right);
      if (!grows)
        return std::nullopt;
      ArrayRef<Dim> sizes = *grows ? from : to;
      size_t &k = *grows ? i : j;
      skipOnes(sizes, k);
      if (k == sizes.size())
        return std::nullopt;
      (*grows ? group.from : group.to).push_back(k);
      Dim &product = *grows ? left : right;
      product = product * sizes[k++];
    }
    groups.push_back(std::move(group));
  }
}

/// Whether the group's dimensions are neighbours in storage, in their order; dimensions of size 1 may lie between.
bool liesTogether(const Group &group, ArrayRef<int64_t> places, ArrayRef<Dim> shape) {
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
Perm alignGroups(ArrayRef<Group> groups, ArrayRef<int64_t> places, ArrayRef<Dim> shape) {
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
  LogicalResult feedWeights();
  LogicalResult restate(ArrayRef<int64_t> places);

  onnx::ReshapeOp op;
  PermutedValues &values;
  OpBuilder &builder;
  onnx::DimList from, to;
  SmallVector<Group> groups;
};

/// A flattened map that only meets constant weights: their rows take the order in which the map is stored, and nothing
/// is moved at run time.
LogicalResult ReshapeFollower::feedWeights() {
  const Permuted &entry = *values.find(op.getData());
  Value result = op.getReshaped();
  if (groups.empty() || groups.back().to.size() != 1 || groups.back().to.front() != std::ssize(to) - 1 ||
      result.use_empty() || !llvm::all_of(result.getUses(), [](OpOperand &use) { return getContractedAxis(use) >= 0; }))
    return failure();
  // The leading dimensions must be outermost in storage, too.
  ArrayRef<int64_t> joined = groups.back().from;
  int64_t first = joined.front();
  for (int64_t dim = 0; dim < first; ++dim)
    if (entry.places[dim] != dim)
      return failure();
  SmallVector<int64_t> sizes, places;
  for (int64_t dim = first; dim < std::ssize(from); ++dim) {
    // The weight is a constant, so its rows are a number.
    sizes.push_back(from[dim].getSize());
    places.push_back(entry.places[dim] - first);
  }
  if (!onnx::canStateShape(*onnx::getDims(entry.value), to))
    return failure();
  Value flat = onnx::makeDimReshape(builder, op.getLoc(), entry.value, to);
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(user);
    user->setOperand(1,
                     reorderWeight(builder, op.getLoc(), user->getOperand(1), getContractedAxis(use), sizes, places));
    use.set(flat);
  }
  return success();
}

/// The reshape of the operand stored at `places`, with all groups together there.
LogicalResult ReshapeFollower::restate(ArrayRef<int64_t> places) {
  SmallVector<const Group *> order;
  for (const Group &group : groups)
    order.push_back(&group);
  llvm::sort(order, [&](const Group *a, const Group *b) { return places[a->from.front()] < places[b->from.front()]; });

  // Dimensions of size 1 stay in front: of everything, or of the dimension they precede.
  SmallVector<int64_t> sequence;
  while (sequence.size() < to.size() && to[sequence.size()] == 1)
    sequence.push_back(sequence.size());
  auto appendWithOnes = [&](int64_t dim) {
    int64_t first = dim;
    while (first > 0 && to[first - 1] == 1 && !llvm::is_contained(sequence, first - 1))
      --first;
    for (int64_t d = first; d <= dim; ++d)
      sequence.push_back(d);
  };
  for (const Group *group : order)
    for (int64_t dim : group->to)
      appendWithOnes(dim);
  for (int64_t dim = 0; dim < std::ssize(to); ++dim)
    if (!llvm::is_contained(sequence, dim))
      sequence.push_back(dim);

  Perm moved(to.size());
  onnx::DimList shape;
  SmallVector<int64_t> large;
  for (auto [place, dim] : llvm::enumerate(sequence)) {
    moved[dim] = place;
    shape.push_back(to[dim]);
    if (to[dim] != 1)
      large.push_back(dim);
  }
  // Only dimensions of size 1 would have to move: the order is the original one.
  if (llvm::is_sorted(large)) {
    shape = to;
    moved = llvm::to_vector(llvm::seq<int64_t>(0, to.size()));
  }
  onnx::DimList given(from.size());
  for (auto [dim, place] : llvm::zip(from, places))
    given[place] = dim;
  if (!onnx::canStateShape(given, shape))
    return failure();
  Value stored = values.get(builder, op.getLoc(), op.getData(), places);
  values.set(op.getReshaped(), {onnx::makeDimReshape(builder, op.getLoc(), stored, shape), moved, true});
  return success();
}

LogicalResult ReshapeFollower::run() {
  const Permuted *entry = values.find(op.getData());
  std::optional<onnx::DimList> given = onnx::getDims(op.getData()), wanted = onnx::getDims(op.getReshaped());
  if (!entry || !entry->isComputed || !given || !wanted)
    return failure();
  from = *given;
  to = *wanted;
  std::optional<SmallVector<Group>> found = groupDimensions(from, to);
  if (!found)
    return failure();
  groups = *found;
  Perm places = entry->places;
  bool allTogether = llvm::all_of(groups, [&](const Group &group) { return liesTogether(group, places, from); });
  if (!allTogether) {
    if (succeeded(feedWeights()))
      return success();
    llvm::sort(groups, [&](const Group &a, const Group &b) { return places[a.from.front()] < places[b.from.front()]; });
    places = alignGroups(groups, places, from);
  }
  return restate(places);
}

} // namespace

LogicalResult followReshape(Operation *reshape, PermutedValues &values, OpBuilder &builder) {
  return ReshapeFollower(cast<onnx::ReshapeOp>(reshape), values, builder).run();
}

} // namespace cameo::layout

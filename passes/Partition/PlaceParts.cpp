// --place-parts: the tasks that compute the operands of a Concat write them directly into its result.
#include "passes/Partition/OpRole.h"
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_PLACEPARTSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

/// The alignment that kernels expect of buffers in bytes, CAMEO_ALIGNMENT of the ABI.
constexpr int64_t bufferAlignment = 64;

/// Whether parts along `axis` begin at known places: sizes from the axis on are known, and those before it are named.
bool hasKnownPlaces(RankedTensorType type, int64_t axis) {
  return !ShapedType::isDynamicShape(type.getShape().drop_front(axis)) && !llvm::is_contained(type.getShape(), 0) &&
         onnx::areKnown(*onnx::getDims(type));
}

/// Whether the types state the same dimensions except for that of the axis. Dimensions of a Concat's operands are equal
/// in every run, but their expressions may differ.
bool haveSameRows(Type a, Type b, int64_t axis) {
  onnx::DimList dims = *onnx::getDims(a), otherDims = *onnx::getDims(b);
  dims.erase(dims.begin() + axis);
  otherDims.erase(otherDims.begin() + axis);
  return llvm::equal(dims, otherDims);
}

/// Whether loops compute the value. Such loops can write to any address.
bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  OpRole role = getRole(op);
  return role == OpRole::Anchor || role == OpRole::Elementwise || role == OpRole::Row;
}

/// Whether an anchor computes the value, perhaps followed by elementwise ops.
bool endsAnchor(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && getRole(op) == OpRole::Elementwise && op->getOperand(0).hasOneUse())
    op = op->getOperand(0).getDefiningOp();
  return op && getRole(op) == OpRole::Anchor;
}

/// Whether the op loses nothing when it reads `operand` as a slice of a larger tensor. Elementwise and Row ops would be
/// fused with the op that computes `operand`, unless that is an anchor, which takes an epilogue only if it has no other
/// users.
bool readsParts(Operation *op, Value operand) {
  OpRole role = getRole(op);
  bool isLoose = role == OpRole::Elementwise || role == OpRole::Row;
  return role == OpRole::Anchor || role == OpRole::Concat || (isLoose && endsAnchor(operand));
}

/// Whether the value is a result of the function. The caller provides its buffer, in which parts cannot be placed.
bool isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() || (getRole(user) == OpRole::View && isReturned(user->getResult(0)));
  });
}

/// The range that a value takes in a larger tensor along an axis.
struct PartRange {
  Operation *whole; ///< the task.join of all parts
  int64_t axis, begin, end;
  SmallVector<Value> placed; ///< the task.place operands of `whole` in this range, in order
  SmallVector<int64_t> offsets;
};

class PartPlacer {
public:
  explicit PartPlacer(MLIRContext *context) : builder(context) {}

  /// Replaces `concat` if that is worthwhile. Must be called for the last Concat first, because the result of an
  /// earlier one may be a range of the result of a later one.
  void run(onnx::ConcatOp concat);

private:
  bool isWorthwhile(onnx::ConcatOp concat, int64_t axis, ArrayRef<int64_t> begins) const;
  bool canPlace(Value part, onnx::ConcatOp concat, int64_t axis) const;
  void place(onnx::ConcatOp concat, int64_t axis, ArrayRef<int64_t> begins);
  bool joinRanges(onnx::ConcatOp concat, int64_t axis);
  Value createSlice(Location loc, const PartRange &range, Type type);

  OpBuilder builder;
  DenseMap<Value, PartRange> ranges; ///< by the slice that reads the range
};

/// Whether all other users of the part can read it as a slice of the result. Otherwise the part is copied.
bool PartPlacer::canPlace(Value part, onnx::ConcatOp concat, int64_t axis) const {
  bool isSlice = haveSameRows(part.getType(), concat.getResult().getType(), axis);
  return (isSlice || part.hasOneUse()) &&
         llvm::all_of(part.getUsers(), [&](Operation *user) { return user == concat || readsParts(user, part); });
}

/// Whether loops compute all parts, each part begins at a known and aligned offset, and at least half of the bytes are
/// no longer copied.
bool PartPlacer::isWorthwhile(onnx::ConcatOp concat, int64_t axis, ArrayRef<int64_t> begins) const {
  Value result = concat.getResult();
  auto type = cast<RankedTensorType>(result.getType());
  auto isPlain = [&](Value value) {
    auto part = dyn_cast<RankedTensorType>(value.getType());
    return part && part.getElementType().isIntOrFloat() && hasKnownPlaces(part, axis) &&
           llvm::all_of_zip(part.getShape(), type.getShape(), [](int64_t size, int64_t whole) {
             return ShapedType::isDynamic(size) == ShapedType::isDynamic(whole);
           });
  };
  bool isPadded = llvm::all_of(concat->getUsers(), [](Operation *user) { return getRole(user) == OpRole::Pad; });
  if (concat->getNumOperands() < 2 || !isPlain(result) || isPadded || isReturned(result) ||
      !llvm::all_of(concat->getOperands(), [&](Value part) { return isPlain(part) && isComputed(part); }))
    return false;
  int64_t stepBytes =
      task::getElementBytes(type.getElementType()) * ShapedType::getNumElements(type.getShape().drop_front(axis + 1));
  int64_t saved = 0;
  llvm::SmallDenseSet<Value> parts;
  for (Value part : concat->getOperands()) {
    saved += canPlace(part, concat, axis) ? cast<RankedTensorType>(part.getType()).getDimSize(axis) : 0;
    parts.insert(part);
  }
  return parts.size() == concat->getNumOperands() && 2 * saved >= type.getDimSize(axis) &&
         llvm::all_of(begins, [&](int64_t begin) { return begin * stepBytes % bufferAlignment == 0; });
}

/// Creates a slice that reads `range` of its whole tensor.
Value PartPlacer::createSlice(Location loc, const PartRange &range, Type type) {
  Value whole = task::JoinOp::create(builder, loc, range.whole->getResult(0).getType(), range.placed, range.offsets);
  SmallVector<Value> operands = {whole};
  for (int64_t bound : {range.begin, range.end, range.axis})
    operands.push_back(onnx::makeIntsConstant(builder, loc, bound));
  operands.push_back(onnx::makeNone(builder, loc));
  Value slice = onnx::SliceOp::create(builder, loc, TypeRange(type), operands, ArrayRef<NamedAttribute>());
  ranges[slice] = range;
  return slice;
}

void PartPlacer::place(onnx::ConcatOp concat, int64_t axis, ArrayRef<int64_t> begins) {
  auto type = cast<RankedTensorType>(concat.getResult().getType());
  int64_t step = ShapedType::getNumElements(type.getShape().drop_front(axis + 1));
  SmallVector<Value> placed, read;
  SmallVector<int64_t> offsets;
  for (auto [part, begin] : llvm::zip_equal(concat->getOperands(), begins)) {
    if (!part.hasOneUse() && canPlace(part, concat, axis))
      read.push_back(part);
    builder.setInsertionPointAfterValue(part);
    placed.push_back(task::PlaceOp::create(builder, part.getLoc(), type, part));
    offsets.push_back(begin * step);
  }
  builder.setInsertionPoint(concat);
  auto whole = task::JoinOp::create(builder, concat.getLoc(), type, placed, offsets);
  for (auto [number, part] : llvm::enumerate(SmallVector<Value>(concat->getOperands()))) {
    if (!llvm::is_contained(read, part))
      continue;
    int64_t extent = cast<RankedTensorType>(part.getType()).getDimSize(axis);
    builder.setInsertionPointAfterValue(placed[number]);
    PartRange range{whole, axis, begins[number], begins[number] + extent, {placed[number]}, {offsets[number]}};
    Value slice = createSlice(part.getLoc(), range, part.getType());
    part.replaceUsesWithIf(
        slice, [&](OpOperand &use) { return use.getOwner() != concat && !isa<task::PlaceOp>(use.getOwner()); });
  }
  concat.getResult().replaceAllUsesWith(whole);
  concat.erase();
}

/// Replaces a Concat of adjacent ranges of one tensor by one slice. Returns false if they are not adjacent.
bool PartPlacer::joinRanges(onnx::ConcatOp concat, int64_t axis) {
  auto first = ranges.find(concat->getOperand(0));
  if (first == ranges.end())
    return false;
  PartRange all = first->second;
  for (Value part : concat->getOperands().drop_front()) {
    auto next = ranges.find(part);
    if (next == ranges.end() || next->second.whole != all.whole || next->second.begin != all.end)
      return false;
    all.end = next->second.end;
    llvm::append_range(all.placed, next->second.placed);
    llvm::append_range(all.offsets, next->second.offsets);
  }
  if (all.axis != axis || !haveSameRows(concat.getResult().getType(), all.whole->getResult(0).getType(), axis))
    return false;
  builder.setInsertionPoint(concat);
  concat.getResult().replaceAllUsesWith(createSlice(concat.getLoc(), all, concat.getResult().getType()));
  concat.erase();
  return true;
}

void PartPlacer::run(onnx::ConcatOp concat) {
  auto type = dyn_cast<RankedTensorType>(concat.getResult().getType());
  if (!type)
    return;
  int64_t axis = concat.getAxis() < 0 ? concat.getAxis() + type.getRank() : concat.getAxis(), next = 0;
  if (!llvm::all_of(concat->getOperandTypes(), [&](Type part) {
        auto ranked = dyn_cast<RankedTensorType>(part);
        return ranked && !ranked.isDynamicDim(axis);
      }))
    return;
  SmallVector<int64_t> begins;
  for (Value part : concat->getOperands()) {
    begins.push_back(next);
    next += cast<RankedTensorType>(part.getType()).getDimSize(axis);
  }
  if (!joinRanges(concat, axis) && isWorthwhile(concat, axis, begins))
    place(concat, axis, begins);
}

struct PlacePartsPass : impl::PlacePartsPassBase<PlacePartsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // Values that a loop carries have buffers of their own.
    if (!function.getBody().hasOneBlock() || !function.getOps<task::LoopOp>().empty() ||
        function->hasAttr(task::TaskDialect::getBodyName()))
      return;
    PartPlacer placer(&getContext());
    SmallVector<onnx::ConcatOp> concats(function.getOps<onnx::ConcatOp>());
    for (onnx::ConcatOp concat : llvm::reverse(concats))
      placer.run(concat);
  }
};

} // namespace
} // namespace cameo

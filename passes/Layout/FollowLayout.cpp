#include "passes/Layout/FollowLayout.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::layout {
namespace {

using Ints = SmallVector<int64_t>;

class LayoutFollower {
public:
  LayoutFollower(Operation *op, ArrayRef<int64_t> places, PermutedValues &values, OpBuilder &builder)
      : op(op), places(places), values(values), builder(builder), rank(places.size()) {}

  LogicalResult run();

private:
  std::optional<Ints> readInts(unsigned operand) const { return onnx::getConstantInts(op->getOperand(operand)); }
  bool isAbsent(unsigned operand) const {
    return operand >= op->getNumOperands() || isa<NoneType>(op->getOperand(operand).getType());
  }
  int64_t fromFront(int64_t axis) const { return axis < 0 ? axis + rank : axis; }
  Value ints(ArrayRef<int64_t> numbers) { return onnx::makeIntsConstant(builder, op->getLoc(), numbers); }
  Value stored(unsigned operand) { return values.get(builder, op->getLoc(), op->getOperand(operand), places); }

  bool canBroadcast(Value operand) const;
  Value broadcast(Value operand);
  void recreate(ArrayRef<Value> operands, std::optional<int64_t> axis = std::nullopt);

  LogicalResult followElementwise();
  LogicalResult followConcat(onnx::ConcatOp concat);
  LogicalResult followSlice();
  LogicalResult followPad(onnx::PadOp pad);
  LogicalResult followReduction();
  LogicalResult followFullSizes();
  LogicalResult followAxis();
  LogicalResult followQuantization();

  Operation *op;
  ArrayRef<int64_t> places;
  PermutedValues &values;
  OpBuilder &builder;
  int64_t rank;
};

bool isSingleNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isa<NoneType>(value.getType()) || (type && type.hasStaticShape() && type.getNumElements() == 1);
}

/// Operands of lower rank need known sizes to be written with all dimensions.
bool LayoutFollower::canBroadcast(Value operand) const {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return isSingleNumber(operand) ||
         (type && (type.getRank() == rank || (type.getRank() < rank && type.hasStaticShape())));
}

Value LayoutFollower::broadcast(Value operand) {
  if (isSingleNumber(operand))
    return values.getOriginal(builder, op->getLoc(), operand);
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getRank() == rank)
    return values.get(builder, op->getLoc(), operand, places);
  Ints shape(rank - type.getRank(), 1);
  llvm::append_range(shape, type.getShape());
  Value original = values.getOriginal(builder, op->getLoc(), operand);
  return createPermuted(builder, op->getLoc(), onnx::makeReshape(builder, op->getLoc(), original, shape), places);
}

void LayoutFollower::recreate(ArrayRef<Value> operands, std::optional<int64_t> axis) {
  Operation *moved = builder.clone(*op);
  moved->setOperands(operands);
  moved->getResult(0).setType(permuteType(cast<RankedTensorType>(op->getResult(0).getType()), places));
  if (axis)
    moved->setAttr("axis", builder.getI64IntegerAttr(*axis));
  values.set(op->getResult(0), {moved->getResult(0), Perm(places), true});
  // Those of DynamicQuantizeLinear are numbers.
  op->getResults().drop_front().replaceAllUsesWith(moved->getResults().drop_front());
}

LogicalResult LayoutFollower::followElementwise() {
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return canBroadcast(operand); }))
    return failure();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(broadcast(operand));
  recreate(operands);
  return success();
}

LogicalResult LayoutFollower::followConcat(onnx::ConcatOp concat) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(stored(i));
  recreate(operands, places[fromFront(concat.getAxis())]);
  return success();
}

LogicalResult LayoutFollower::followSlice() {
  std::optional<Ints> starts = readInts(1), ends = readInts(2), axes = isAbsent(3) ? Ints() : readInts(3);
  std::optional<Ints> steps = isAbsent(4) ? Ints() : readInts(4);
  if (!starts || !ends || !axes || !steps)
    return failure();
  if (isAbsent(3))
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts->size()));
  for (int64_t &axis : *axes)
    axis = places[fromFront(axis)];
  if (isAbsent(4))
    steps->assign(starts->size(), 1);
  // All anew: bounds that were of 32 bits go with axes of 32 bits alone.
  recreate({stored(0), ints(*starts), ints(*ends), ints(*axes), ints(*steps)});
  return success();
}

LogicalResult LayoutFollower::followPad(onnx::PadOp pad) {
  std::optional<Ints> pads = readInts(1);
  if (!pads || !isAbsent(3) || static_cast<int64_t>(pads->size()) != 2 * rank)
    return failure();
  Ints moved = permuteSizes(ArrayRef(*pads).take_front(rank), places);
  llvm::append_range(moved, permuteSizes(ArrayRef(*pads).drop_front(rank), places));
  SmallVector<Value> operands(op->getOperands());
  operands[0] = stored(0);
  operands[1] = ints(moved);
  recreate(operands);
  return success();
}

LogicalResult LayoutFollower::followReduction() {
  auto keepDims = op->getAttrOfType<IntegerAttr>("keepdims");
  std::optional<Ints> axes = isAbsent(1) ? std::nullopt : readInts(1);
  if (!keepDims || keepDims.getInt() == 0 || !axes || axes->empty())
    return failure();
  for (int64_t &axis : *axes)
    axis = places[fromFront(axis)];
  llvm::sort(*axes);
  recreate({stored(0), ints(*axes)});
  return success();
}

/// Expand, Tile: one number per dimension.
LogicalResult LayoutFollower::followFullSizes() {
  std::optional<Ints> sizes = readInts(1);
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  if (!sizes || static_cast<int64_t>(sizes->size()) != rank || type.getRank() != rank)
    return failure();
  recreate({stored(0), ints(permuteSizes(*sizes, places))});
  return success();
}

/// Softmax, ArgMax with its dimension kept, ...: one operand, one axis.
LogicalResult LayoutFollower::followAxis() {
  auto axis = op->getAttrOfType<IntegerAttr>("axis");
  auto keepDims = op->getAttrOfType<IntegerAttr>("keepdims");
  if (!axis || (keepDims && keepDims.getInt() == 0))
    return failure();
  recreate(stored(0), places[fromFront(axis.getInt())]);
  return success();
}

LogicalResult LayoutFollower::followQuantization() {
  auto blockSize = op->getAttrOfType<IntegerAttr>("block_size");
  if (blockSize && blockSize.getInt() != 0)
    return failure();
  SmallVector<Value> operands(op->getOperands());
  operands[0] = stored(0);
  int64_t axis = fromFront(op->getAttrOfType<IntegerAttr>("axis").getInt());
  recreate(operands, axis >= 0 && axis < rank ? places[axis] : axis);
  return success();
}

LogicalResult LayoutFollower::run() {
  if (isa<onnx::CastLikeOp>(op)) {
    recreate({stored(0), values.getOriginal(builder, op->getLoc(), op->getOperand(1))});
    return success();
  }
  if (op->hasTrait<onnx::PointwiseOnnxOp>())
    return followElementwise();
  if (auto concat = dyn_cast<onnx::ConcatOp>(op))
    return followConcat(concat);
  if (isa<onnx::SliceOp>(op))
    return followSlice();
  if (auto pad = dyn_cast<onnx::PadOp>(op))
    return followPad(pad);
  if (op->getName().getStringRef().starts_with("onnx.Reduce"))
    return followReduction();
  if (isa<onnx::ExpandOp, onnx::TileOp>(op))
    return followFullSizes();
  if (isa<onnx::SoftmaxOp, onnx::LogSoftmaxOp, onnx::HardmaxOp, onnx::ArgMaxOp, onnx::ArgMinOp,
          onnx::LpNormalizationOp>(op))
    return followAxis();
  if (isa<onnx::QuantizeLinearOp, onnx::DequantizeLinearOp>(op))
    return followQuantization();
  if (isa<onnx::DynamicQuantizeLinearOp>(op)) {
    recreate(stored(0));
    return success();
  }
  return failure();
}

} // namespace

LogicalResult followLayout(Operation *op, ArrayRef<int64_t> places, PermutedValues &values, OpBuilder &builder) {
  // The copy outlives changes of the entry that `places` may belong to.
  Perm kept(places);
  auto type = op->getNumResults() > 0 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  if (!type || type.getRank() != static_cast<int64_t>(kept.size()))
    return failure();
  return LayoutFollower(op, kept, values, builder).run();
}

} // namespace cameo::layout

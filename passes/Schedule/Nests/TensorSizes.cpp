#include "passes/Schedule/Nests/TensorSizes.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using cameo::Dim;

namespace cameo::schedule {

SmallVector<Dim> dimsOf(Type type, Attribute attribute) {
  return SmallVector<Dim>(onnx::getDims(cast<RankedTensorType>(type), dyn_cast_or_null<onnx::DimsAttr>(attribute)));
}

Dim evaluateIndex(OpFoldResult index, llvm::function_ref<Dim(Value, int64_t)> dimOf) {
  if (std::optional<int64_t> known = getConstantIntValue(index))
    return *known;
  Operation *op = cast<Value>(index).getDefiningOp();
  auto operand = [&](unsigned number) { return evaluateIndex(op->getOperand(number), dimOf); };
  if (auto named = dyn_cast_or_null<task::SizeOp>(op))
    return named.getExpression();
  if (isa_and_present<arith::AddIOp>(op))
    return operand(0) + operand(1);
  if (isa_and_present<arith::SubIOp>(op))
    return operand(0) - operand(1);
  if (isa_and_present<arith::MulIOp>(op))
    return operand(0) * operand(1);
  if (auto dim = dyn_cast_or_null<ShapedDimOpInterface>(op))
    if (std::optional<int64_t> number = getConstantIntValue(dim.getDimension()))
      return dimOf(dim.getShapedValue(), *number);
  return Dim::unknown();
}

Size sizeOf(OpFoldResult index) {
  return Size(evaluateIndex(index, [](Value tensor, int64_t number) { return shapeOf(tensor)[number].exact(); }));
}

SmallVector<Size> sizesOf(ArrayRef<OpFoldResult> indices) {
  return llvm::map_to_vector(indices, [](OpFoldResult index) { return sizeOf(index); });
}

static SmallVector<Size> paddedShape(tensor::PadOp pad) {
  SmallVector<Size> shape = shapeOf(pad.getSource());
  for (auto [size, low, high] : llvm::zip_equal(shape, pad.getMixedLowPad(), pad.getMixedHighPad()))
    size += sizeOf(low) + sizeOf(high);
  return shape;
}

static SmallVector<Size> slicedShape(tensor::ExtractSliceOp slice) {
  SmallVector<Size> shape;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
    if (!dropped.test(dim))
      shape.push_back(sizeOf(size));
  return shape;
}

static SmallVector<Size> collapsedShape(tensor::CollapseShapeOp collapse) {
  SmallVector<Size> source = shapeOf(collapse.getSrc()), shape;
  for (const auto &group : collapse.getReassociationIndices()) {
    Size product = 1;
    for (int64_t dim : group)
      product *= source[dim];
    shape.push_back(product);
  }
  return shape;
}

static SmallVector<Size> argumentShape(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return shapeOf(loop.getTiedLoopInit(argument)->get());
  Attribute names;
  if (auto def = dyn_cast<task::DefOp>(parent))
    names = def.getArgAttr(argument.getArgNumber(), task::TaskDialect::getDimsName());
  return llvm::map_to_vector(dimsOf(argument.getType(), names), [](const Dim &dim) { return Size(dim); });
}

SmallVector<Size> shapeOf(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.hasStaticShape())
    return llvm::map_to_vector(type.getShape(), [](int64_t size) { return Size(size); });
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return argumentShape(argument);
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  return llvm::TypeSwitch<Operation *, SmallVector<Size>>(tensor.getDefiningOp())
      .Case([](tensor::EmptyOp op) { return sizesOf(op.getMixedSizes()); })
      .Case([](tensor::PadOp op) { return paddedShape(op); })
      .Case([](tensor::ExtractSliceOp op) { return slicedShape(op); })
      .Case([](tensor::InsertSliceOp op) { return shapeOf(op.getDest()); })
      .Case([](tensor::ExpandShapeOp op) { return sizesOf(op.getMixedOutputShape()); })
      .Case([](tensor::CollapseShapeOp op) { return collapsedShape(op); })
      .Case([](tensor::CastOp op) { return shapeOf(op.getSource()); })
      .Case([&](scf::ForOp op) { return shapeOf(op.getInitArgs()[number]); })
      .Case([&](DestinationStyleOpInterface op) { return shapeOf(op.getDpsInitOperand(number)->get()); })
      .Default([&](Operation *) { return SmallVector<Size>(type.getRank(), Size(Dim::unknown())); });
}

Value createSize(OpBuilder &builder, Location loc, const Size &size) {
  if (DimExprAttr expression = size.getExpression())
    return task::SizeOp::create(builder, loc, builder.getIndexType(), expression);
  return arith::ConstantIndexOp::create(builder, loc, size);
}

SmallVector<Size> loopSizesOf(linalg::GenericOp op) {
  SmallVector<Size> sizes(op.getNumLoops(), Size(Dim::unknown()));
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Size> shape = shapeOf(operand.get());
    for (auto [position, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && sizes[dim.getPosition()].isUnknown())
        sizes[dim.getPosition()] = shape[position];
  }
  return sizes;
}

} // namespace cameo::schedule

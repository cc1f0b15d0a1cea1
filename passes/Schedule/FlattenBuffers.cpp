#include "passes/Schedule/FlattenBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace cameo::schedule {

MemRefType flatBufferType(ShapedType type) {
  Type element = type.getElementType();
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  return MemRefType::get({type.getNumElements()}, element);
}

namespace {

/// A memref as a part of a flat buffer.
struct Part {
  Value buffer;
  OpFoldResult offset;
  SmallVector<int64_t> strides;
};

SmallVector<int64_t> denseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

class Flattener {
public:
  explicit Flattener(func::FuncOp kernel) : kernel(kernel), builder(kernel.getContext()) {}

  FailureOr<SmallVector<MemRefType>> run();

private:
  FailureOr<Part> resolve(Value memref);
  FailureOr<Part> resolveSubview(memref::SubViewOp op);
  FailureOr<Part> resolveReshape(Operation *op);
  Part addScratch(memref::AllocOp op);
  OpFoldResult addScaled(OpFoldResult sum, OpFoldResult index, int64_t stride);
  FailureOr<Value> address(Location loc, Value memref, ValueRange indices, Part &part);
  LogicalResult rewriteLoad(memref::LoadOp op);
  LogicalResult rewriteStore(memref::StoreOp op);
  Value asValue(Location loc, OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }

  func::FuncOp kernel;
  OpBuilder builder;
  DenseMap<Value, Part> parts;
  SmallVector<MemRefType> scratch;
};

OpFoldResult Flattener::addScaled(OpFoldResult sum, OpFoldResult index, int64_t stride) {
  std::optional<int64_t> knownSum = getConstantIntValue(sum), knownIndex = getConstantIntValue(index);
  if (knownIndex && knownSum)
    return builder.getIndexAttr(*knownSum + *knownIndex * stride);
  Location loc = kernel.getLoc();
  Value scaled = asValue(loc, index);
  if (stride != 1)
    scaled = arith::MulIOp::create(builder, loc, scaled, asValue(loc, builder.getIndexAttr(stride)));
  if (knownSum == 0)
    return scaled;
  return arith::AddIOp::create(builder, loc, scaled, asValue(loc, sum)).getResult();
}

Part Flattener::addScratch(memref::AllocOp op) {
  // Memory of no bytes has no place.
  MemRefType flat = flatBufferType(op.getType());
  if (flat.getNumElements() == 0)
    flat = MemRefType::get({1}, flat.getElementType());
  scratch.push_back(flat);
  Block &entry = kernel.getBody().front();
  Value buffer = entry.insertArgument(entry.getNumArguments() - 2, flat, op.getLoc());
  return {buffer, builder.getIndexAttr(0), denseStrides(op.getType().getShape())};
}

FailureOr<Part> Flattener::resolveSubview(memref::SubViewOp op) {
  FailureOr<Part> source = resolve(op.getSource());
  if (failed(source))
    return failure();
  builder.setInsertionPoint(op);
  Part part{source->buffer, source->offset, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    part.offset = addScaled(part.offset, offset, source->strides[dim]);
    if (!dropped.test(dim))
      part.strides.push_back(source->strides[dim] * op.getStaticStrides()[dim]);
  }
  return part;
}

/// A dimension that is split, or joined from others, keeps the stride of its innermost part.
FailureOr<Part> Flattener::resolveReshape(Operation *op) {
  FailureOr<Part> source = resolve(op->getOperand(0));
  if (failed(source))
    return failure();
  Part part{source->buffer, source->offset, {}};
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    part.strides.resize(expand.getResultType().getRank());
    for (auto [number, group] : llvm::enumerate(expand.getReassociationIndices())) {
      int64_t stride = source->strides[number];
      for (int64_t dim : llvm::reverse(group)) {
        part.strides[dim] = stride;
        stride *= expand.getResultType().getDimSize(dim);
      }
    }
    // Unit dimensions made from none.
    return part;
  }
  auto collapse = cast<memref::CollapseShapeOp>(op);
  for (const auto &group : collapse.getReassociationIndices()) {
    int64_t stride = 1;
    for (int64_t dim : llvm::reverse(group))
      if (collapse.getSrcType().getDimSize(dim) != 1) {
        stride = source->strides[dim];
        break;
      }
    part.strides.push_back(stride);
  }
  return part;
}

FailureOr<Part> Flattener::resolve(Value memref) {
  if (auto it = parts.find(memref); it != parts.end())
    return it->second;
  Operation *op = memref.getDefiningOp();
  FailureOr<Part> part = failure();
  if (auto mark = dyn_cast_or_null<UnrealizedConversionCastOp>(op))
    part = Part{mark.getOperand(0), builder.getIndexAttr(0), denseStrides(cast<MemRefType>(memref.getType()).getShape())};
  else if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    part = addScratch(alloc);
  else if (auto subview = dyn_cast_or_null<memref::SubViewOp>(op))
    part = resolveSubview(subview);
  else if (isa_and_present<memref::ExpandShapeOp, memref::CollapseShapeOp>(op))
    part = resolveReshape(op);
  else if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    part = resolve(cast.getSource());
  if (succeeded(part))
    parts[memref] = *part;
  return part;
}

FailureOr<Value> Flattener::address(Location loc, Value memref, ValueRange indices, Part &part) {
  FailureOr<Part> resolved = resolve(memref);
  if (failed(resolved)) {
    emitError(loc) << "naive emission does not understand a memory access";
    return failure();
  }
  part = *resolved;
  OpFoldResult sum = part.offset;
  for (auto [index, stride] : llvm::zip_equal(indices, part.strides))
    sum = addScaled(sum, getAsOpFoldResult(index), stride);
  return asValue(loc, sum);
}

LogicalResult Flattener::rewriteLoad(memref::LoadOp op) {
  Part part;
  builder.setInsertionPoint(op);
  // Views are resolved where they are; the insertion point comes back after that.
  if (failed(resolve(op.getMemRef())))
    return op.emitError("naive emission does not understand this read");
  builder.setInsertionPoint(op);
  FailureOr<Value> at = address(op.getLoc(), op.getMemRef(), op.getIndices(), part);
  if (failed(at))
    return failure();
  Value value = memref::LoadOp::create(builder, op.getLoc(), part.buffer, *at);
  if (value.getType() != op.getType()) {
    Value zero = arith::ConstantOp::create(builder, op.getLoc(), builder.getZeroAttr(value.getType()));
    value = arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::ne, value, zero);
  }
  op.replaceAllUsesWith(value);
  op.erase();
  return success();
}

LogicalResult Flattener::rewriteStore(memref::StoreOp op) {
  Part part;
  if (failed(resolve(op.getMemRef())))
    return op.emitError("naive emission does not understand this write");
  builder.setInsertionPoint(op);
  FailureOr<Value> at = address(op.getLoc(), op.getMemRef(), op.getIndices(), part);
  if (failed(at))
    return failure();
  Value value = op.getValueToStore();
  Type element = cast<MemRefType>(part.buffer.getType()).getElementType();
  if (value.getType() != element)
    value = arith::ExtUIOp::create(builder, op.getLoc(), element, value);
  memref::StoreOp::create(builder, op.getLoc(), value, part.buffer, *at);
  op.erase();
  return success();
}

FailureOr<SmallVector<MemRefType>> Flattener::run() {
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      accesses.push_back(op);
  });
  for (Operation *op : accesses) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (failed(load ? rewriteLoad(load) : rewriteStore(cast<memref::StoreOp>(op))))
      return failure();
  }
  // What is left of the views has no users, the last ones first.
  SmallVector<Operation *> views;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isView = llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
    if (isView && !isa<memref::GetGlobalOp>(op))
      views.push_back(op);
  });
  for (Operation *op : llvm::reverse(views)) {
    if (!op->use_empty()) {
      op->emitError("naive emission does not understand a use of this memory");
      return failure();
    }
    op->erase();
  }
  return scratch;
}

} // namespace

FailureOr<SmallVector<MemRefType>> flattenBuffers(func::FuncOp kernel) { return Flattener(kernel).run(); }

} // namespace cameo::schedule

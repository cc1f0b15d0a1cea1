#include "passes/Schedule/Naive/FlattenBuffers.h"

#include "passes/Schedule/Emission/Shared/BufferForm.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using cameo::Dim;

namespace cameo::schedule {

Value markBuffer(OpBuilder &builder, Location loc, Value buffer, ArrayRef<Dim> dims, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> operands = {buffer};
  for (const Dim &dim : dims) {
    shape.push_back(dim.getSize());
    if (!dim.isStatic())
      operands.push_back(task::SizeOp::create(builder, loc, builder.getIndexType(), dim.getExpr()));
  }
  return UnrealizedConversionCastOp::create(builder, loc, MemRefType::get(shape, element), operands).getResult(0);
}

namespace {

/// A memref as a strided part of a flat buffer.
struct Part {
  Value buffer;
  OpFoldResult offset;
  SmallVector<Dim> sizes, strides;
};

SmallVector<Dim> denseStrides(ArrayRef<Dim> shape) {
  SmallVector<Dim> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

class Flattener {
public:
  explicit Flattener(func::FuncOp kernel) : kernel(kernel), builder(kernel.getContext()) {}

  FailureOr<SmallVector<Scratch>> run();

private:
  Dim evaluate(OpFoldResult size);
  SmallVector<Dim> evaluateSizes(ArrayRef<int64_t> shape, ValueRange dynamic);
  FailureOr<Part> resolve(Value memref);
  FailureOr<Part> resolveMark(UnrealizedConversionCastOp op);
  FailureOr<Part> resolveSubview(memref::SubViewOp op);
  FailureOr<Part> resolveExpansion(memref::ExpandShapeOp op);
  FailureOr<Part> resolveCollapse(memref::CollapseShapeOp op);
  FailureOr<Part> addScratch(memref::AllocOp op);
  OpFoldResult addScaled(OpFoldResult sum, OpFoldResult index, const Dim &stride);
  FailureOr<Value> address(Location loc, Value memref, ValueRange indices, Part &part);
  LogicalResult rewriteLoad(memref::LoadOp op);
  LogicalResult rewriteStore(memref::StoreOp op);
  LogicalResult rewriteDim(memref::DimOp op);
  LogicalResult eraseViews();
  Value asValue(Location loc, OpFoldResult value) { return getValueOrCreateConstantIndexOp(builder, loc, value); }
  Value sizeValue(Location loc, const Dim &dim);

  func::FuncOp kernel;
  OpBuilder builder;
  DenseMap<Value, Part> parts;
  DenseMap<Attribute, Value> sizes;
  SmallVector<Scratch> scratch;
};

/// Returns the value of a size at run time.
Dim Flattener::evaluate(OpFoldResult size) {
  return evaluateIndex(size, [&](Value memref, int64_t number) {
    FailureOr<Part> part = resolve(memref);
    return succeeded(part) ? part->sizes[number] : Dim::unknown();
  });
}

SmallVector<Dim> Flattener::evaluateSizes(ArrayRef<int64_t> shape, ValueRange dynamic) {
  SmallVector<Dim> dims;
  for (int64_t size : shape) {
    dims.push_back(ShapedType::isDynamic(size) ? evaluate(dynamic.front()) : Dim(size));
    dynamic = dynamic.drop_front(ShapedType::isDynamic(size));
  }
  return dims;
}

Value Flattener::sizeValue(Location loc, const Dim &dim) {
  if (dim.isStatic())
    return asValue(loc, builder.getIndexAttr(dim.getSize()));
  // Created once, at the begin of the kernel, so that it dominates all uses.
  Value &size = sizes[dim.getExpr()];
  if (!size) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&kernel.getBody().front());
    size = task::SizeOp::create(builder, loc, builder.getIndexType(), dim.getExpr());
  }
  return size;
}

OpFoldResult Flattener::addScaled(OpFoldResult sum, OpFoldResult index, const Dim &stride) {
  std::optional<int64_t> knownSum = getConstantIntValue(sum), knownIndex = getConstantIntValue(index);
  if (knownIndex && (stride.isStatic() || *knownIndex == 0)) {
    if (*knownIndex == 0)
      return sum;
    if (knownSum)
      return builder.getIndexAttr(*knownSum + *knownIndex * stride.getSize());
  }
  Location loc = kernel.getLoc();
  Value scaled = asValue(loc, index);
  if (stride != 1)
    scaled = arith::MulIOp::create(builder, loc, scaled, sizeValue(loc, stride));
  if (knownSum == 0)
    return scaled;
  return arith::AddIOp::create(builder, loc, scaled, asValue(loc, sum)).getResult();
}

FailureOr<Part> Flattener::addScratch(memref::AllocOp op) {
  SmallVector<Dim> dims = evaluateSizes(op.getType().getShape(), op.getDynamicSizes());
  Dim elements = productOf(dims);
  if (elements.isUnknown())
    return op.emitError("naive emission does not support the size of this memref");
  MemRefType flat = flatBufferType(Size(elements), op.getType().getElementType());
  if (elements == 0) // an empty allocation has no address
    flat = MemRefType::get({1}, flat.getElementType());
  scratch.push_back({flat, elements.getExpr()});
  Block &entry = kernel.getBody().front();
  Value buffer = entry.insertArgument(entry.getNumArguments() - 2, flat, op.getLoc());
  return Part{buffer, builder.getIndexAttr(0), dims, denseStrides(dims)};
}

FailureOr<Part> Flattener::resolveMark(UnrealizedConversionCastOp op) {
  SmallVector<Dim> dims =
      evaluateSizes(cast<MemRefType>(op.getResult(0).getType()).getShape(), op.getInputs().drop_front());
  return Part{op.getInputs().front(), builder.getIndexAttr(0), dims, denseStrides(dims)};
}

FailureOr<Part> Flattener::resolveSubview(memref::SubViewOp op) {
  FailureOr<Part> source = resolve(op.getSource());
  if (failed(source))
    return failure();
  builder.setInsertionPoint(op);
  Part part{source->buffer, source->offset, {}, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  for (auto [dim, offset] : llvm::enumerate(op.getMixedOffsets())) {
    part.offset = addScaled(part.offset, offset, source->strides[dim]);
    if (dropped.test(dim))
      continue;
    part.sizes.push_back(evaluate(sizes[dim]));
    part.strides.push_back(source->strides[dim] * op.getStaticStrides()[dim]);
  }
  return part;
}

/// Each expanded dimension keeps the stride of its innermost part.
FailureOr<Part> Flattener::resolveExpansion(memref::ExpandShapeOp op) {
  FailureOr<Part> source = resolve(op.getSrc());
  if (failed(source))
    return failure();
  Part part{source->buffer, source->offset, evaluateSizes(op.getResultType().getShape(), op.getOutputShape()), {}};
  part.strides.resize(part.sizes.size(), 1);
  for (auto [number, group] : llvm::enumerate(op.getReassociationIndices())) {
    Dim stride = source->strides[number];
    for (int64_t dim : llvm::reverse(group)) {
      part.strides[dim] = stride;
      stride = stride * part.sizes[dim];
    }
  }
  // The remaining unit dimensions are expanded from no dimension.
  return part;
}

/// A collapsed dimension has the stride of its innermost source dimension.
FailureOr<Part> Flattener::resolveCollapse(memref::CollapseShapeOp op) {
  FailureOr<Part> source = resolve(op.getSrc());
  if (failed(source))
    return failure();
  Part part{source->buffer, source->offset, {}, {}};
  for (const auto &group : op.getReassociationIndices()) {
    Dim stride = 1, size = 1;
    bool isOnlyUnits = true;
    for (int64_t dim : llvm::reverse(group)) {
      if (isOnlyUnits && source->sizes[dim] != 1) {
        stride = source->strides[dim];
        isOnlyUnits = false;
      }
      size = size * source->sizes[dim];
    }
    part.strides.push_back(stride);
    part.sizes.push_back(size);
  }
  return part;
}

FailureOr<Part> Flattener::resolve(Value memref) {
  if (auto it = parts.find(memref); it != parts.end())
    return it->second;
  FailureOr<Part> part = llvm::TypeSwitch<Operation *, FailureOr<Part>>(memref.getDefiningOp())
                             .Case([&](UnrealizedConversionCastOp mark) { return resolveMark(mark); })
                             .Case([&](memref::AllocOp alloc) { return addScratch(alloc); })
                             .Case([&](memref::SubViewOp subview) { return resolveSubview(subview); })
                             .Case([&](memref::ExpandShapeOp expansion) { return resolveExpansion(expansion); })
                             .Case([&](memref::CollapseShapeOp collapse) { return resolveCollapse(collapse); })
                             .Case([&](memref::CastOp cast) { return resolve(cast.getSource()); })
                             .Default([](Operation *) { return failure(); });
  if (succeeded(part))
    parts[memref] = *part;
  return part;
}

FailureOr<Value> Flattener::address(Location loc, Value memref, ValueRange indices, Part &part) {
  FailureOr<Part> resolved = resolve(memref);
  if (failed(resolved)) {
    emitError(loc) << "naive emission does not support this memory access";
    return failure();
  }
  part = *resolved;
  if (llvm::any_of(part.strides, [](const Dim &stride) { return stride.isUnknown(); })) {
    emitError(loc) << "naive emission does not support the size of a memref";
    return failure();
  }
  OpFoldResult sum = part.offset;
  for (auto [index, stride] : llvm::zip_equal(indices, part.strides))
    sum = addScaled(sum, getAsOpFoldResult(index), stride);
  return asValue(loc, sum);
}

LogicalResult Flattener::rewriteLoad(memref::LoadOp op) {
  Part part;
  // Resolve the view before the insertion point is set.
  if (failed(resolve(op.getMemRef())))
    return op.emitError("naive emission does not support this read");
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
    return op.emitError("naive emission does not support this write");
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

LogicalResult Flattener::rewriteDim(memref::DimOp op) {
  std::optional<int64_t> number = op.getConstantIndex();
  FailureOr<Part> part = number ? resolve(op.getSource()) : FailureOr<Part>();
  if (failed(part) || part->sizes[*number].isUnknown())
    return op.emitError("naive emission does not support this size");
  builder.setInsertionPoint(op);
  op.replaceAllUsesWith(sizeValue(op.getLoc(), part->sizes[*number]));
  op.erase();
  return success();
}

/// Erases the remaining views, last ones first, and the operations that computed their sizes.
LogicalResult Flattener::eraseViews() {
  SmallVector<Operation *> views;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isView = llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>);
    if (isView && !isa<memref::GetGlobalOp>(op))
      views.push_back(op);
  });
  for (Operation *op : llvm::reverse(views)) {
    if (!op->use_empty())
      return op->emitError("naive emission does not support a use of this memref");
    op->erase();
  }
  kernel.walk([](task::SizeOp size) {
    if (size.use_empty())
      size.erase();
  });
  return success();
}

FailureOr<SmallVector<Scratch>> Flattener::run() {
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp, memref::DimOp>(op))
      accesses.push_back(op);
  });
  for (Operation *op : accesses) {
    LogicalResult isRewritten = llvm::TypeSwitch<Operation *, LogicalResult>(op)
                                    .Case([&](memref::LoadOp load) { return rewriteLoad(load); })
                                    .Case([&](memref::StoreOp store) { return rewriteStore(store); })
                                    .Case([&](memref::DimOp dim) { return rewriteDim(dim); });
    if (failed(isRewritten))
      return failure();
  }
  if (failed(eraseViews()))
    return failure();
  return scratch;
}

} // namespace

FailureOr<SmallVector<Scratch>> flattenBuffers(func::FuncOp kernel) { return Flattener(kernel).run(); }

} // namespace cameo::schedule

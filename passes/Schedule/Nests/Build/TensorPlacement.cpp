// Assigns destinations backwards from the results, so that the parts of a tensor are computed in place.
#include "passes/Schedule/Nests/Build/TensorPlacement.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "dialects/Dim/DimLimits.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cameo::schedule {

View denseView(unsigned buffer, ArrayRef<Size> shape) {
  View view{buffer, 0, SmallVector<Size, 6>(shape.size(), 1), 0};
  for (size_t dim = shape.size(); dim-- > 1;)
    view.strides[dim - 1] = view.strides[dim] * shape[dim];
  return view;
}

View subview(const View &view, ArrayRef<Size> offsets) {
  View part = view;
  for (auto [offset, stride] : llvm::zip_equal(offsets, view.strides))
    part.offset += offset * stride;
  return part;
}

static Size elementsOf(ArrayRef<Size> shape) {
  Size elements = 1;
  for (const Size &size : shape)
    elements *= size;
  return elements;
}

std::optional<LinearForm> rowForm(OpFoldResult index) {
  LinearForm form(1);
  form.constant = sizeOf(index);
  if (!form.constant.isUnknown())
    return form;
  auto value = cast<Value>(index);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return std::nullopt;
    return LinearForm::dimension(1, 0);
  }
  Operation *op = value.getDefiningOp();
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  std::optional<LinearForm> left = rowForm(op->getOperand(0)), right = rowForm(op->getOperand(1));
  if (!left || !right)
    return std::nullopt;
  left->add(*right, isa<arith::SubIOp>(op) ? -1 : 1);
  return left;
}

/// Returns the region of `view` that a slice with linear offsets selects.
static View sliceOf(const View &view, OffsetSizeAndStrideOpInterface slice) {
  View part = view;
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    LinearForm form = *rowForm(offset);
    part.offset += form.constant * view.strides[dim];
    part.rowStride += form.coefficients[0] * view.strides[dim];
    part.strides[dim] *= slice.getStaticStrides()[dim];
  }
  return part;
}

/// Drops the unit dimensions that `reduced` does not have from a view with the given sizes (rank-reducing slices).
static View dropUnitDims(const View &view, ArrayRef<int64_t> sizes, RankedTensorType reduced) {
  if (static_cast<int64_t>(sizes.size()) == reduced.getRank())
    return view;
  View result{view.buffer, view.offset, {}, view.rowStride};
  int64_t next = 0;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (next < reduced.getRank() && size == reduced.getDimSize(next)) {
      result.strides.push_back(view.strides[dim]);
      ++next;
    }
  return result;
}

static bool isDense(const View &view, ArrayRef<Size> shape) {
  View dense = denseView(view.buffer, shape);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] != 1 && dense.strides[dim] != view.strides[dim])
      return false;
  return true;
}

/// Returns the view of what `collapse` merges, if its result has this view: any stride of a merged dimension is that of
/// its last one.
static View viewOfMerged(const View &view, tensor::CollapseShapeOp collapse) {
  SmallVector<Size> shape = shapeOf(collapse.getSrc());
  View source{view.buffer, view.offset, SmallVector<Size, 6>(shape.size(), 1), view.rowStride};
  for (auto [group, merged] : llvm::zip_equal(collapse.getReassociationIndices(), view.strides)) {
    Size stride = merged;
    for (int64_t dim : llvm::reverse(group)) {
      source.strides[dim] = stride;
      stride *= shape[dim];
    }
  }
  return source;
}

/// Whether the producer of `value` can write to a given destination.
static bool hasProducer(Value value) {
  return isa_and_present<linalg::GenericOp, linalg::FillOp, tensor::PadOp, tensor::InsertSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp, scf::ForOp>(value.getDefiningOp());
}

void TensorPlacement::placeInScratch(Value value) {
  SmallVector<Size> shape = shapeOf(value);
  program.buffers.push_back(Buffer::scratch(elementsOf(shape), getElementTypeOrSelf(value.getType())));
  place(value, denseView(program.buffers.size() - 1, shape));
}

void TensorPlacement::placeOrCopy(Operation *at, Value value, View view, bool shared) {
  const View *placed = lookup(value);
  if (value.getDefiningOp<tensor::EmptyOp>() || (placed && *placed == view))
    return;
  if (hasProducer(value) && !views.contains(value) && (shared || value.hasOneUse()))
    place(value, view);
  else
    copies.push_back({at, value, view});
}

void TensorPlacement::place(Value value, View view) {
  views[value] = view;
  Operation *op = value.getDefiningOp();
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    View part = dropUnitDims(sliceOf(view, insert), insert.getStaticSizes(), insert.getSourceType());
    placeOrCopy(op, insert.getDest(), view, /*shared=*/false);
    placeOrCopy(op, insert.getSource(), part, /*shared=*/false);
  } else if (auto pad = dyn_cast_or_null<tensor::PadOp>(op)) {
    placeOrCopy(op, pad.getSource(), subview(view, sizesOf(pad.getMixedLowPad())), /*shared=*/true);
  } else if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
    if (collapse && !isDense(view, shapeOf(value))) {
      placeOrCopy(op, collapse.getSrc(), viewOfMerged(view, collapse), /*shared=*/true);
      return;
    }
    if (!isDense(view, shapeOf(value))) {
      copies.push_back({op, value, view});
      views.erase(value);
      return;
    }
    View source = denseView(view.buffer, shapeOf(op->getOperand(0)));
    source.offset = view.offset;
    source.rowStride = view.rowStride;
    placeOrCopy(op, op->getOperand(0), source, /*shared=*/true);
  } else if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) {
    placeCarried(loop, cast<OpResult>(value).getResultNumber(), view);
  }
}

/// Gives a value that a loop carries one place for all iterations. A tensor that iterations only insert into is written
/// there. Any other tensor is computed elsewhere and copied at the end of the iteration, after its old value has been
/// read.
void TensorPlacement::placeCarried(scf::ForOp loop, unsigned number, const View &view) {
  BlockArgument carried = loop.getRegionIterArg(number);
  views[carried] = view;
  placeOrCopy(loop, loop.getInitArgs()[number], view, /*shared=*/false);
  Operation *yield = loop.getBody()->getTerminator();
  Value next = yield->getOperand(number), root = next;
  while (auto insert = root.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!root.hasOneUse())
      break;
    root = insert.getDest();
  }
  if (root == carried && carried.hasOneUse())
    place(next, view);
  else if (next != carried)
    copies.push_back({yield, next, view});
}

void TensorPlacement::placeResults() {
  auto returned = cast<task::ReturnOp>(def.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(returned->getOperands())) {
    SmallVector<Size> shape = shapeOf(value);
    program.buffers.push_back({loop::Role::Result, loop::Space::Global, static_cast<unsigned>(number),
                               elementsOf(shape), getElementTypeOrSelf(value.getType())});
    View view = denseView(program.buffers.size() - 1, shape);
    placeOrCopy(returned, value, view, /*shared=*/true);
  }
}

void TensorPlacement::requireStorage(Operation &op) {
  // A source whose dimensions are merged must be stored, unless the reshape only drops unit dimensions.
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    for (const auto &group : collapse.getReassociationIndices()) {
      auto type = collapse.getSrcType();
      if (llvm::count_if(group, [&](int64_t dim) { return type.getDimSize(dim) != 1; }) > 1)
        stored.insert(collapse.getSrc());
    }
  op.walk([&](tensor::ExtractOp extract) { stored.insert(extract.getTensor()); });
}

llvm::Error TensorPlacement::run() {
  Block &body = def.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      return llvm::createStringError("argument %u is not a tensor", argument.getArgNumber());
    SmallVector<Size> shape = shapeOf(argument);
    program.buffers.push_back(
        {loop::Role::Argument, loop::Space::Global, argument.getArgNumber(), elementsOf(shape), type.getElementType()});
    views[argument] = denseView(program.buffers.size() - 1, shape);
  }
  WalkResult linear = body.walk([](OffsetSizeAndStrideOpInterface slice) {
    bool isLinear =
        llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic) &&
        llvm::all_of(slice.getMixedOffsets(), [](OpFoldResult offset) { return rowForm(offset).has_value(); });
    return isLinear ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (linear.wasInterrupted())
    return llvm::createStringError("a slice of a tensor at an offset that is not linear");
  WalkResult sized = body.walk([](Operation *op) {
    bool hasShapes = llvm::all_of(op->getResults(), [](Value value) {
      return !isa<RankedTensorType>(value.getType()) ||
             llvm::none_of(shapeOf(value), [](const Size &size) { return size.isUnknown(); });
    });
    return hasShapes ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (sized.wasInterrupted() ||
      llvm::any_of(program.buffers, [](const Buffer &buffer) { return buffer.elements.isUnknown(); }))
    return llvm::createStringError("a tensor whose size follows from none of the model's");
  placeResults();
  return placeBlock(body);
}

/// Places a loop over tensors. Its length must be a number or a size of the model, and an iteration may pass its
/// results only to the next iteration.
llvm::Error TensorPlacement::placeLoop(scf::ForOp loop) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 || getConstantIntValue(loop.getStep()) != 1 ||
      sizeOf(loop.getUpperBound()).isUnknown())
    return llvm::createStringError("a loop whose length follows from none of the model's sizes");
  for (auto [number, next] : llvm::enumerate(loop.getBody()->getTerminator()->getOperands())) {
    if (!isa<RankedTensorType>(next.getType()))
      return llvm::createStringError("a loop that carries values other than tensors");
    Value root = next;
    while (
        isa_and_present<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(root.getDefiningOp()))
      root = root.getDefiningOp()->getOperand(0);
    if (root.getParentBlock() == loop.getBody() && isa<BlockArgument>(root) && next != loop.getRegionIterArg(number))
      return llvm::createStringError("a loop that yields one of its tensors in the place of another");
    if (!views.contains(loop.getResult(number)))
      placeInScratch(loop.getResult(number));
  }
  return placeBlock(*loop.getBody());
}

llvm::Error TensorPlacement::placeBlock(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    requireStorage(op);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (isa<scf::ForOp>(block.getParentOp()))
        return llvm::createStringError("a nested loop");
      if (llvm::Error error = placeLoop(loop))
        return error;
    }
    if (isa<tensor::PadOp, tensor::InsertSliceOp>(op) && !views.contains(op.getResult(0)) && !op.use_empty())
      placeInScratch(op.getResult(0));
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (!llvm::all_of(sizesOf(pad.getMixedLowPad()), [](const Size &low) { return isNeverNegative(low.exact()); }))
        return llvm::createStringError("a padding of unknown or negative width");
  }
  return llvm::Error::success();
}

} // namespace cameo::schedule

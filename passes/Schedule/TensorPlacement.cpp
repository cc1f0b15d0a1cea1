// Assigns destinations backwards from the results, so that parts of a whole are computed where they belong.
#include "passes/Schedule/TensorPlacement.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cameo::schedule {

View denseView(unsigned buffer, RankedTensorType type) {
  View view{buffer, 0, SmallVector<int64_t, 6>(type.getRank(), 1)};
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim)
    view.strides[dim] = view.strides[dim + 1] * type.getDimSize(dim + 1);
  return view;
}

View subview(const View &view, ArrayRef<int64_t> offsets, ArrayRef<int64_t> steps) {
  View part = view;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    part.offset += offset * view.strides[dim];
    part.strides[dim] *= steps[dim];
  }
  return part;
}

/// Drops from a view of the shape `full` the unit dimensions that `reduced` does not have (rank-reducing slices).
static View dropUnitDims(const View &view, ArrayRef<int64_t> sizes, RankedTensorType reduced) {
  if (static_cast<int64_t>(sizes.size()) == reduced.getRank())
    return view;
  View result{view.buffer, view.offset, {}};
  int64_t next = 0;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (next < reduced.getRank() && size == reduced.getDimSize(next)) {
      result.strides.push_back(view.strides[dim]);
      ++next;
    }
  return result;
}

static bool isDense(const View &view, RankedTensorType type) {
  View dense = denseView(view.buffer, type);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) != 1 && dense.strides[dim] != view.strides[dim])
      return false;
  return true;
}

/// Whether the producer of `value` can be told to write somewhere.
static bool hasProducer(Value value) {
  return isa_and_present<linalg::GenericOp, linalg::FillOp, tensor::PadOp, tensor::InsertSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp>(value.getDefiningOp());
}

void TensorPlacement::placeInScratch(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Buffer buffer{Buffer::Kind::Scratch, 0, type.getNumElements(), type.getElementType(), {}, false};
  program.buffers.push_back(buffer);
  place(value, denseView(program.buffers.size() - 1, type));
}

void TensorPlacement::placeOrCopy(Operation *at, Value value, View view, bool shared) {
  if (value.getDefiningOp<tensor::EmptyOp>())
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
    View part = dropUnitDims(subview(view, insert.getStaticOffsets(), insert.getStaticStrides()),
                             insert.getStaticSizes(), insert.getSourceType());
    placeOrCopy(op, insert.getDest(), view, /*shared=*/false);
    placeOrCopy(op, insert.getSource(), part, /*shared=*/false);
  } else if (auto pad = dyn_cast_or_null<tensor::PadOp>(op)) {
    SmallVector<int64_t> ones(pad.getSourceType().getRank(), 1);
    placeOrCopy(op, pad.getSource(), subview(view, pad.getStaticLow(), ones), /*shared=*/true);
  } else if (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    auto sourceType = cast<RankedTensorType>(op->getOperand(0).getType());
    if (!isDense(view, cast<RankedTensorType>(value.getType()))) {
      copies.push_back({op, value, view});
      views.erase(value);
      return;
    }
    View source = denseView(view.buffer, sourceType);
    source.offset = view.offset;
    placeOrCopy(op, op->getOperand(0), source, /*shared=*/true);
  }
}

void TensorPlacement::placeResults() {
  auto returned = cast<task::ReturnOp>(def.getBody().front().getTerminator());
  for (auto [number, value] : llvm::enumerate(returned->getOperands())) {
    auto type = cast<RankedTensorType>(value.getType());
    program.buffers.push_back({Buffer::Kind::Result, static_cast<unsigned>(number), type.getNumElements(),
                               type.getElementType(), {}, false});
    View view = denseView(program.buffers.size() - 1, type);
    placeOrCopy(returned, value, view, /*shared=*/true);
  }
}

void TensorPlacement::requireStorage(Operation &op) {
  // What merges dimensions cannot be read through, unless it only drops unit ones.
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    for (const auto &group : collapse.getReassociationIndices()) {
      auto type = collapse.getSrcType();
      if (llvm::count_if(group, [&](int64_t dim) { return type.getDimSize(dim) != 1; }) > 1)
        stored.insert(collapse.getSrc());
    }
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    generic.getRegion().walk([&](tensor::ExtractOp extract) { stored.insert(extract.getTensor()); });
}

llvm::Error TensorPlacement::run() {
  Block &body = def.getBody().front();
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return llvm::createStringError("argument %u is not a tensor of static shape", argument.getArgNumber());
    program.buffers.push_back(
        {Buffer::Kind::Argument, argument.getArgNumber(), type.getNumElements(), type.getElementType(), {}, false});
    views[argument] = denseView(program.buffers.size() - 1, type);
  }
  placeResults();
  for (Operation &op : llvm::reverse(body)) {
    requireStorage(op);
    if (isa<tensor::PadOp, tensor::InsertSliceOp>(op) && !views.contains(op.getResult(0)) && !op.use_empty())
      placeInScratch(op.getResult(0));
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (!llvm::all_of(pad.getStaticLow(), [](int64_t low) { return low >= 0; }))
        return llvm::createStringError("a padding of unknown or negative width");
  }
  return llvm::Error::success();
}

} // namespace cameo::schedule

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/Pointers.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Rows of shared memory are aligned to this number of elements.
static constexpr int64_t mostNeighbours = 4;
/// The maximum bytes of an asynchronous copy.
static constexpr int64_t mostAsyncBytes = 16;

Value SharedOperand::constant(int64_t value) const { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

Value SharedOperand::add(Value a, Value b) const {
  return !a ? b : !b ? a : arith::AddIOp::create(builder, nest.loc, a, b).getResult();
}

Value SharedOperand::scale(Value a, int64_t factor) const {
  return factor == 1 ? a : arith::MulIOp::create(builder, nest.loc, a, constant(factor)).getResult();
}

SharedOperand::SharedOperand(OpBuilder &builder, const LoopNest &nest, NodeId node, const BlockTile &tile,
                             const TilePlace &place, Value source, Value memory)
    : builder(builder), nest(nest), node(node), tile(tile), place(place), source(source), memory(memory),
      layout(sharedLayout(nest.nodes[node], nest, tile)) {
  dims = fetchedDims(nest.nodes[node], nest);
  width = fetchWidth(nest.nodes[node], nest, tile, dims);
  int64_t vectors = 1;
  for (unsigned dim : dims)
    vectors *= tile.dims[dim].block;
  vectors /= width;
  for (int64_t first = 0; first < vectors; first += tile.threads)
    addPiece(first);
  for (unsigned dim : dims)
    if (!nest.dims[dim].reduction && tile.dims[dim].threads() > 1)
      threadOffset = add(threadOffset, scale(place.threadIn[dim], layout.strides[dim] * tile.dims[dim].thread));
  if (!threadOffset)
    threadOffset = constant(0);
}

/// The number of a vector in its row is combined by exclusive or with the number of the row.
Value sharedPlaceOf(OpBuilder &builder, Location loc, const SharedLayout &layout, Value offset) {
  if (layout.exchanges == 1)
    return offset;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto divide = [&](Value number, int64_t by) -> Value {
    return arith::DivUIOp::create(builder, loc, number, constant(by));
  };
  auto remainder = [&](Value number, int64_t by) -> Value {
    return arith::RemUIOp::create(builder, loc, number, constant(by));
  };
  auto scale = [&](Value number, int64_t factor) -> Value {
    return factor == 1 ? number : arith::MulIOp::create(builder, loc, number, constant(factor)).getResult();
  };
  auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
  if (layout.hasPanels()) {
    Value within = remainder(offset, layout.row);
    offset = add(add(scale(divide(within, layout.panel), layout.panelElements()),
                     scale(divide(offset, layout.row), layout.panel)),
                 remainder(within, layout.panel));
  }
  Value row = remainder(divide(offset, layout.period), layout.exchanges);
  return arith::XOrIOp::create(builder, loc, offset, scale(row, layout.vector));
}

/// Returns the index in shared memory of lane number `lane` of the piece.
Value SharedOperand::targetOf(const Piece &piece, int64_t lane, Value stage) {
  Value further = lane > 0 ? constant(lane * layout.strides[dims[0]]) : Value();
  return layout.exchanges == 1 ? add(add(piece.target, stage), further)
                               : add(placeOf(add(piece.target, further)), stage);
}

/// Appends the piece with vector number `first` + the number of the thread; the first of `dims` varies fastest.
void SharedOperand::addPiece(int64_t first) {
  const LinearForm &form = nest.nodes[node].address;
  Piece piece;
  piece.along.resize(nest.dims.size());
  int64_t left = 1;
  for (unsigned dim : dims)
    left *= tile.dims[dim].block;
  left /= width;
  Value number = first > 0 ? add(place.thread, constant(first)) : place.thread;
  if (first + tile.threads > left) {
    piece.exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, number, constant(left));
    number = arith::MinUIOp::create(builder, nest.loc, number, constant(left - 1));
  }
  piece.source = constant(form.constant);
  for (unsigned dim : dims) {
    const TiledDimension &tiled = tile.dims[dim];
    int64_t step = dim == dims[0] ? width : 1, count = tiled.block / step;
    Value within;
    if (count > 1) {
      left /= count;
      within = left > 1 ? arith::RemUIOp::create(builder, nest.loc, number, constant(count)).getResult() : number;
      number = left > 1 ? arith::DivUIOp::create(builder, nest.loc, number, constant(count)).getResult() : number;
      within = scale(within, step);
      piece.target = add(piece.target, scale(within, layout.strides[dim]));
    } else {
      within = constant(0);
    }
    if (isStepped(dim)) {
      piece.along[dim] = within;
      if (!tiled.isRagged() && count > 1)
        piece.source = add(piece.source, scale(within, form.coefficients[dim]));
      continue;
    }
    Value at = add(place.begins[dim], within);
    // Points beyond the edge compute with the last element; their results are not stored.
    if (tiled.isRagged())
      at = arith::MinUIOp::create(builder, nest.loc, at, constant(tiled.extent - step));
    piece.source = add(piece.source, scale(at, form.coefficients[dim]));
  }
  if (!piece.target)
    piece.target = constant(0);
  pieces.push_back(std::move(piece));
}

/// Returns the part of the addresses that the step adds along dimensions without a ragged edge; null if there is none.
Value SharedOperand::movedBy(ArrayRef<Value> begins) {
  Value moved;
  for (unsigned dim : dims)
    if (isStepped(dim) && !tile.dims[dim].isRagged())
      moved = add(moved, scale(begins[dim], nest.nodes[node].address.coefficients[dim]));
  return moved;
}

std::pair<Value, Value> SharedOperand::sourceOf(const Piece &piece, ArrayRef<Value> begins, Value moved) {
  Value at = add(piece.source, moved), exists;
  for (unsigned dim : dims) {
    if (!isStepped(dim) || !tile.dims[dim].isRagged())
      continue;
    Value along = add(begins[dim], piece.along[dim]);
    Value inside =
        arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, along, constant(tile.dims[dim].extent));
    exists = exists ? arith::AndIOp::create(builder, nest.loc, exists, inside).getResult() : inside;
    Value last = constant(tile.dims[dim].extent - (dim == dims[0] ? width : 1));
    at = add(at,
             scale(arith::MinUIOp::create(builder, nest.loc, along, last), nest.nodes[node].address.coefficients[dim]));
  }
  return {at, exists};
}

SmallVector<Value> SharedOperand::fetch(ArrayRef<Value> begins) {
  Type element = nest.nodes[node].type;
  Value moved = movedBy(begins);
  SmallVector<Value> fetched;
  for (const Piece &piece : pieces) {
    auto [at, exists] = sourceOf(piece, begins, moved);
    Value value;
    if (width > 1)
      value = vector::LoadOp::create(builder, nest.loc, VectorType::get({width}, element), source, at,
                                     /*nontemporal=*/false, llvm::MaybeAlign(width * bytesOf(element)));
    else
      value = memref::LoadOp::create(builder, nest.loc, source, at);
    if (exists) {
      Value zero = arith::ConstantOp::create(builder, nest.loc, builder.getZeroAttr(value.getType()));
      value = arith::SelectOp::create(builder, nest.loc, exists, value, zero);
    }
    fetched.push_back(value);
  }
  return fetched;
}

LLVM::LoopAnnotationAttr keepLoop(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// Emits an asynchronous copy of `elements`, which writes zeros if `exists` is false.
void SharedOperand::createCopy(Value from, Value to, int64_t elements, Value exists) {
  int64_t elementBytes = bytesOf(nest.nodes[node].type);
  auto bytes = static_cast<uint32_t>(elements * elementBytes);
  Value copied = bytesIf(builder, nest.loc, exists, bytes);
  createAsyncCopy(
      builder, nest.loc, pointerTo(builder, nest.loc, memory, to, elementBytes, NVVM::NVVMMemorySpace::Shared),
      pointerTo(builder, nest.loc, source, from, elementBytes, NVVM::NVVMMemorySpace::Global), bytes, copied);
}

void SharedOperand::copy(ArrayRef<Value> begins, Value stage) {
  Value moved = movedBy(begins);
  int64_t stride = dims.empty() ? 1 : layout.strides[dims[0]],
          atOnce = stride == 1 ? std::min(width, mostAsyncBytes / bytesOf(nest.nodes[node].type)) : 1;
  for (const Piece &piece : pieces) {
    OpBuilder::InsertionGuard guard(builder);
    if (piece.exists)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, nest.loc, piece.exists, /*withElseRegion=*/false).thenBlock());
    auto [from, exists] = sourceOf(piece, begins, moved);
    for (int64_t lane = 0; lane < width; lane += atOnce)
      createCopy(lane > 0 ? add(from, constant(lane)) : from, targetOf(piece, lane, stage), atOnce, exists);
  }
}

void SharedOperand::store(ArrayRef<Value> fetched, Value stage) {
  Type element = nest.nodes[node].type;
  for (auto [piece, value] : llvm::zip_equal(pieces, fetched)) {
    OpBuilder::InsertionGuard guard(builder);
    if (piece.exists)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, nest.loc, piece.exists, /*withElseRegion=*/false).thenBlock());
    int64_t stride = dims.empty() ? 1 : layout.strides[dims[0]],
            aligned = layout.exchanges > 1 ? width : std::min(width, mostNeighbours);
    if (width == 1)
      memref::StoreOp::create(builder, nest.loc, value, memory, targetOf(piece, 0, stage));
    else if (stride == 1)
      vector::StoreOp::create(builder, nest.loc, value, memory, targetOf(piece, 0, stage), /*nontemporal=*/false,
                              llvm::MaybeAlign(aligned * bytesOf(element)));
    else
      for (int64_t lane = 0; lane < width; ++lane)
        memref::StoreOp::create(builder, nest.loc, vector::ExtractOp::create(builder, nest.loc, value, lane), memory,
                                targetOf(piece, lane, stage));
  }
}

void SharedOperand::readFrom(Value stage, Value further) {
  readBase = add(add(threadOffset, stage), further);
  vectors.clear();
  groups.clear();
}

Value SharedOperand::readGroup(ArrayRef<int64_t> point, unsigned dim) {
  int64_t offset = 0;
  for (unsigned each : dims)
    offset += layout.strides[each] * point[each];
  Value &group = groups[offset];
  if (group)
    return group;
  SmallVector<int64_t> at(point);
  SmallVector<Value> bytes;
  for (int64_t step = 0; step < dotGroup; ++step, ++at[dim])
    bytes.push_back(read(at));
  return group =
             vector::FromElementsOp::create(builder, nest.loc, VectorType::get({dotGroup}, bytes[0].getType()), bytes);
}

Value SharedOperand::read(ArrayRef<int64_t> point) {
  Type element = nest.nodes[node].type;
  int64_t offset = 0, count = 1, lane = 0;
  for (unsigned dim : dims) {
    offset += layout.strides[dim] * point[dim];
    if (layout.strides[dim] == 1 && !nest.dims[dim].reduction) {
      const TiledDimension &tiled = tile.dims[dim];
      while (count < std::min(mostNeighbours, mostLanes(element)) && tiled.thread % (2 * count) == 0 &&
             tiled.apart % (2 * count) == 0 && tiled.block % (2 * count) == 0)
        count *= 2;
      lane = point[dim] % count;
    }
  }
  auto place = [&](int64_t at) { return at > 0 ? add(readBase, constant(at)) : readBase; };
  if (count == 1) {
    Value &value = vectors[offset];
    if (!value)
      value = memref::LoadOp::create(builder, nest.loc, memory, place(offset));
    return value;
  }
  Value &vector = vectors[offset - lane];
  if (!vector)
    vector = vector::LoadOp::create(builder, nest.loc, VectorType::get({count}, element), memory, place(offset - lane),
                                    /*nontemporal=*/false, llvm::MaybeAlign(count * bytesOf(element)));
  return vector::ExtractOp::create(builder, nest.loc, vector, lane);
}

} // namespace cameo::schedule

#include "passes/Schedule/Emission/Gpu/Mma/MmaCopies.h"

#include "passes/Schedule/Emission/Gpu/Pointers.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

Value MmaCopies::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

Value MmaCopies::add(Value a, Value b) {
  return !a ? b : !b ? a : arith::AddIOp::create(builder, nest.loc, a, b).getResult();
}

Value MmaCopies::scale(Value a, int64_t factor) {
  return factor == 1 ? a : arith::MulIOp::create(builder, nest.loc, a, constant(factor)).getResult();
}

bool MmaCopies::isRaggedStep(unsigned dim) const { return !place.begins[dim] && tile.dims[dim].isRagged(); }

MmaCopies::MmaCopies(OpBuilder &builder, const LoopNest &nest, const SharedOperand &operand, const BlockTile &tile,
                     const TilePlace &place, ArrayRef<Value> begins)
    : builder(builder), nest(nest), operand(operand), tile(tile), place(place) {
  const Node &node = nest.nodes[operand.getNode()];
  elementBytes = bytesOf(node.type);
  dims = fetchedDims(node, nest);
  width = fetchWidth(node, nest, tile, dims);
  std::optional<Window> window = findWindow(nest, tile);
  if (operand.getLayout().isWindow)
    addWindow(*window, begins);
  else
    addVectors(window ? ArrayRef<unsigned>(window->taps) : ArrayRef<unsigned>(), begins);
}

/// Sizes of a tile are powers of two, except along `taps` or one dimension of points, and so is the number of threads:
/// the number of a vector is that of the thread and a constant without a bit in common, and so are its offsets along
/// each other dimension. Taps are one dimension here and in memory, the last one (findWindow). Threads have several
/// indices along the last dimension where there are more threads than vectors at one.
void MmaCopies::addVectors(ArrayRef<unsigned> taps, ArrayRef<Value> begins) {
  llvm::erase_if(dims, [&](unsigned dim) { return llvm::is_contained(taps, dim); });
  auto uneven = llvm::find_if(dims, [&](unsigned dim) { return !llvm::isPowerOf2_64(tile.dims[dim].block); });
  bool isUneven = !taps.empty() || uneven != dims.end();
  if (uneven != dims.end()) {
    unsigned last = *uneven;
    dims.erase(uneven);
    dims.push_back(last);
  }
  int64_t count = 1;
  for (unsigned dim : dims)
    sizes.push_back(tile.dims[dim].block / (dim == dims[0] ? width : 1));
  if (!taps.empty()) {
    dims.push_back(taps.back());
    sizes.push_back(1);
    for (unsigned tap : taps)
      sizes.back() *= tile.dims[tap].block;
  }
  for (int64_t size : sizes)
    count *= size;
  Value left = place.thread;
  if (count < tile.threads && !isUneven) {
    isBusy = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, left, constant(count));
    left = arith::RemUIOp::create(builder, nest.loc, left, constant(count));
  }
  int64_t threads = isUneven ? tile.threads : std::min(tile.threads, count);
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    int64_t here = isUneven && dim == dims.back() ? threads : std::min(size, threads);
    Value &within = withinThread.emplace_back();
    if (here == 1)
      continue;
    threads /= here;
    within = threads > 1 ? arith::RemUIOp::create(builder, nest.loc, left, constant(here)).getResult() : left;
    left = arith::DivUIOp::create(builder, nest.loc, left, constant(here));
    within = scale(within, dim == dims[0] ? width : 1);
    firstTarget = add(firstTarget, scale(within, operand.getLayout().strides[dim]));
  }
  firstTarget = operand.placeOf(firstTarget ? firstTarget : constant(0));
  for (int64_t first = 0; first < count; first += tile.threads) {
    addVector(first, begins);
    if (isUneven && first + tile.threads > count)
      vectors.back().exists =
          arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, place.thread, constant(count - first));
  }
}

/// The threads share the vectors of a window in their order. A position has a power of two of them, so each thread has
/// the same one of several positions.
void MmaCopies::addWindow(const Window &window, ArrayRef<Value> begins) {
  int64_t ofPosition = tile.dims[window.depth].block / width, count = window.positions() * ofPosition;
  dims.assign(1, window.depth);
  withinThread.emplace_back();
  if (ofPosition > 1) {
    Value number = arith::RemUIOp::create(builder, nest.loc, place.thread, constant(ofPosition));
    withinThread[0] = scale(number, width);
    firstTarget = scale(number, window.vectorStride);
  }
  Value depth = add(begins[window.depth], withinThread[0]);
  for (int64_t first = 0; first < count; first += tile.threads)
    addVector(window, first, depth);
}

/// Appends the vector whose number is that of the thread plus `first`, at `depth` from the first step on. Positions are
/// counted in 32 bits, since divisions by their numbers are no shifts.
void MmaCopies::addVector(const Window &window, int64_t first, Value depth) {
  Location loc = nest.loc;
  Type i32 = builder.getI32Type();
  auto word = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
  auto asIndex = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), value);
  };
  Vector vector;
  vector.within.assign(nest.dims.size(), 0);
  vector.sourceBytes = vector.targetBytes = 0;
  int64_t ofPosition = tile.dims[window.depth].block / width, count = window.positions() * ofPosition;
  Value number = arith::IndexCastUIOp::create(builder, loc, i32, add(place.thread, constant(first)));
  if (first + tile.threads > count)
    vector.exists =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place.thread, constant(count - first));
  number = arith::DivUIOp::create(builder, loc, number, word(ofPosition));
  const LinearForm &form = nest.nodes[operand.getNode()].address;
  Value source = add(constant(form.constant), depth ? scale(depth, form.coefficients[window.depth]) : Value()),
        target = firstTarget ? firstTarget : constant(0);
  for (const WindowAxis &axis : llvm::reverse(window.axes)) {
    Value position = number;
    if (&axis != &window.axes.front()) {
      position = arith::RemUIOp::create(builder, loc, number, word(axis.positions));
      number = arith::DivUIOp::create(builder, loc, number, word(axis.positions));
    }
    Value shared = position;
    if (axis.apart > 1) {
      Value turn = arith::RemUIOp::create(builder, loc, position, word(axis.apart)),
            within = arith::DivUIOp::create(builder, loc, position, word(axis.apart));
      shared = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, turn, word(axis.placesApart())),
                                     within);
    }
    target = add(target, scale(asIndex(shared), axis.stride));
    const TiledDimension &tiled = tile.dims[axis.dim];
    Value at = add(scale(place.begins[axis.dim], axis.apart), asIndex(position));
    // What lies beyond the last position is for points beyond the edge, whose results are not stored.
    if (tiled.isRagged())
      at = arith::MinUIOp::create(builder, loc, at,
                                  constant((tiled.extent - tiled.block) * axis.apart + axis.positions - 1));
    source = add(source, scale(at, axis.unit));
  }
  vector.source = pointerTo(builder, loc, operand.getSource(), source, elementBytes, NVVM::NVVMMemorySpace::Global);
  vector.target = pointerTo(builder, loc, operand.getMemory(), target, elementBytes, NVVM::NVVMMemorySpace::Shared);
  vectors.push_back(std::move(vector));
}

/// Returns the address of the thread's vector with the constant offsets `within` in the source. What needs no clamping
/// is not part of it, but of `behind`, in bytes. Steps beyond the end of a reduction copy nothing.
Value MmaCopies::sourceFor(ArrayRef<int64_t> within, ArrayRef<Value> begins, int64_t &behind) {
  const LinearForm &form = nest.nodes[operand.getNode()].address;
  SmallVector<int64_t> clamped;
  behind = 0;
  for (unsigned dim : dims) {
    bool isClamped = place.begins[dim] && tile.dims[dim].isRagged();
    clamped.push_back(isClamped ? within[dim] : 0);
    if (!isClamped)
      behind += within[dim] * int64_t(form.coefficients[dim]) * elementBytes;
  }
  Value &source = sources[clamped];
  if (source)
    return source;
  Value at = constant(form.constant);
  for (auto [number, dim] : llvm::enumerate(dims)) {
    Value along = add(place.begins[dim] ? place.begins[dim] : begins[dim], withinThread[number]);
    if (clamped[number] > 0)
      along = add(along, constant(clamped[number]));
    if (!along)
      continue;
    // Points beyond the edge compute with the last element; their results are not stored.
    if (place.begins[dim] && tile.dims[dim].isRagged())
      along = arith::MinUIOp::create(builder, nest.loc, along,
                                     constant(tile.dims[dim].extent - (dim == dims[0] ? width : 1)));
    at = add(at, scale(along, form.coefficients[dim]));
  }
  return source = pointerTo(builder, nest.loc, operand.getSource(), at, elementBytes, NVVM::NVVMMemorySpace::Global);
}

/// Likewise in shared memory, for the element at `offset` by the strides of the layout.
Value MmaCopies::targetFor(int64_t offset, int64_t &behind) {
  const SharedLayout &layout = operand.getLayout();
  int64_t within = layout.exchangedPart(offset);
  behind = layout.placeOf(offset - within) * elementBytes;
  Value &target = targets[within];
  if (!target) {
    Value at = firstTarget;
    if (within > 0)
      at = arith::XOrIOp::create(builder, nest.loc, at, constant(layout.placeOf(within)));
    target = pointerTo(builder, nest.loc, operand.getMemory(), at, elementBytes, NVVM::NVVMMemorySpace::Shared);
  }
  return target;
}

/// Appends the vector whose number is that of the thread plus `first`.
void MmaCopies::addVector(int64_t first, ArrayRef<Value> begins) {
  Vector vector;
  vector.within.assign(nest.dims.size(), 0);
  int64_t offset = 0;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes)) {
    vector.within[dim] = first % size * (dim == dims[0] ? width : 1);
    first /= size;
    offset += vector.within[dim] * operand.getLayout().strides[dim];
  }
  vector.source = sourceFor(vector.within, begins, vector.sourceBytes);
  vector.target = targetFor(offset, vector.targetBytes);
  vectors.push_back(std::move(vector));
}

/// Returns whether the vector lies before the end of all ragged reductions; null if it always does.
Value MmaCopies::existsIn(const Step &step, const Vector &vector) {
  Value exists;
  for (auto [number, dim] : llvm::enumerate(dims)) {
    if (!isRaggedStep(dim))
      continue;
    Value inside =
        arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::slt, add(step.begins[dim], withinThread[number]),
                              constant(tile.dims[dim].extent - vector.within[dim]));
    exists = exists ? arith::AndIOp::create(builder, nest.loc, exists, inside).getResult() : inside;
  }
  return exists;
}

void MmaCopies::copy(const Step &step) {
  Location loc = nest.loc;
  OpBuilder::InsertionGuard guard(builder);
  if (isBusy)
    builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isBusy, /*withElseRegion=*/false).thenBlock());
  auto bytes = static_cast<uint32_t>(width * elementBytes);
  Value moved = scale(step.moved, elementBytes);
  for (const Vector &vector : vectors) {
    OpBuilder::InsertionGuard inner(builder);
    if (vector.exists)
      builder.setInsertionPointToStart(
          scf::IfOp::create(builder, loc, vector.exists, /*withElseRegion=*/false).thenBlock());
    Value copied = bytesIf(builder, loc, existsIn(step, vector), bytes);
    createAsyncCopy(builder, loc, pointerBehind(builder, loc, vector.target, step.stage, vector.targetBytes),
                    pointerBehind(builder, loc, vector.source, moved, vector.sourceBytes), bytes, copied);
  }
}

} // namespace cameo::schedule

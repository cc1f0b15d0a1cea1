#include "passes/Schedule/Emission/Gpu/MmaTileNest.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace cameo::schedule {

/// Rows of the matrices that ldmatrix reads, and points and steps of four of them.
static constexpr int64_t matrixSide = 8, blockSide = 16;
/// Sums of an instruction that a thread has: two neighbouring columns of a row, and the same of the row eight below.
static constexpr int64_t sumsOfThread = 4, sumColumns = 2;

MmaTileNest::MmaTileNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                         const GpuSchedule &gpuSchedule, ArrayRef<Value> buffers, ArrayRef<Value> shared,
                         SplitParts parts)
    : TileNest(builder, nest, schedule, gpuSchedule, buffers, shared, parts), contraction(*findContraction(nest)) {
  for (int64_t row = 0; row < pointsAlong(contraction.rows); row += mmaRows)
    for (int64_t column = 0; column < pointsAlong(contraction.columns); column += mmaColumns)
      for (int64_t sum = 0; sum < sumsOfThread; ++sum) {
        Point &point = points.emplace_back(nest.dims.size(), 0);
        addOffsets(contraction.rows, row + sum / sumColumns * matrixSide, point);
        addOffsets(contraction.columns, column + sum % sumColumns, point);
      }
  if (unsigned last = contraction.columns.back(); tile.dims[last].thread % sumColumns == 0)
    neighbours[last] = sumColumns;
}

/// Of a warp.
int64_t MmaTileNest::pointsAlong(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned dim : dims)
    count *= tile.dims[dim].thread;
  return count;
}

int64_t MmaTileNest::stepsOfDepth() const {
  int64_t steps = 1;
  for (unsigned dim : contraction.depth)
    steps *= tile.dims[dim].block;
  return steps;
}

Value MmaTileNest::divide(Value number, int64_t by) {
  return by == 1 ? number : arith::DivUIOp::create(builder, nest.loc, number, constant(by)).getResult();
}

Value MmaTileNest::remainder(Value number, int64_t by) {
  return arith::RemUIOp::create(builder, nest.loc, number, constant(by));
}

/// Where point number `number` of the warp is along `dims`, the last of which varies fastest. Sizes are powers of two,
/// so that parts of numbers which have no bit in common are taken apart one by one.
void MmaTileNest::addOffsets(ArrayRef<unsigned> dims, int64_t number, Point &point) const {
  for (unsigned dim : llvm::reverse(dims)) {
    point[dim] += number % tile.dims[dim].thread;
    number /= tile.dims[dim].thread;
  }
}

/// The same of a number below `count` that only a thread knows, times `apart`.
void MmaTileNest::addLanes(ArrayRef<unsigned> dims, Value number, int64_t count, int64_t apart) {
  for (unsigned dim : llvm::reverse(dims)) {
    int64_t size = tile.dims[dim].thread;
    if (apart >= size) {
      apart /= size;
      continue;
    }
    int64_t here = std::min(size / apart, count);
    positions[dim].terms.push_back({here < count ? remainder(number, here) : number, apart});
    if (here == count)
      return;
    number = divide(number, here);
    count /= here;
    apart = 1;
  }
}

void MmaTileNest::locateThread(Value thread) {
  placeWithin(divide(thread, GpuMachine::warpThreads));
  lane = remainder(thread, GpuMachine::warpThreads);
  // Four neighbouring threads have a row.
  constexpr int64_t threadsOfRow = mmaColumns / sumColumns;
  addLanes(contraction.rows, divide(lane, threadsOfRow), matrixSide, /*apart=*/1);
  addLanes(contraction.columns, remainder(lane, threadsOfRow), threadsOfRow, /*apart=*/sumColumns);
}

/// Elements from one point of an operand to the next, and from one step of the depth.
std::pair<int64_t, int64_t> MmaTileNest::stridesOf(const SharedLayout &layout) const {
  return layout.isDepthInner ? std::pair(stepsOfDepth(), int64_t(1))
                             : std::pair(int64_t(1), layout.elements / stepsOfDepth());
}

/// Each thread gives the address of a row of 8 numbers: of the first matrix the first 8 threads, and so on. The four
/// matrices of the left operand are points first, those of the right one steps first, so that what an instruction takes
/// are neighbouring registers.
void MmaTileNest::prepareSide(Side &side, NodeId load, bool isLeft) {
  side.operand = &*llvm::find_if(operands, [&](const SharedOperand &each) { return each.getNode() == load; });
  side.points = pointsAlong(isLeft ? contraction.rows : contraction.columns);
  const SharedLayout &layout = side.operand->getLayout();
  Value row = remainder(lane, matrixSide), inner = remainder(divide(lane, matrixSide), 2),
        outer = divide(lane, 2 * matrixSide);
  auto scale = [&](Value value, int64_t factor) {
    return arith::MulIOp::create(builder, nest.loc, value, constant(factor)).getResult();
  };
  auto add = [&](Value a, Value b) { return arith::AddIOp::create(builder, nest.loc, a, b).getResult(); };
  Value point = scale(isLeft ? inner : outer, matrixSide), step = scale(isLeft ? outer : inner, matrixSide);
  // A row is of neighbours in memory: steps of one point, or points of one step.
  (layout.isDepthInner ? point : step) = add(layout.isDepthInner ? point : step, row);
  auto [pointStride, stepStride] = stridesOf(layout);
  Value offset = add(add(side.operand->getThreadOffset(), scale(point, pointStride)), scale(step, stepStride));
  side.row = side.operand->placeOf(offset);
}

void MmaTileNest::prepareOperands() {
  prepareSide(left, contraction.left, /*isLeft=*/true);
  prepareSide(right, contraction.right, /*isLeft=*/false);
}

/// Those of all points of the warp, at steps `step` to `step` + 15 of what was fetched.
std::vector<MmaTileNest::Registers> MmaTileNest::loadMatrices(const Side &side, int64_t step) {
  Location loc = nest.loc;
  const SharedLayout &layout = side.operand->getLayout();
  int64_t bytes = bytesOf(nest.nodes[side.operand->getNode()].type);
  auto [pointStride, stepStride] = stridesOf(layout);
  std::vector<Registers> all;
  for (int64_t point = 0; point < side.points; point += blockSide) {
    // What is beyond the last exchange is added, so that it is a part of the instruction.
    int64_t offset = point * pointStride + step * stepStride, within = offset % (layout.period * layout.exchanges);
    Value at = side.row;
    if (within > 0)
      at = arith::XOrIOp::create(builder, loc, at, constant(layout.placeOf(within)));
    if (side.stage)
      at = arith::AddIOp::create(builder, loc, at, side.stage);
    if (offset > within)
      at = arith::AddIOp::create(builder, loc, at, constant(offset - within));
    Type bits = builder.getI32Type();
    Value loaded = NVVM::LdMatrixOp::create(
        builder, loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {bits, bits, bits, bits}),
        pointerTo(builder, loc, side.operand->getMemory(), at, bytes, NVVM::NVVMMemorySpace::Shared), /*num=*/4,
        layout.isDepthInner ? NVVM::MMALayout::row : NVVM::MMALayout::col,
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), matrixSide, matrixSide), NVVM::LdStMatrixEltType::B16);
    Registers &registers = all.emplace_back();
    for (int64_t matrix = 0; matrix < 4; ++matrix)
      registers.push_back(bitsOf(LLVM::ExtractValueOp::create(builder, loc, loaded, matrix)));
  }
  return all;
}

/// Two numbers as the instruction wants them: those of f16 as a vector, those of bf16 as 32 bits.
Value MmaTileNest::bitsOf(Value bits) {
  if (!nest.nodes[contraction.left].type.isF16())
    return bits;
  return LLVM::BitcastOp::create(builder, nest.loc, VectorType::get({2}, builder.getF16Type()), bits);
}

/// The sums of 16 rows and 8 columns, of which those of this thread are `sums`.
MmaTileNest::Registers MmaTileNest::multiply(const Registers &a, ArrayRef<Value> b, ArrayRef<Value> sums) {
  Type f32 = builder.getF32Type();
  std::optional<std::array<NVVM::MMATypes, 2>> types;
  if (nest.nodes[contraction.left].type.isBF16())
    types = {NVVM::MMATypes::bf16, NVVM::MMATypes::bf16};
  Value product = NVVM::MmaOp::create(
      builder, nest.loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {f32, f32, f32, f32}), a, b, sums,
      {mmaRows, mmaColumns, mmaDepth}, /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt, types,
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Registers next;
  for (int64_t sum = 0; sum < sumsOfThread; ++sum)
    next.push_back(LLVM::ExtractValueOp::create(builder, nest.loc, product, sum));
  return next;
}

/// The matrices of the next 16 steps are read before those of these are multiplied.
TileNest::Values MmaTileNest::computeStep(ArrayRef<Value>, Value stage, Values sums) {
  for (Side *side : {&left, &right})
    side->stage =
        stage
            ? arith::MulIOp::create(builder, nest.loc, stage, constant(side->operand->getLayout().elements)).getResult()
            : Value();
  std::vector<Registers> rows = loadMatrices(left, 0), columns = loadMatrices(right, 0);
  for (int64_t step = 0; step < stepsOfDepth(); step += mmaDepth) {
    std::vector<Registers> nextRows, nextColumns;
    if (step + mmaDepth < stepsOfDepth()) {
      nextRows = loadMatrices(left, step + mmaDepth);
      nextColumns = loadMatrices(right, step + mmaDepth);
    }
    MutableArrayRef<Value> own = sums;
    for (const Registers &row : rows)
      for (const Registers &column : columns)
        for (size_t half : {0, 2}) {
          llvm::copy(multiply(row, ArrayRef(column).slice(half, 2), own.take_front(sumsOfThread)), own.begin());
          own = own.drop_front(sumsOfThread);
        }
    rows = std::move(nextRows);
    columns = std::move(nextColumns);
  }
  return sums;
}

} // namespace cameo::schedule

#include "passes/Schedule/Emission/Gpu/MmaTileNest.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

/// Rows of the matrices that ldmatrix reads, bytes of each, and points of four of them, of which a thread gets as many
/// registers.
static constexpr int64_t matrixSide = 8, rowBytes = 16, blockSide = 16, registersOfLoad = 4;
/// Sums of an instruction that a thread has: two neighbouring columns of a row, and the same of the row eight below.
/// Four neighbouring threads have a row.
static constexpr int64_t sumsOfThread = 4, sumColumns = 2, threadsOfRow = mmaColumns / sumColumns;

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
  addLanes(contraction.rows, divide(lane, threadsOfRow), matrixSide, /*apart=*/1);
  addLanes(contraction.columns, remainder(lane, threadsOfRow), threadsOfRow, /*apart=*/sumColumns);
}

/// Elements from one point of an operand to the next, and from one step of the depth.
std::pair<int64_t, int64_t> MmaTileNest::stridesOf(const SharedLayout &layout) const {
  return layout.isDepthInner ? std::pair(stepsOfDepth(), int64_t(1))
                             : std::pair(int64_t(1), layout.elements / stepsOfDepth());
}

/// Where this thread reads. Of matrices it gives the address of a row of 16 bytes: of the first one the first 8
/// threads, and so on. The four matrices of the left operand are points first, those of the right one steps first, so
/// that what an instruction takes are neighbouring registers. Where it reads numbers, they are those that matrices
/// would give it: the point by its number in eights, one of four steps by its number in these.
void MmaTileNest::prepareSide(Side &side, NodeId load, bool isLeft) {
  side.operand = &*llvm::find_if(operands, [&](const SharedOperand &each) { return each.getNode() == load; });
  side.isLeft = isLeft;
  side.points = pointsAlong(isLeft ? contraction.rows : contraction.columns);
  const SharedLayout &layout = side.operand->getLayout();
  auto scale = [&](Value value, int64_t factor) {
    return arith::MulIOp::create(builder, nest.loc, value, constant(factor)).getResult();
  };
  auto add = [&](Value a, Value b) { return arith::AddIOp::create(builder, nest.loc, a, b).getResult(); };
  Value point, step;
  if (readsMatrices(nest.nodes[load], layout)) {
    Value row = remainder(lane, matrixSide), inner = remainder(divide(lane, matrixSide), 2),
          outer = divide(lane, 2 * matrixSide);
    point = scale(isLeft ? inner : outer, matrixSide);
    step = scale(isLeft ? outer : inner, rowBytes / bytesOf(nest.nodes[load].type));
    // A row is of neighbours in memory: steps of one point, or points of one step.
    (layout.isDepthInner ? point : step) = add(layout.isDepthInner ? point : step, row);
  } else {
    point = divide(lane, threadsOfRow);
    step = remainder(lane, threadsOfRow);
  }
  auto [pointStride, stepStride] = stridesOf(layout);
  Value offset = add(add(side.operand->getThreadOffset(), scale(point, pointStride)), scale(step, stepStride));
  side.place = side.operand->placeOf(offset);
}

void MmaTileNest::prepareOperands() {
  prepareSide(left, contraction.left, /*isLeft=*/true);
  prepareSide(right, contraction.right, /*isLeft=*/false);
}

/// The element `offset` on from where the thread reads. What is beyond the last exchange is added, so that it is a part
/// of the instruction.
Value MmaTileNest::placeIn(const Side &side, int64_t offset) {
  const SharedLayout &layout = side.operand->getLayout();
  int64_t within = offset % (layout.period * layout.exchanges);
  Value at = side.place;
  if (within > 0)
    at = arith::XOrIOp::create(builder, nest.loc, at, constant(layout.placeOf(within)));
  if (side.stage)
    at = arith::AddIOp::create(builder, nest.loc, at, side.stage);
  if (offset > within)
    at = arith::AddIOp::create(builder, nest.loc, at, constant(offset - within));
  return at;
}

Value MmaTileNest::bitcast(Value value, Type type) {
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, nest.loc, type, value).getResult();
}

/// Adds four registers: of f16 as two numbers each, of all else as 32 bits.
void MmaTileNest::loadMatrices(const Side &side, int64_t offset, Registers &registers) {
  Location loc = nest.loc;
  const Node &node = nest.nodes[side.operand->getNode()];
  Type bits = builder.getI32Type();
  Value loaded = NVVM::LdMatrixOp::create(
      builder, loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {bits, bits, bits, bits}),
      pointerTo(builder, loc, side.operand->getMemory(), placeIn(side, offset), bytesOf(node.type),
                NVVM::NVVMMemorySpace::Shared),
      /*num=*/4, side.operand->getLayout().isDepthInner ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(builder.getContext(), matrixSide, matrixSide), NVVM::LdStMatrixEltType::B16);
  Type type = node.type.isF16() ? VectorType::get({2}, node.type) : bits;
  for (int64_t matrix = 0; matrix < registersOfLoad; ++matrix)
    registers.push_back(bitcast(LLVM::ExtractValueOp::create(builder, loc, loaded, matrix), type));
}

/// The same numbers one by one, where an instruction would have to turn more than 16 bits around.
void MmaTileNest::loadNumbers(const Side &side, int64_t offset, Registers &registers) {
  auto [pointStride, stepStride] = stridesOf(side.operand->getLayout());
  for (int64_t matrix = 0; matrix < registersOfLoad; ++matrix) {
    int64_t inner = matrix % 2, outer = matrix / 2, point = (side.isLeft ? inner : outer) * matrixSide,
            step = (side.isLeft ? outer : inner) * threadsOfRow;
    Value number = memref::LoadOp::create(builder, nest.loc, side.operand->getMemory(),
                                          placeIn(side, offset + point * pointStride + step * stepStride));
    registers.push_back(bitcast(number, builder.getI32Type()));
  }
}

/// What one instruction takes of each 16 points of the warp, as it is in shared memory, from step `step` on.
std::vector<MmaTileNest::Registers> MmaTileNest::load(const Side &side, int64_t step) {
  const Node &node = nest.nodes[side.operand->getNode()];
  const SharedLayout &layout = side.operand->getLayout();
  auto [pointStride, stepStride] = stridesOf(layout);
  int64_t stepsOfLoad = mmaDepthBytes / bytesOf(node.type);
  std::vector<Registers> all;
  for (int64_t point = 0; point < side.points; point += blockSide) {
    Registers &registers = all.emplace_back();
    for (int64_t further = 0; further < gpuSchedule.tensor->depth; further += stepsOfLoad) {
      int64_t offset = point * pointStride + (step + further) * stepStride;
      if (readsMatrices(node, layout))
        loadMatrices(side, offset, registers);
      else
        loadNumbers(side, offset, registers);
    }
  }
  return all;
}

Value MmaTileNest::roundToTf32(Value number) {
  return NVVM::ConvertFloatToTF32Op::create(builder, nest.loc, builder.getI32Type(), number, NVVM::FPRoundingMode::RNA);
}

/// Adds the two parts of a number. The large one is rounded by hand, which takes fewer instructions: of what is no
/// number and of what is infinite the small part is no number, and so is the sum.
void MmaTileNest::split(Value bits, Factors &factors) {
  constexpr int32_t half = 0x1000, kept = -0x2000; // of the 13 bits that tf32 has not
  auto number = [&](int32_t value) { return arith::ConstantIntOp::create(builder, nest.loc, value, 32); };
  Type f32 = builder.getF32Type();
  Value large = arith::AndIOp::create(builder, nest.loc, arith::AddIOp::create(builder, nest.loc, bits, number(half)),
                                      number(kept));
  Value rest = arith::SubFOp::create(builder, nest.loc, bitcast(bits, f32), bitcast(large, f32));
  factors.numbers.push_back(large);
  factors.rest.push_back(roundToTf32(rest));
}

/// Of 16 steps of f32 four registers of two halves each. A thread has one of four steps, and not two neighbours: both
/// operands take the same steps for these, so that the sums are those of all steps in another order.
MmaTileNest::Registers MmaTileNest::roundToHalves(const Side &side, const Registers &read) {
  bool isBrain = gpuSchedule.tensor->kind == TensorKind::MmaBf16;
  Type half = isBrain ? Type(builder.getBF16Type()) : Type(builder.getF16Type()), f32 = builder.getF32Type();
  auto pack = [&](Value low, Value high) {
    Value both = vector::FromElementsOp::create(builder, nest.loc, VectorType::get({2}, f32),
                                                ValueRange{bitcast(low, f32), bitcast(high, f32)});
    Value halves = arith::TruncFOp::create(builder, nest.loc, VectorType::get({2}, half), both);
    return isBrain ? bitcast(halves, builder.getI32Type()) : halves;
  };
  Registers packed;
  for (size_t number = 0; number < registersOfLoad; ++number) {
    size_t inner = number % 2, outer = number / 2, begin = (side.isLeft ? outer : inner) * registersOfLoad;
    packed.push_back(side.isLeft ? pack(read[begin + inner], read[begin + inner + 2])
                                 : pack(read[begin + 2 * outer], read[begin + 2 * outer + 1]));
  }
  return packed;
}

std::vector<MmaTileNest::Factors> MmaTileNest::convert(const Side &side, ArrayRef<Registers> all) {
  std::vector<Factors> factors;
  for (const Registers &read : all) {
    Factors &own = factors.emplace_back();
    switch (gpuSchedule.tensor->kind) {
    case TensorKind::Mma:
      own.numbers = read;
      break;
    case TensorKind::MmaF16:
    case TensorKind::MmaBf16:
      own.numbers = roundToHalves(side, read);
      break;
    case TensorKind::MmaTf32:
      for (Value bits : read)
        own.numbers.push_back(roundToTf32(bitcast(bits, builder.getF32Type())));
      break;
    case TensorKind::Mma3xTf32:
      for (Value bits : read)
        split(bits, own);
      break;
    }
  }
  return factors;
}

/// The types that the registers do not say.
static std::optional<std::array<NVVM::MMATypes, 2>> typesOf(const TensorShape &shape, const LoopNest &nest,
                                                            const Contraction &contraction) {
  auto both = [](NVVM::MMATypes type) { return std::array{type, type}; };
  if (std::optional<std::pair<ByteFactor, ByteFactor>> bytes = matchByteProducts(nest)) {
    auto typeOf = [&](NodeId load) {
      bool isSigned = (bytes->first.load == load ? bytes->first : bytes->second).isSigned;
      return isSigned ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
    };
    return std::array{typeOf(contraction.left), typeOf(contraction.right)};
  }
  Type number = nest.nodes[contraction.left].type;
  if (shape.kind == TensorKind::MmaTf32 || shape.kind == TensorKind::Mma3xTf32)
    return both(NVVM::MMATypes::tf32);
  if (shape.kind == TensorKind::MmaBf16 || number.isBF16())
    return both(NVVM::MMATypes::bf16);
  return std::nullopt;
}

/// The sums of 16 rows and 8 columns, of which those of this thread are `sums`.
MmaTileNest::Registers MmaTileNest::multiply(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> sums) {
  Type sum = sums.front().getType();
  const TensorShape &shape = *gpuSchedule.tensor;
  Value product = NVVM::MmaOp::create(
      builder, nest.loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {sum, sum, sum, sum}), a, b, sums,
      {shape.rows, shape.columns, shape.depth}, /*b1Op=*/std::nullopt,
      sum.isInteger() ? std::optional(NVVM::MMAIntOverflow::wrapped) : std::nullopt, typesOf(shape, nest, contraction),
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Registers next;
  for (int64_t number = 0; number < sumsOfThread; ++number)
    next.push_back(LLVM::ExtractValueOp::create(builder, nest.loc, product, number));
  return next;
}

/// The small products come first, while the sums of the step are small; that of two small parts is below what sums of
/// f32 have.
MmaTileNest::Registers MmaTileNest::addProducts(const Factors &row, const Factors &column, size_t half,
                                                Registers sums) {
  auto ofHalf = [&](const Registers &registers) { return ArrayRef(registers).slice(half, registersOfLoad / 2); };
  if (!row.rest.empty()) {
    sums = multiply(row.rest, ofHalf(column.numbers), sums);
    sums = multiply(row.numbers, ofHalf(column.rest), sums);
  }
  return multiply(row.numbers, ofHalf(column.numbers), sums);
}

/// What the next instructions take is read before these multiply.
TileNest::Values MmaTileNest::computeStep(ArrayRef<Value>, Value stage, Values sums) {
  for (Side *side : {&left, &right})
    side->stage =
        stage
            ? arith::MulIOp::create(builder, nest.loc, stage, constant(side->operand->getLayout().elements)).getResult()
            : Value();
  int64_t depth = gpuSchedule.tensor->depth;
  std::vector<Registers> rows = load(left, 0), columns = load(right, 0);
  for (int64_t step = 0; step < stepsOfDepth(); step += depth) {
    std::vector<Registers> nextRows, nextColumns;
    if (step + depth < stepsOfDepth()) {
      nextRows = load(left, step + depth);
      nextColumns = load(right, step + depth);
    }
    MutableArrayRef<Value> own = sums;
    std::vector<Factors> columnFactors = convert(right, columns);
    for (const Factors &row : convert(left, rows))
      for (const Factors &column : columnFactors)
        for (size_t half : {0, 2}) {
          llvm::copy(addProducts(row, column, half, Registers(own.take_front(sumsOfThread))), own.begin());
          own = own.drop_front(sumsOfThread);
        }
    rows = std::move(nextRows);
    columns = std::move(nextColumns);
  }
  return sums;
}

} // namespace cameo::schedule

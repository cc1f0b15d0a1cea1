#include "passes/Schedule/Emission/Gpu/Mma/MmaOperand.h"

#include "passes/Schedule/Emission/Gpu/Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace cameo::schedule {

/// The bytes of a row of a matrix, and the number of points of the four matrices that ldmatrix loads into four
/// registers.
static constexpr int64_t rowBytes = 16, blockSide = 16;

Value MmaOperand::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

Value MmaOperand::add(Value a, Value b) { return arith::AddIOp::create(builder, nest.loc, a, b); }

Value MmaOperand::scale(Value value, int64_t factor) {
  return arith::MulIOp::create(builder, nest.loc, value, constant(factor));
}

Value MmaOperand::divide(Value number, int64_t by) {
  return arith::DivUIOp::create(builder, nest.loc, number, constant(by));
}

Value MmaOperand::remainder(Value number, int64_t by) {
  return arith::RemUIOp::create(builder, nest.loc, number, constant(by));
}

bool MmaOperand::hasMatrices() const { return readsMatrices(nest.nodes[operand.getNode()], operand.getLayout()); }

/// Computes the index at which this thread reads. For ldmatrix, each thread passes the address of a row of 16 bytes:
/// the first 8 threads those of the first matrix, and so on. The four matrices of the left operand are ordered by
/// points first, those of the right operand by steps first, so that an instruction takes neighbouring registers.
/// Without ldmatrix, a thread reads the elements that ldmatrix would give it: the quotient of its number by four
/// selects one of eight points, the remainder one of four steps.
MmaOperand::MmaOperand(OpBuilder &builder, const LoopNest &nest, SharedOperand &operand, MmaProduct &product,
                       const MmaSide &side, Value lane)
    : builder(builder), nest(nest), operand(operand), product(product), side(side) {
  const SharedLayout &layout = operand.getLayout();
  bool hasTaps = !layout.taps.empty();
  pointStride = !layout.isDepthInner ? 1 : hasTaps ? layout.stepsOfTap : side.steps;
  stepStride = layout.isDepthInner ? 1 : hasTaps ? layout.stepStride : layout.elements / side.steps;
  auto interleave = [&](Value column) {
    return side.isInterleaved
               ? add(divide(column, sumColumns), scale(remainder(column, sumColumns), matrixSide / sumColumns))
               : column;
  };
  Value point, step;
  if (hasMatrices()) {
    Value row = remainder(lane, matrixSide), inner = remainder(divide(lane, matrixSide), 2),
          outer = divide(lane, 2 * matrixSide);
    point = scale(side.isLeft ? inner : outer, matrixSide);
    step = scale(side.isLeft ? outer : inner, rowBytes / bytesOf(nest.nodes[operand.getNode()].type));
    // A row is contiguous in memory: steps of one point, or points of one step.
    if (layout.isDepthInner)
      point = add(point, interleave(row));
    else
      step = add(step, row);
  } else {
    point = interleave(divide(lane, threadsOfRow));
    step = remainder(lane, threadsOfRow);
  }
  Value offset = add(add(operand.getThreadOffset(), offsetOfPoint(point, blockSide)), scale(step, stepStride));
  place = operand.placeOf(offset);
}

/// Returns the offset in elements of the warp's point number `number`, which is below `count`.
Value MmaOperand::offsetOfPoint(Value number, int64_t count) {
  if (side.parts.empty())
    return scale(number, pointStride);
  Value offset = constant(0);
  for (auto [size, stride] : llvm::reverse(side.parts)) {
    if (size == 1)
      continue;
    offset = add(offset, scale(size < count ? remainder(number, size) : number, stride));
    if (size >= count)
      break;
    number = divide(number, size);
    count /= size;
  }
  return offset;
}

int64_t MmaOperand::offsetOfPoint(int64_t number) const {
  if (side.parts.empty())
    return number * pointStride;
  int64_t offset = 0;
  for (auto [size, stride] : llvm::reverse(side.parts)) {
    offset += number % size * stride;
    number /= size;
  }
  return offset;
}

/// Returns the offset in elements of step number `number`.
int64_t MmaOperand::offsetOfStep(int64_t number) const {
  const SharedLayout &layout = operand.getLayout();
  return layout.taps.empty() ? number * stepStride
                             : layout.taps[number / layout.stepsOfTap] + number % layout.stepsOfTap * stepStride;
}

/// Returns the address of the element that is `offset` after the thread's first one. Multiples of the period of
/// exchanges are a constant part, which becomes an immediate of the instruction.
Value MmaOperand::addressOf(int64_t offset) {
  const SharedLayout &layout = operand.getLayout();
  int64_t within = layout.exchangedPart(offset), bytes = bytesOf(nest.nodes[operand.getNode()].type);
  Value at = place;
  if (within > 0)
    at = arith::XOrIOp::create(builder, nest.loc, at, constant(layout.placeOf(within)));
  Value first = pointerTo(builder, nest.loc, operand.getMemory(), at, bytes, NVVM::NVVMMemorySpace::Shared);
  return pointerBehind(builder, nest.loc, first, stage, (offset - within) * bytes);
}

/// Appends four registers that one ldmatrix loads.
void MmaOperand::loadMatrices(int64_t offset, Registers &registers) {
  Location loc = nest.loc;
  Type number = nest.nodes[operand.getNode()].type, bits = builder.getI32Type();
  Value loaded = NVVM::LdMatrixOp::create(
      builder, loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {bits, bits, bits, bits}), addressOf(offset),
      /*num=*/4, operand.getLayout().isDepthInner ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(builder.getContext(), matrixSide, matrixSide), NVVM::LdStMatrixEltType::B16);
  for (int64_t matrix = 0; matrix < factorRegisters; ++matrix)
    registers.push_back(product.asRegister(LLVM::ExtractValueOp::create(builder, loc, loaded, matrix), number));
}

/// Appends the same registers, loaded one by one, because ldmatrix cannot transpose elements of more than 16 bits.
void MmaOperand::loadNumbers(int64_t offset, Registers &registers) {
  for (int64_t matrix = 0; matrix < factorRegisters; ++matrix) {
    int64_t inner = matrix % 2, outer = matrix / 2, point = (side.isLeft ? inner : outer) * matrixSide,
            step = (side.isLeft ? outer : inner) * threadsOfRow;
    Value number = LLVM::LoadOp::create(builder, nest.loc, nest.nodes[operand.getNode()].type,
                                        addressOf(offset + point * pointStride + step * stepStride));
    registers.push_back(product.asRegister(number, builder.getI32Type()));
  }
}

std::vector<MmaOperand::Registers> MmaOperand::load(int64_t step) {
  int64_t stepsOfLoad = mmaDepthBytes / bytesOf(nest.nodes[operand.getNode()].type);
  std::vector<Registers> all;
  for (int64_t point = 0; point < side.points; point += blockSide) {
    Registers &registers = all.emplace_back();
    for (int64_t further = 0; further < product.getShape().depth; further += stepsOfLoad) {
      int64_t offset = offsetOfPoint(point) + offsetOfStep(step + further);
      if (hasMatrices())
        loadMatrices(offset, registers);
      else
        loadNumbers(offset, registers);
    }
  }
  return all;
}

std::vector<MmaProduct::Factors> MmaOperand::convert(ArrayRef<Registers> all) {
  std::vector<MmaProduct::Factors> factors;
  for (const Registers &read : all)
    factors.push_back(product.convert(side.isLeft, read));
  return factors;
}

} // namespace cameo::schedule

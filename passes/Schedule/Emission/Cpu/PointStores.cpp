// Emits stores of single points: elements, vectors, masked lanes, scatters.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "passes/Schedule/Nests/TransposedLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/bit.h"

using namespace mlir;

namespace cameo::schedule {

/// Stores the first `count` lanes of `value` with the fewest vectors of power-of-two sizes.
static void storeFirstLanes(OpBuilder &builder, Location loc, Value value, Value memory, Value at, int64_t count) {
  for (int64_t from = 0, lanes = 0; from < count; from += lanes) {
    lanes = llvm::bit_floor(static_cast<uint64_t>(count - from));
    Value to = at;
    if (from > 0)
      to = arith::AddIOp::create(builder, loc, at, arith::ConstantIndexOp::create(builder, loc, from));
    if (lanes == 1) {
      memref::StoreOp::create(builder, loc, vector::ExtractOp::create(builder, loc, value, from), memory, to);
      continue;
    }
    auto taken = llvm::to_vector(llvm::seq(from, from + lanes));
    vector::StoreOp::create(builder, loc, vector::ShuffleOp::create(builder, loc, value, value, taken), memory, to);
  }
}

/// Keeps `value`, the vector of `output` at `point`, until those of all points along `dim` are known. Then stores them
/// as one contiguous vector.
void PointEvaluator::storeInterleaved(const Output &output, const Point &point, unsigned dim, Value value,
                                      Value memory) {
  Point first = point;
  first[dim] = 0;
  SmallVector<Value> &vectors = interleaved[{&output, first}];
  vectors.resize(positions[dim].size);
  vectors[point[dim]] = value;
  if (!llvm::all_of(vectors, [](Value vector) { return bool(vector); }))
    return;
  while (vectors.size() > 1) {
    size_t half = vectors.size() / 2;
    for (size_t number = 0; number < half; ++number)
      vectors[number] = vector::InterleaveOp::create(builder, loc, vectors[number], vectors[number + half]);
    vectors.resize(half);
  }
  vector::StoreOp::create(builder, loc, vectors.front(), memory, address(output.address, first));
}

void PointEvaluator::store(const Output &output, const Point &point, ArrayRef<Value> accumulators) {
  Value value = toStorage(evaluate(output.value, point, accumulators));
  Value memory = buffers[output.buffer], index = output.index ? evaluate(*output.index, point, accumulators) : Value();
  bool isComputedByLane = index && isa<VectorType>(index.getType());
  auto addressOf = [&](Value index) {
    return address(output.address, point,
                   index ? arith::MulIOp::create(builder, loc, index, indexConstant(output.stride)).getResult()
                         : Value());
  };
  Value at = isComputedByLane ? Value() : addressOf(index);
  Size stride = schedule.vectorDim ? output.address.coefficients[*schedule.vectorDim] : Size(0);
  bool perPoint = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
  if (!perPoint) {
    memref::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  value = asVector(value);
  Value mask = maskAt(point);
  if (!isComputedByLane && stride == 1 && !mask) {
    vector::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  std::optional<unsigned> dim = mask ? std::nullopt : interleavedDim(nest, output, *schedule.vectorDim);
  if (dim && positions[*dim].size == stride && !positions[*dim].length) {
    storeInterleaved(output, point, *dim, value, memory);
    return;
  }
  bool isCounted = positions[*schedule.vectorDim].length != nullptr;
  if (!isComputedByLane && stride == 1 && !isCounted && !hasMaskRegisters()) {
    storeFirstLanes(builder, loc, value, memory, at, lanesAt(point));
    return;
  }
  if (!isComputedByLane && stride == 1) {
    vector::MaskedStoreOp::create(builder, loc, memory, at, mask, value);
    return;
  }
  if (isCounted) {
    storeCountedLanes(value, memory, at, stride, point);
    return;
  }
  for (int64_t lane = 0; lane < lanesAt(point); ++lane) {
    if (isComputedByLane)
      at = addressOf(vector::ExtractOp::create(builder, loc, index, lane));
    Value to = lane == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(lane * stride)).getResult();
    Value element = vector::ExtractOp::create(builder, loc, value, lane);
    memref::StoreOp::create(builder, loc, element, memory, to);
  }
}

} // namespace cameo::schedule

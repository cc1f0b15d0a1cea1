// What single points write: elements, vectors, lanes under a mask, places that are computed.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

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
  if (!isComputedByLane && stride == 1) {
    vector::MaskedStoreOp::create(builder, loc, memory, at, mask, value);
    return;
  }
  if (positions[*schedule.vectorDim].length) {
    vector::ScatterOp::create(builder, loc, /*resultType=*/Type(), memory, at, laneOffsets(stride), mask, value);
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

// Lanes of which only a run knows how many there are: nothing behind the last one is read or written. Gathers and
// scatters of processors take longer than an instruction per lane.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

Value PointEvaluator::lanesLeft(const Point &point) {
  return arith::SubIOp::create(builder, loc, positions[*schedule.vectorDim].length,
                               indexConstant(point[*schedule.vectorDim]));
}

Value PointEvaluator::orFirstElement(Value address, const Point &point) {
  Value isLane = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, lanesLeft(point), indexConstant(0));
  return arith::SelectOp::create(builder, loc, isLane, address, indexConstant(0));
}

Value PointEvaluator::loadMaskedLanes(const Node &node, Value address, Value offsets, Value mask) {
  Value memory = buffers[node.buffer], places = arith::AddIOp::create(builder, loc, asVector(address), offsets);
  places = arith::SelectOp::create(builder, loc, mask, places, asVector(indexConstant(0)));
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < schedule.lanes; ++lane)
    elements.push_back(memref::LoadOp::create(builder, loc, memory,
                                              vector::ExtractOp::create(builder, loc, places, lane).getResult()));
  auto type = VectorType::get(schedule.lanes, cast<MemRefType>(memory.getType()).getElementType());
  return fromStorage(vector::FromElementsOp::create(builder, loc, type, elements), node.type);
}

Value PointEvaluator::maskOfElements(const Point &point, const Size &stride, int64_t between, int64_t first,
                                     int64_t count) {
  Value last = arith::SubIOp::create(builder, loc, lanesLeft(point), indexConstant(1));
  last = arith::MulIOp::create(builder, loc, last, indexConstant(stride));
  int64_t shift = stride > 0 ? between - first : -first;
  auto type = VectorType::get(count, builder.getI1Type());
  Value mask = vector::CreateMaskOp::create(
      builder, loc, type, arith::AddIOp::create(builder, loc, last, indexConstant(shift)).getResult());
  if (stride > 0)
    return mask;
  // The last lane comes first in memory.
  Value all = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, true));
  return arith::XOrIOp::create(builder, loc, mask, all);
}

void PointEvaluator::storeCountedLanes(Value value, Value memory, Value address, const Size &stride,
                                       const Point &point) {
  // Lanes behind the last one are stored where the first one is, and before it.
  Value left = lanesLeft(point);
  SmallVector<std::pair<Value, Value>> stores;
  for (int64_t lane = schedule.lanes; lane-- > 0;) {
    Value at = address;
    if (lane > 0) {
      Value own = arith::AddIOp::create(builder, loc, address, indexConstant(stride * lane));
      Value isLane = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, left, indexConstant(lane));
      at = arith::SelectOp::create(builder, loc, isLane, own, address);
    }
    stores.emplace_back(vector::ExtractOp::create(builder, loc, value, lane), at);
  }
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, left, indexConstant(0));
  auto branch = scf::IfOp::create(builder, loc, isAny, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  for (auto [element, at] : stores)
    memref::StoreOp::create(builder, loc, element, memory, at);
}

} // namespace cameo::schedule

// Emits the loads of a PointEvaluator that runs of points share (see SharedRun): scalars if a run fills a vector,
// shuffles if several runs do.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace cameo::schedule {

/// Returns `step`, a divisor of `length`, and `offset`: within its run, `point` is at a multiple of `step` plus
/// `offset`, for all iterations of the loops.
PointEvaluator::PlaceInRun PointEvaluator::placeInRun(const SharedRun &shared, const Point &point) const {
  int64_t step = shared.length;
  for (auto [dim, coefficient] : llvm::enumerate(shared.position.coefficients))
    for (auto [value, scale] : positions[dim].terms)
      step = std::gcd(step, int64_t(coefficient * scale));
  return {step, int64_t(constantPart(shared.position, point)) % step};
}

/// Returns the scalar that the run of `point` shares.
Value PointEvaluator::loadOfRun(const Node &node, const Point &point) {
  const SharedRun &shared = *node.shared;
  PlaceInRun place = placeInRun(shared, point);
  LinearForm first = node.address;
  if (place.step == shared.length) {
    first.constant += -place.offset;
    return loadScalar(node, address(first, point));
  }
  Value before = arith::RemUIOp::create(builder, loc, address(shared.position, point), indexConstant(shared.length));
  return loadScalar(node, arith::SubIOp::create(builder, loc, address(first, point), before));
}

Value PointEvaluator::loadShared(const Node &node, const Point &point) {
  const SharedRun &shared = *node.shared;
  if (!isVector(node))
    return loadOfRun(node, point);
  PlaceInRun place = placeInRun(shared, point);
  bool runsAlongVector = shared.position.coefficients[*schedule.vectorDim] == 1;
  if (runsAlongVector && place.offset + lanesAt(point) <= place.step)
    return asVector(loadOfRun(node, point));
  std::optional<unsigned> step = stepInRun(nest, node, shared.length);
  bool isAtBegin = place.step == shared.length && place.offset == 0;
  if (runsAlongVector && isAtBegin && schedule.lanes % shared.length == 0 && step && positions[*step].terms.empty())
    return loadRuns(node, point, positions[*step].constant + point[*step]);
  SmallVector<Value> elements;
  Point own = point;
  for (int64_t lane = 0; lane < lanesAt(point); ++lane, ++own[*schedule.vectorDim])
    elements.push_back(loadOfRun(node, own));
  elements.resize(schedule.lanes, elements.front());
  return vector::FromElementsOp::create(builder, loc, VectorType::get(schedule.lanes, node.type), elements);
}

/// Returns a vector with element number `step` of each of the runs that fill it, for all points of the run. The
/// elements are loaded once for all steps. The 128-bit parts that contain the element are shuffled first, for all steps
/// of a part, because shuffles within 128 bits are a single instruction.
Value PointEvaluator::loadRuns(const Node &node, const Point &point, int64_t step) {
  int64_t length = node.shared->length,
          part = std::min(length, std::max<int64_t>(1, 128 / int64_t(node.type.getIntOrFloatBitWidth())));
  LinearForm first = node.address;
  first.constant += -step;
  auto shuffled = [&](Value vector, int64_t unit, int64_t size, int64_t from) {
    SmallVector<int64_t> sources;
    for (int64_t lane = 0; lane < schedule.lanes; ++lane)
      sources.push_back(llvm::alignDown(lane, size) + from + lane % unit);
    return vector::ShuffleOp::create(builder, loc, vector, vector, sources).getResult();
  };
  auto kept = [&](int64_t number) -> Value & {
    return runs[{&node, int64_t(constantPart(first, point)), lanesAt(point), number}];
  };
  Value &whole = kept(-1), &parts = kept(step / part);
  if (!whole)
    whole = loadVector(node, address(first, point), maskOf(lanesAt(point)));
  if (!parts)
    parts = part == length ? whole : shuffled(whole, part, length, llvm::alignDown(step, part));
  return shuffled(parts, 1, part, step % part);
}

} // namespace cameo::schedule

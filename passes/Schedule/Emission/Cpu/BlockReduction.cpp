// Emits the accumulators of a register block: their initial values, and the reduction loops that update them.
#include "passes/Schedule/Emission/Cpu/NestEmitter.h"

#include "passes/Schedule/Emission/Cpu/ByteDotEmitter.h"
#include "passes/Schedule/Emission/Cpu/CombineLanes.h"
#include "passes/Schedule/Nests/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns `point` plus `step`.
static Point operator+(Point point, const Point &step) {
  for (auto [offset, further] : llvm::zip_equal(point, step))
    offset += further;
  return point;
}

/// Sets the number of accumulators per point to the number of vectors that the innermost loop over the lanes unrolls.
void NestEmitter::setChains() {
  chains = 1;
  if (!reducesLanes())
    return;
  int64_t unrolled = positions[*schedule.vectorDim].size;
  for (const Loop &loop : schedule.loops)
    if (schedule.vectorDim == loop.dim)
      unrolled = std::min(unrolled, loop.size);
  chains = chainsOf(schedule, unrolled);
}

NestEmitter::Values NestEmitter::startBlock() {
  PointEvaluator start = evaluator();
  Values accumulators;
  for (const Point &point : blockPoints)
    for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
      Value initial;
      if (reducesLanes())
        initial = arith::ConstantOp::create(builder, loc, matchCombiner(nest, number)->identity);
      else
        initial = start.evaluate(reduction.initial, point, {});
      accumulators.append(chains, start.asVector(initial));
    }
  return accumulators;
}

NestEmitter::Values NestEmitter::emitReduction(unsigned level, Values accumulators) {
  if (level == schedule.loops.size())
    return emitUpdates(std::move(accumulators));
  return emitEach(level, std::move(accumulators),
                  [&](Values carried) { return emitInnerReduction(level, std::move(carried)); });
}

/// Emits the body of loop `level`: it continues the accumulators, or computes a partial result from the identity and
/// adds it.
NestEmitter::Values NestEmitter::emitInnerReduction(unsigned level, Values accumulators) {
  if (schedule.partialLoop != level)
    return emitReduction(level + 1, std::move(accumulators));
  Values partial = emitReduction(level + 1, identityValues());
  return addPartial(std::move(accumulators), partial);
}

Combiner NestEmitter::combinerOf(size_t accumulator) const {
  return *matchCombiner(nest, accumulator / chains % nest.reductions.size());
}

/// Returns accumulators that hold the identity.
NestEmitter::Values NestEmitter::identityValues() {
  PointEvaluator start = evaluator();
  Values partial;
  for (size_t number = 0; number < blockPoints.size() * nest.reductions.size() * chains; ++number)
    partial.push_back(start.asVector(arith::ConstantOp::create(builder, loc, combinerOf(number).identity)));
  return partial;
}

/// The chains of a point are added to its first one: registers for all of them are few beside those of the partial
/// result.
NestEmitter::Values NestEmitter::addPartial(Values accumulators, ArrayRef<Value> partial) {
  for (size_t first = 0; first < accumulators.size(); first += chains) {
    vector::CombiningKind kind = combinerOf(first).kind;
    Value sum = partial[first];
    for (Value chain : partial.slice(first + 1, chains - 1))
      sum = vector::makeArithReduction(builder, loc, kind, sum, chain);
    accumulators[first] = vector::makeArithReduction(builder, loc, kind, accumulators[first], sum);
  }
  return accumulators;
}

/// Returns the flags of the operation that combines the partial results of a reduction.
static arith::FastMathFlags flagsOf(const LoopNest &nest, const Reduction &reduction) {
  auto op = dyn_cast<arith::ArithFastMathInterface>(nest.nodes[reduction.update].op);
  return op ? op.getFastMathFlagsAttr().getValue() : arith::FastMathFlags::none;
}

NestEmitter::Values NestEmitter::emitUpdates(Values accumulators) {
  PointEvaluator body = evaluator();
  for (NodeId id : nest.loads(/*insideReduction=*/true))
    if (nest.nodes[id].packed && nest.nodes[id].packed->prefetched)
      body.prefetch(id, panel, share);
  if (schedule.dotDim)
    return emitDots(body, std::move(accumulators));
  if (!schedule.combinesSteps)
    return emitSteps(body, std::move(accumulators));
  Values ofSteps = emitSteps(body, identityValues());
  return addPartial(std::move(accumulators), ofSteps);
}

NestEmitter::Values NestEmitter::emitSteps(PointEvaluator &body, Values accumulators) {
  unsigned count = nest.reductions.size();
  for (const Point &step : pointsOf(/*reduction=*/true))
    for (auto [number, blockPoint] : llvm::enumerate(blockPoints)) {
      Point point = blockPoint + step;
      unsigned chain = chains == 1 ? 0 : step[*schedule.vectorDim] / schedule.lanes % chains;
      Values running;
      for (unsigned reduction = 0; reduction < count; ++reduction)
        running.push_back(accumulators[(number * count + reduction) * chains + chain]);
      Values updated;
      for (const Reduction &reduction : nest.reductions)
        updated.push_back(body.asVector(body.evaluate(reduction.update, point, running)));
      Value mask = reducesLanes() ? body.maskAt(point) : Value();
      for (auto [reduction, next] : llvm::enumerate(updated)) {
        if (mask)
          next = arith::SelectOp::create(builder, loc, mask, next, running[reduction]);
        accumulators[(number * count + reduction) * chains + chain] = next;
      }
    }
  return accumulators;
}

NestEmitter::Values NestEmitter::emitDots(PointEvaluator &body, Values accumulators) {
  ByteDot dot = *matchByteDot(nest, schedule);
  ByteDotEmitter dots(builder, loc, dot, schedule.lanes, machine.byteProducts, body);
  if (dot.isScaled())
    return emitScaledDots(dot, dots, body, std::move(accumulators));
  for (const Point &step : pointsOf(/*reduction=*/true))
    for (auto [accumulator, blockPoint] : llvm::zip_equal(accumulators, blockPoints)) {
      ByteDotEmitter::Sum sum{accumulator};
      dots.accumulate(blockPoint + step, sum);
      accumulator = dots.finish(sum);
    }
  return accumulators;
}

/// Computes integer sums along the dot dimension, scales them and adds them to the accumulators.
NestEmitter::Values NestEmitter::emitScaledDots(const ByteDot &dot, ByteDotEmitter &dots, PointEvaluator &body,
                                                Values accumulators) {
  SmallVector<Point> steps = pointsOf(/*reduction=*/true);
  for (const Point &first : steps) {
    if (first[*schedule.dotDim] != 0)
      continue;
    SmallVector<Point> groups;
    for (int64_t offset = 0; offset < positions[*schedule.dotDim].size; offset += dotGroup) {
      groups.push_back(first);
      groups.back()[*schedule.dotDim] = offset;
    }
    SmallVector<ByteDotEmitter::Sum> sums;
    for (const Point &blockPoint : blockPoints) {
      Point sharedPoint = blockPoint;
      sharedPoint[*schedule.vectorDim] = 0;
      sums.push_back(dots.start(blockPoint + first,
                                llvm::map_to_vector(groups, [&](const Point &group) { return sharedPoint + group; })));
    }
    for (const Point &group : groups)
      for (auto [sum, blockPoint] : llvm::zip_equal(sums, blockPoints))
        dots.accumulate(blockPoint + group, sum);
    for (auto [accumulator, sum, blockPoint] : llvm::zip_equal(accumulators, sums, blockPoints)) {
      body.define(*dot.sum, blockPoint + first, dots.finish(sum));
      accumulator = body.asVector(body.evaluate(nest.reductions[0].update, blockPoint + first, accumulator));
    }
  }
  return accumulators;
}

/// Whether the lanes of several points are combined together. Processors have instructions of their own for narrow
/// integers, and long functions of the results begin one after the other.
bool NestEmitter::combinesTogether(const Reduction &reduction) const {
  constexpr unsigned leastBits = 32;
  return nest.nodes[reduction.update].type.getIntOrFloatBitWidth() >= leastBits &&
         nest.nodes[reduction.initial].kind == Node::Kind::Constant && functions.empty();
}

/// Combines the partial results of the lanes and chains of each point.
NestEmitter::Values NestEmitter::finishLanes(PointEvaluator &evaluator, Values accumulators) {
  unsigned count = nest.reductions.size();
  Values results(blockPoints.size() * count);
  for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
    vector::CombiningKind kind = matchCombiner(nest, number)->kind;
    arith::FastMathFlags flags = flagsOf(nest, reduction);
    auto flagsAttr = arith::FastMathFlagsAttr::get(builder.getContext(), flags);
    Values partials;
    for (size_t point = 0; point < blockPoints.size(); ++point) {
      ArrayRef<Value> own = ArrayRef(accumulators).slice((point * count + number) * chains, chains);
      partials.push_back(own.front());
      for (Value chain : own.drop_front())
        partials.back() = vector::makeArithReduction(builder, loc, kind, partials.back(), chain, flagsAttr);
    }
    auto initialAt = [&](const Point &point) { return evaluator.evaluate(reduction.initial, point, {}); };
    if (combinesTogether(reduction)) {
      Values combined = combineLanes(builder, loc, kind, flagsAttr, partials, initialAt(blockPoints.front()));
      for (auto [point, result] : llvm::enumerate(combined))
        results[point * count + number] = result;
      continue;
    }
    // The order in which lanes are added is free.
    flags = flags | arith::FastMathFlags::reassoc;
    for (auto [point, partial] : llvm::enumerate(partials))
      results[point * count + number] =
          vector::ReductionOp::create(builder, loc, kind, partial, initialAt(blockPoints[point]), flags);
  }
  return results;
}

} // namespace cameo::schedule

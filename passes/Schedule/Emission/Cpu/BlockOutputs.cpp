// Emits the outputs of a register block.
#include "passes/Schedule/Emission/Cpu/NestEmitter.h"

#include "passes/Schedule/Emission/Cpu/KernelStack.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns the number of vectors of the block at each point of the other dimensions.
int64_t NestEmitter::vectorsPerPoint() const {
  return llvm::divideCeil(positions[*schedule.vectorDim].size, int64_t(schedule.lanes));
}

void NestEmitter::emitOutputs(Values accumulators) {
  if (finishesInLoops()) {
    keepOnStack(accumulators);
    finishInLoops(0, 0);
    return;
  }
  PointEvaluator finish = evaluator();
  if (reducesLanes())
    accumulators = finishLanes(finish, accumulators);
  finishPoints(finish, blockPoints, accumulators);
}

/// Stores the outputs at `points`. Long functions are computed first, interleaved for a few points, because their steps
/// depend on each other.
void NestEmitter::finishPoints(PointEvaluator &finish, ArrayRef<Point> points, ArrayRef<Value> accumulators) {
  unsigned count = nest.reductions.size();
  while (!points.empty()) {
    ArrayRef<Point> some = points.take_front(schedule.functionsInTurns);
    for (NodeId function : functions)
      for (auto [number, point] : llvm::enumerate(some))
        finish.evaluate(function, point, accumulators.slice(number * count, count));
    for (auto [number, point] : llvm::enumerate(some))
      for (const Output &output : nest.outputs)
        finish.store(output, point, accumulators.slice(number * count, count));
    points = points.drop_front(some.size());
    accumulators = accumulators.drop_front(some.size() * count);
  }
}

/// Whether the block has more points than one iteration of a loop over its results covers.
bool NestEmitter::finishesInLoops() const {
  return schedule.finishesInLoop &&
         int64_t(blockPoints.size()) > std::max(schedule.functionsInTurns, vectorsPerPoint());
}

/// Returns an upper bound of the number of vectors in a block.
int64_t NestEmitter::largestBlock() const {
  int64_t vectors = 1;
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim) {
    int64_t size = nest.dims[dim].reduction ? 1 : mostPoints(nest.dims[dim]);
    for (const Loop &loop : schedule.loops)
      size = loop.dim == dim ? std::min(size, loop.size) : size;
    vectors *= schedule.vectorDim == dim ? llvm::divideCeil(size, int64_t(schedule.lanes)) : size;
  }
  return vectors;
}

/// Stores the accumulators of the block's points, in order, to one stack array per reduction.
void NestEmitter::keepOnStack(ArrayRef<Value> accumulators) {
  unsigned count = nest.reductions.size();
  if (kept.empty())
    for (Value accumulator : accumulators.take_front(count)) {
      auto type =
          MemRefType::get({largestBlock() * schedule.lanes}, cast<VectorType>(accumulator.getType()).getElementType());
      kept.push_back(allocateOnStack(builder, loc, type));
    }
  for (auto [number, accumulator] : llvm::enumerate(accumulators))
    vector::StoreOp::create(builder, loc, accumulator, kept[number % count], constant(number / count * schedule.lanes));
}

/// Emits loops over the block's innermost dimension that compute the outputs. Loops around these would make LLVM keep
/// the functions' constants in registers that the accumulators need.
void NestEmitter::finishInLoops(unsigned dim, int64_t before) {
  auto isLooped = [&](unsigned dim) {
    return !nest.dims[dim].reduction && dim != schedule.vectorDim && positions[dim].size > 1;
  };
  while (!isLooped(dim))
    ++dim;
  Position saved = positions[dim];
  before *= saved.size;
  if (llvm::any_of(llvm::seq<unsigned>(dim + 1, nest.dims.size()), isLooped)) {
    positions[dim].size = 1;
    for (int64_t index = 0; index < saved.size; ++index, ++positions[dim].constant)
      finishInLoops(dim + 1, before + index);
  } else {
    for (const Segment &part :
         divide(saved.size, std::max<int64_t>(1, schedule.functionsInTurns / vectorsPerPoint()), /*even=*/true)) {
      auto loop = scf::ForOp::create(builder, loc, constant(0), constant(part.count), constant(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      positions[dim] = {saved.terms, saved.constant + part.begin, part.size};
      positions[dim].terms.push_back({loop.getInductionVar(), part.size});
      Value first = arith::MulIOp::create(builder, loc, loop.getInductionVar(),
                                          constant(part.size * vectorsPerPoint() * schedule.lanes));
      finishKept(arith::AddIOp::create(builder, loc, first,
                                       constant((before + part.begin) * vectorsPerPoint() * schedule.lanes)));
    }
  }
  positions[dim] = saved;
}

/// Computes the outputs of points whose accumulators keepOnStack stored from element `first` on.
void NestEmitter::finishKept(Value first) {
  Values accumulators;
  SmallVector<Point> points = pointsOf(/*reduction=*/false);
  for (int64_t number = 0; number < int64_t(points.size()); ++number)
    for (Value array : kept) {
      auto type = VectorType::get(schedule.lanes, cast<MemRefType>(array.getType()).getElementType());
      Value at = arith::AddIOp::create(builder, loc, first, constant(number * schedule.lanes));
      accumulators.push_back(vector::LoadOp::create(builder, loc, type, array, at));
    }
  PointEvaluator finish = evaluator();
  finishPoints(finish, points, accumulators);
}

} // namespace cameo::schedule

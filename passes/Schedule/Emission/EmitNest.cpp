// The loops of a nest: first over the parallel dimensions, then, around the register block, over the reductions with one
// loop-carried value per accumulator. Accumulators that are reloaded in the loop instead cost a factor of three.
#include "passes/Schedule/Emission/EmitNest.h"

#include "passes/Schedule/Emission/ByteDotEmitter.h"
#include "passes/Schedule/Emission/DividePosition.h"
#include "passes/Schedule/Emission/KernelStack.h"
#include "passes/Schedule/Emission/PartialResults.h"
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

using Values = SmallVector<Value>;

/// Long functions that are computed side by side: their steps wait for each other, those of different ones do not.
constexpr int64_t functionsInTurns = 4;

/// What the loops over blocks do of each.
enum class Stage { All, Start, Continue, Finish };

class NestEmitter {
public:
  NestEmitter(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, ArrayRef<Value> buffers,
              Instructions instructions)
      : builder(builder), loc(nest.loc), nest(nest), schedule(schedule), buffers(buffers), instructions(instructions) {
    for (const Dimension &dim : nest.dims)
      positions.push_back(dim.extent.isKnown() ? Position{{}, 0, dim.extent}
                                               : Position{{}, 0, unboundedSize, createSize(builder, loc, dim.extent)});
    panel = positions;
    functions = nest.computed(/*insideReduction=*/false);
    llvm::erase_if(functions, [&](NodeId id) { return !isLongFunction(nest.nodes[id]); });
    for (auto [level, loop] : llvm::enumerate(schedule.loops))
      if (!nest.dims[loop.dim].reduction)
        parallelDepth = level + 1;
  }

  void setRow(unsigned dim, Value index) {
    panel[dim] = positions[dim] = {{{index, 1}}, 0, 1};
    ++rowDims;
  }
  void emitRange(Value begin, Value end, unsigned level = 0);
  void emitLoops(unsigned level);

private:
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Values emitEach(unsigned level, Values carried, llvm::function_ref<Values(Values)> body);
  /// Notes that the positions are those inside of loop `level`.
  void enter(unsigned level) {
    if (unsigned dim = schedule.loops[level].dim; dim == schedule.vectorDim || nest.dims[dim].reduction)
      panel = positions;
  }
  /// Runs `body` at every piece of loop `level`, over a parallel dimension; what is noted inside does not hold for the next one.
  void inEach(unsigned level, llvm::function_ref<void()> body) {
    emitEach(level, {}, [&](Values) {
      llvm::SaveAndRestore before(panel);
      enter(level);
      return body(), Values();
    });
  }
  void emitPieces(ArrayRef<Value> pieces, unsigned level);
  void emitStages(unsigned level);
  void emitBlock();
  Values startBlock();
  void emitOutputs(Values accumulators);
  Values emitReduction(unsigned level, Values accumulators);
  Values emitInnerReduction(unsigned level, Values accumulators);
  Values emitUpdates(Values accumulators);
  Values emitDots(PointEvaluator &body, Values accumulators);
  Values finishLanes(PointEvaluator &evaluator, Values accumulators);
  void finishPoints(PointEvaluator &evaluator, ArrayRef<Point> points, ArrayRef<Value> accumulators);
  bool finishesInLoops() const;
  /// Vectors that the block has at each point of the other dimensions.
  int64_t vectorsPerPoint() const { return llvm::divideCeil(positions[*schedule.vectorDim].size, int64_t(schedule.lanes)); }
  /// At least the number of vectors of every block.
  int64_t largestBlock() const;
  void keepOnStack(ArrayRef<Value> accumulators);
  void finishInLoops(unsigned dim, int64_t before);
  void finishKept(Value first);
  SmallVector<Point> pointsOf(bool reduction) const;
  void setChains();
  bool reducesLanes() const { return schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction; }
  PointEvaluator evaluator() {
    return PointEvaluator(builder, loc, nest, schedule, buffers, positions, instructions.fusedMultiplyAdd);
  }

  OpBuilder &builder;
  Location loc;
  const LoopNest &nest;
  const NestSchedule &schedule;
  ArrayRef<Value> buffers;
  Instructions instructions;
  SmallVector<Position> positions;
  SmallVector<Position> panel; ///< where the loops stood when they came to this block of the packed operands
  std::optional<PointShare> share; ///< where every call of the kernel comes to all blocks
  std::pair<Value, Value> called;  ///< the part of the parallel range that a call has
  SmallVector<Point> blockPoints;
  Values kept; ///< see keepOnStack
  SmallVector<NodeId> functions; ///< long ones that the outputs are computed of
  unsigned rowDims = 0;
  unsigned parallelDepth = 0; ///< the loops from here on are those around the updates, over reductions
  Stage stage = Stage::All;
  std::optional<PartialResults> partials; ///< where blocks do not run through all of the reduction at once
  /// Independent partial results per point when lanes are reduced: one alone would wait for each addition in turn.
  unsigned chains = 1;
};

/// All offsets of the block along the parallel (or the reduction) dimensions; the vector dimension varies fastest, in
/// steps of a vector.
SmallVector<Point> NestEmitter::pointsOf(bool reduction) const {
  SmallVector<Point> points = {Point(nest.dims.size(), 0)};
  auto expand = [&](unsigned dim, int64_t step) {
    SmallVector<Point> expanded;
    for (const Point &point : points)
      for (int64_t offset = 0; offset < positions[dim].size; offset += step) {
        expanded.push_back(point);
        expanded.back()[dim] = offset;
      }
    points = std::move(expanded);
  };
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction == reduction && schedule.vectorDim != dim)
      expand(dim, schedule.dotDim == dim ? dotGroup : 1);
  if (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction == reduction)
    expand(*schedule.vectorDim, schedule.lanes);
  return points;
}

/// The loops from `level` on, of the parallel ones what [begin, end) has.
void NestEmitter::emitRange(Value begin, Value end, unsigned level) {
  unsigned outermost = schedule.repeatedLoops;
  called = {begin, end};
  if (level == 0 && outermost > 0 && nest.hasKnownSizes())
    share = sharePoints(builder, loc, nest, schedule, begin, end);
  if (level < outermost) {
    inEach(level, [&] { emitRange(begin, end, level + 1); });
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, begin, end, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> pieces(schedule.parallelEnd());
  Value rest = loop.getInductionVar();
  for (level = pieces.size(); level-- > outermost + 1;) {
    const Loop &loop = schedule.loops[level];
    Value count = createSize(builder, loc, countPieces(nest.dims[loop.dim].extent, loop.size));
    pieces[level] = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
  }
  if (outermost < pieces.size())
    pieces[outermost] = rest;
  emitPieces(pieces, outermost);
}

/// Turns the piece numbers of the parallel loops, from `level` on, into positions; a dimension that has pieces of two sizes branches.
void NestEmitter::emitPieces(ArrayRef<Value> pieces, unsigned level) {
  if (level == pieces.size()) {
    emitLoops(level);
    return;
  }
  const Loop &loop = schedule.loops[level];
  Position saved = positions[loop.dim];
  if (saved.length) {
    positions[loop.dim] = cutPiece(builder, loc, saved, pieces[level], loop.size);
    if (loop.size == 1 || isDividedInside(schedule, level)) {
      enter(level);
      emitPieces(pieces, level + 1);
    } else {
      inEach(level, [&] { emitPieces(pieces, level + 1); });
    }
    positions[loop.dim] = saved;
    return;
  }
  SmallVector<Segment, 2> parts = segmentsOf(nest, schedule, loop, saved.size);
  auto emitPart = [&](const Segment &part, int64_t firstPiece) {
    // Element index = begin + (piece - firstPiece) * size.
    positions[loop.dim] = saved;
    positions[loop.dim].terms.push_back({pieces[level], part.size});
    positions[loop.dim].constant += part.begin - firstPiece * part.size;
    positions[loop.dim].size = part.size;
    enter(level);
    emitPieces(pieces, level + 1);
    positions[loop.dim] = saved;
  };
  if (parts.size() == 1)
    return emitPart(parts[0], 0);
  Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, pieces[level],
                                      constant(parts[0].count));
  auto branch = scf::IfOp::create(builder, loc, first, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitPart(parts[0], 0);
  builder.setInsertionPointToStart(branch.elseBlock());
  emitPart(parts[1], parts[0].count);
}

void NestEmitter::emitLoops(unsigned level) {
  if (level == parallelDepth) {
    emitBlock();
    return;
  }
  const Loop &loop = schedule.loops[level];
  if (nest.dims[loop.dim].reduction && stage != Stage::Continue) {
    if (stage == Stage::All)
      emitStages(level);
    else
      emitLoops(level + 1);
    return;
  }
  inEach(level, [&] {
    evaluator().prefetchOverlaps(level, panel, called);
    emitLoops(level + 1);
  });
}

/// Runs `body` at every piece that loop `level` makes, one after the other; each takes what the one before returns.
Values NestEmitter::emitEach(unsigned level, Values carried, llvm::function_ref<Values(Values)> body) {
  unsigned dim = schedule.loops[level].dim;
  Position saved = positions[dim];
  SmallVector<Pieces, 2> all = dividePosition(builder, nest, schedule, level, saved);
  for (const Pieces &pieces : all) {
    positions[dim] = pieces.first;
    if (!pieces.count) {
      carried = body(std::move(carried));
      continue;
    }
    auto loop = scf::ForOp::create(builder, loc, constant(0), pieces.count, constant(1), carried);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value piece = loop.getInductionVar();
    if (pieces.first.length)
      positions[dim] = cutPiece(builder, loc, pieces.first, piece, pieces.first.size);
    else
      positions[dim].terms.push_back({piece, pieces.first.size});
    Values next = body(Values(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end()));
    if (!carried.empty())
      scf::YieldOp::create(builder, loc, next);
    carried.assign(loop.getResults().begin(), loop.getResults().end());
  }
  positions[dim] = saved;
  return carried;
}

/// As many chains as the innermost loop over the lanes unrolls vectors.
void NestEmitter::setChains() {
  chains = 1;
  if (!reducesLanes())
    return;
  int64_t unrolled = positions[*schedule.vectorDim].size;
  for (const Loop &loop : schedule.loops)
    if (schedule.vectorDim == loop.dim)
      unrolled = std::min(unrolled, loop.size);
  chains = std::clamp<int64_t>(llvm::divideCeil(unrolled, int64_t(schedule.lanes)), 1, 8);
}

/// Loops over a reduction around loops over blocks, from `level` on: each block goes on from what it left in memory.
void NestEmitter::emitStages(unsigned level) {
  partials.emplace(builder, nest, schedule, positions);
  for (Stage next : {Stage::Start, Stage::Continue, Stage::Finish}) {
    stage = next;
    emitLoops(level);
  }
  stage = Stage::All;
  partials.reset();
}

void NestEmitter::emitBlock() {
  blockPoints = pointsOf(/*reduction=*/false);
  setChains();
  Values accumulators = partials && stage != Stage::Start ? partials->load(positions, blockPoints) : startBlock();
  if (nest.hasReduction() && (stage == Stage::All || stage == Stage::Continue))
    accumulators = emitReduction(parallelDepth, std::move(accumulators));
  if (stage == Stage::All || stage == Stage::Finish)
    emitOutputs(std::move(accumulators));
  else
    partials->store(positions, blockPoints, accumulators);
}

Values NestEmitter::startBlock() {
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

/// Stores the outputs at `points`. Long functions come first, for a few points side by side, so that their steps can take turns.
void NestEmitter::finishPoints(PointEvaluator &finish, ArrayRef<Point> points, ArrayRef<Value> accumulators) {
  unsigned count = nest.reductions.size();
  while (!points.empty()) {
    ArrayRef<Point> some = points.take_front(functionsInTurns);
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

/// Whether long functions are computed of a block's results. Unrolled for all points, LLVM interleaves them, and what is under way
/// fills the stack many times over.
bool NestEmitter::finishesInLoops() const {
  if (!nest.hasReduction() || !schedule.vectorDim || reducesLanes() ||
      int64_t(blockPoints.size()) <= std::max(functionsInTurns, vectorsPerPoint()))
    return false;
  bool isStorable = llvm::none_of(nest.reductions, [&](const Reduction &reduction) {
    return nest.nodes[reduction.initial].type.isInteger(1);
  });
  return isStorable && llvm::any_of(functions, [&](NodeId id) { return nest.nodes[id].usesAccumulator; });
}

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

/// Stores the accumulators of the block's points, in order, to one array on the stack per reduction.
void NestEmitter::keepOnStack(ArrayRef<Value> accumulators) {
  unsigned count = nest.reductions.size();
  if (kept.empty())
    for (Value accumulator : accumulators.take_front(count)) {
      auto type = MemRefType::get({largestBlock() * schedule.lanes}, cast<VectorType>(accumulator.getType()).getElementType());
      kept.push_back(allocateOnStack(builder, loc, type));
    }
  for (auto [number, accumulator] : llvm::enumerate(accumulators))
    vector::StoreOp::create(builder, loc, accumulator, kept[number % count], constant(number / count * schedule.lanes));
}

/// Completes the block's points in loops over its innermost dimension. Loops around these too would make LLVM keep the functions'
/// constants in registers that the accumulators need.
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
    for (const Segment &part : divide(saved.size, std::max<int64_t>(1, functionsInTurns / vectorsPerPoint()), /*even=*/true)) {
      auto loop = scf::ForOp::create(builder, loc, constant(0), constant(part.count), constant(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      positions[dim] = {saved.terms, saved.constant + part.begin, part.size};
      positions[dim].terms.push_back({loop.getInductionVar(), part.size});
      Value first = arith::MulIOp::create(builder, loc, loop.getInductionVar(), constant(part.size * vectorsPerPoint() * schedule.lanes));
      finishKept(arith::AddIOp::create(builder, loc, first, constant((before + part.begin) * vectorsPerPoint() * schedule.lanes)));
    }
  }
  positions[dim] = saved;
}

/// Completes points whose accumulators keepOnStack stored from element `first` on.
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

/// One partial result per lane becomes the result.
Values NestEmitter::finishLanes(PointEvaluator &evaluator, Values accumulators) {
  unsigned count = nest.reductions.size();
  Values results;
  for (unsigned number = 0; number < blockPoints.size() * count; ++number) {
    vector::CombiningKind kind = matchCombiner(nest, number % count)->kind;
    Value partial = accumulators[number * chains];
    for (unsigned chain = 1; chain < chains; ++chain)
      partial = vector::makeArithReduction(builder, loc, kind, partial, accumulators[number * chains + chain]);
    Value initial = evaluator.evaluate(nest.reductions[number % count].initial, blockPoints[number / count], {});
    // Lanes may be added in any order.
    auto reassociate = arith::FastMathFlags::reassoc;
    results.push_back(vector::ReductionOp::create(builder, loc, kind, partial, initial, reassociate));
  }
  return results;
}

Values NestEmitter::emitReduction(unsigned level, Values accumulators) {
  if (level == schedule.loops.size())
    return emitUpdates(std::move(accumulators));
  return emitEach(level, std::move(accumulators), [&](Values carried) { return emitInnerReduction(level, std::move(carried)); });
}

/// What is inside of loop `level`: continues the running results, or starts anew and adds to them.
Values NestEmitter::emitInnerReduction(unsigned level, Values accumulators) {
  if (schedule.partialLoop != level)
    return emitReduction(level + 1, std::move(accumulators));
  PointEvaluator start = evaluator();
  auto combinerOf = [&](size_t number) { return *matchCombiner(nest, number / chains % nest.reductions.size()); };
  Values partial;
  for (size_t number = 0; number < accumulators.size(); ++number)
    partial.push_back(start.asVector(arith::ConstantOp::create(builder, loc, combinerOf(number).identity)));
  partial = emitReduction(level + 1, std::move(partial));
  for (auto [number, accumulator] : llvm::enumerate(accumulators))
    accumulator = vector::makeArithReduction(builder, loc, combinerOf(number).kind, accumulator, partial[number]);
  return accumulators;
}

Values NestEmitter::emitDots(PointEvaluator &body, Values accumulators) {
  ByteDotEmitter dots(builder, loc, *matchByteDot(nest, schedule), schedule.lanes, instructions.byteProducts, body);
  for (const Point &step : pointsOf(/*reduction=*/true))
    for (auto [accumulator, blockPoint] : llvm::zip_equal(accumulators, blockPoints)) {
      Point point = blockPoint;
      for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
        point[dim] += step[dim];
      accumulator = dots.accumulate(point, accumulator);
    }
  return accumulators;
}

Values NestEmitter::emitUpdates(Values accumulators) {
  PointEvaluator body = evaluator();
  unsigned count = nest.reductions.size();
  for (NodeId id : nest.loads(/*insideReduction=*/true))
    if (nest.nodes[id].packed && nest.nodes[id].packed->prefetched)
      body.prefetch(id, panel, share);
  if (schedule.dotDim)
    return emitDots(body, std::move(accumulators));
  for (const Point &step : pointsOf(/*reduction=*/true))
    for (auto [number, blockPoint] : llvm::enumerate(blockPoints)) {
      Point point = blockPoint;
      for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
        point[dim] += step[dim];
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

} // namespace

void emitNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, ArrayRef<Value> buffers,
              ArrayRef<Value> rows, std::optional<std::pair<Value, Value>> range,
              Instructions instructions) {
  assert(verify(nest, schedule, rows.size()).empty() && "the schedule does not fit the nest");
  NestEmitter emitter(builder, nest, schedule, buffers, instructions);
  for (auto [dim, row] : llvm::enumerate(rows))
    emitter.setRow(dim, row);
  if (range)
    emitter.emitRange(range->first, range->second);
  else
    emitter.emitLoops(0);
}

} // namespace cameo::schedule

// Emits the loops of a nest: first over the parallel dimensions, then, around the register block, over the reductions,
// with one loop-carried value per accumulator. Reloading accumulators in the loop would be three times as slow.
#include "passes/Schedule/Emission/Cpu/EmitNest.h"

#include "passes/Schedule/Emission/Cpu/DividePosition.h"
#include "passes/Schedule/Emission/Cpu/NestEmitter.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"
#include "passes/Schedule/Nests/TensorSizes.h"
#include "passes/Schedule/Steps/VerifySchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace cameo::schedule {

NestEmitter::NestEmitter(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                         ArrayRef<Value> buffers, const Machine &machine, unsigned rowDims, bool isInRange)
    : builder(builder), loc(nest.loc), nest(nest), schedule(schedule), buffers(buffers), machine(machine) {
  for (auto [number, dim] : llvm::enumerate(nest.dims)) {
    // An empty parallel range is not dispatched.
    Size extent = isInRange && !dim.reduction ? dim.extent : loopExtent(nest, number, rowDims);
    positions.push_back(dim.extent.isKnown() ? Position{{}, 0, dim.extent}
                                             : Position{{}, 0, unboundedSize, createSize(builder, loc, extent)});
  }
  panel = positions;
  functions = nest.computed(/*insideReduction=*/false);
  llvm::erase_if(functions, [&](NodeId id) { return !isLongFunction(nest.nodes[id]); });
  for (auto [level, loop] : llvm::enumerate(schedule.loops))
    if (!nest.dims[loop.dim].reduction)
      parallelDepth = level + 1;
}

void NestEmitter::setRow(unsigned dim, Value index) {
  panel[dim] = positions[dim] = {{{index, 1}}, 0, 1};
  ++rowDims;
}

void NestEmitter::turnEveryRow(Value row) { isOddRow = arith::AndIOp::create(builder, loc, row, constant(1)); }

/// Returns the number of the piece that comes after `before` others, of `count`: in reverse order in rows that run
/// backwards.
Value NestEmitter::pieceInTurn(Value before, Value count) {
  if (!isOddRow)
    return before;
  Value twice = arith::AddIOp::create(builder, loc, isOddRow, isOddRow);
  Value step = arith::SubIOp::create(builder, loc, constant(1), twice);
  Value first = arith::MulIOp::create(builder, loc, isOddRow, arith::SubIOp::create(builder, loc, count, constant(1)));
  return arith::AddIOp::create(builder, loc, first, arith::MulIOp::create(builder, loc, before, step));
}

Value NestEmitter::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

/// Updates `panel` inside of loop `level`.
void NestEmitter::enter(unsigned level) {
  if (unsigned dim = schedule.loops[level].dim; dim == schedule.vectorDim || nest.dims[dim].reduction)
    panel = positions;
}

/// Emits `body` for every piece of loop `level`, which is over a parallel dimension, and restores `panel` afterwards.
void NestEmitter::inEach(unsigned level, llvm::function_ref<void()> body) {
  emitEach(level, {}, [&](Values) {
    llvm::SaveAndRestore before(panel);
    enter(level);
    body();
    return Values();
  });
}

/// Returns all offsets of the block along the parallel (or the reduction) dimensions. The vector dimension varies
/// fastest, in steps of a vector.
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

void NestEmitter::emitRange(Value begin, Value end, unsigned level) {
  unsigned outermost = schedule.repeatedLoops;
  called = {begin, end};
  if (level == 0 && outermost > 0 && nest.hasKnownSizes())
    share = sharePoints(builder, loc, nest, schedule, begin, end);
  if (level < outermost) {
    inEach(level, [&] { emitRange(begin, end, level + 1); });
    return;
  }
  SmallVector<Segment, 2> parts = partsOf(outermost);
  if (parts.size() < 2) {
    emitPiecesBetween(begin, end, [&](ArrayRef<Value> pieces) { emitPieces(pieces, outermost); });
    return;
  }
  // A loop for each size of the outermost pieces. A branch in each piece would keep what all have in common inside.
  Value border = constant(parts[0].count);
  for (const Loop &inner : ArrayRef(schedule.loops).slice(outermost + 1, schedule.parallelEnd() - outermost - 1))
    border = arith::MulIOp::create(builder, loc, border,
                                   createSize(builder, loc, countPieces(nest.dims[inner.dim].extent, inner.size)));
  emitPiecesBetween(begin, arith::MinUIOp::create(builder, loc, end, border),
                    [&](ArrayRef<Value> pieces) { emitPart(pieces, outermost, parts[0], 0); });
  emitPiecesBetween(arith::MaxUIOp::create(builder, loc, begin, border), end,
                    [&](ArrayRef<Value> pieces) { emitPart(pieces, outermost, parts[1], parts[0].count); });
}

/// Emits a loop over pieces of the parallel loops inside of the repeated ones. `body` gets the numbers of a piece.
void NestEmitter::emitPiecesBetween(Value begin, Value end, llvm::function_ref<void(ArrayRef<Value>)> body) {
  unsigned outermost = schedule.repeatedLoops;
  auto loop = scf::ForOp::create(builder, loc, begin, end, constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> pieces(schedule.parallelEnd());
  auto countOf = [&](unsigned level) {
    const Loop &parallel = schedule.loops[level];
    return countPieces(nest.dims[parallel.dim].extent, parallel.size);
  };
  // Outer loops of one piece would keep the division, whose quotient is 0.
  for (; outermost + 1 < pieces.size() && countOf(outermost) == 1; ++outermost)
    pieces[outermost] = constant(0);
  Value rest = loop.getInductionVar();
  for (unsigned level = pieces.size(); level-- > outermost + 1;) {
    Value count = createSize(builder, loc, countOf(level));
    pieces[level] = arith::RemUIOp::create(builder, loc, rest, count);
    rest = arith::DivUIOp::create(builder, loc, rest, count);
  }
  if (outermost < pieces.size())
    pieces[outermost] = rest;
  body(pieces);
}

/// Returns the pieces of parallel loop `level` by their sizes: one or two; none if only a run knows the sizes, or there
/// is no such loop.
SmallVector<Segment, 2> NestEmitter::partsOf(unsigned level) const {
  if (level == schedule.parallelEnd())
    return {};
  const Loop &loop = schedule.loops[level];
  const Position &position = positions[loop.dim];
  return position.length ? SmallVector<Segment, 2>() : segmentsOf(nest, schedule, loop, position.size);
}

/// Emits the pieces of loop `level` that are in `part`, of which the first has number `firstPiece`.
void NestEmitter::emitPart(ArrayRef<Value> pieces, unsigned level, const Segment &part, int64_t firstPiece) {
  // Element index = begin + (piece - firstPiece) * size.
  unsigned dim = schedule.loops[level].dim;
  Position saved = positions[dim];
  positions[dim].terms.push_back({pieces[level], part.size});
  positions[dim].constant += part.begin - firstPiece * part.size;
  positions[dim].size = part.size;
  enter(level);
  emitPieces(pieces, level + 1);
  positions[dim] = saved;
}

/// Computes positions from the piece numbers of the parallel loops, from `level` on. A dimension with pieces of two
/// sizes needs a branch, but the outermost one.
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
  SmallVector<Segment, 2> parts = partsOf(level);
  if (parts.size() == 1)
    return emitPart(pieces, level, parts[0], 0);
  Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, pieces[level], constant(parts[0].count));
  auto branch = scf::IfOp::create(builder, loc, first, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitPart(pieces, level, parts[0], 0);
  builder.setInsertionPointToStart(branch.elseBlock());
  emitPart(pieces, level, parts[1], parts[0].count);
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
    if (level + 1 == fetchDepth)
      fetchShare();
    emitLoops(level + 1);
  });
}

/// Emits `body` for every piece of loop `level`, in order, with loop-carried values.
NestEmitter::Values NestEmitter::emitEach(unsigned level, Values carried, llvm::function_ref<Values(Values)> body) {
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
    Value piece = pieceInTurn(loop.getInductionVar(), pieces.count);
    if (pieces.isLast)
      positions[dim] = pieces.first;
    else if (pieces.first.length)
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

/// Emits reduction loops around loops over blocks, from `level` on: each block continues from its partial results in
/// memory.
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
  Values accumulators;
  // A piece of a reduction loop around the blocks either starts from the identity and is added to the partial results,
  // or continues from them.
  if (stage == Stage::Continue && schedule.partialLoop && *schedule.partialLoop < parallelDepth) {
    accumulators = emitReduction(parallelDepth, identityValues());
    accumulators = addPartial(partials->load(positions, blockPoints), accumulators);
  } else {
    accumulators = partials && stage != Stage::Start ? partials->load(positions, blockPoints) : startBlock();
    if (nest.hasReduction() && (stage == Stage::All || stage == Stage::Continue))
      accumulators = emitReduction(parallelDepth, std::move(accumulators));
  }
  if (stage == Stage::All || stage == Stage::Finish)
    emitOutputs(std::move(accumulators));
  else
    partials->store(positions, blockPoints, accumulators);
}

void emitNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, ArrayRef<Value> buffers,
              ArrayRef<Value> rows, std::optional<std::pair<Value, Value>> range, const Machine &machine,
              std::optional<RowFetch> fetch) {
  assert(verify(nest, schedule, rows.size(), machine).empty() && "the schedule does not fit the nest");
  NestEmitter emitter(builder, nest, schedule, buffers, machine, rows.size(), range.has_value());
  for (auto [dim, row] : llvm::enumerate(rows))
    emitter.setRow(dim, row);
  if (schedule.turnsRows)
    emitter.turnEveryRow(rows.back());
  if (fetch)
    emitter.fetchBeside(*fetch);
  if (range)
    emitter.emitRange(range->first, range->second);
  else
    emitter.emitLoops(0);
}

} // namespace cameo::schedule

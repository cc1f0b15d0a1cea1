#include "passes/Schedule/Emission/Cpu/DividePosition.h"

#include "passes/Schedule/Nests/FlattenedRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

bool isDividedInside(const NestSchedule &schedule, unsigned level) {
  return llvm::any_of(ArrayRef(schedule.loops).drop_front(level + 1),
                      [&](const Loop &loop) { return loop.dim == schedule.loops[level].dim; });
}

/// Whether a remainder of rows of any size is one piece: two would read what the rows share twice, unless it is fetched
/// ahead. Two dynamic dimensions would multiply the number of kinds of blocks.
static bool hasPiecesOfAllSizes(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop) {
  constexpr int64_t fewRows = 8;
  return loop.size <= fewRows && nest.hasReduction() && schedule.vectorDim &&
         !nest.dims[*schedule.vectorDim].reduction && schedule.prefetchedBuffers.empty() &&
         llvm::count_if(nest.dims, [](const Dimension &dim) { return !dim.extent.isKnown(); }) == 1;
}

/// Returns the size of the pieces for the remainder of pieces of `size`, each with its own code. Along the vector
/// dimension they are masked (0), along reductions single points, elsewhere powers of two up to half of the size or all
/// sizes.
static int64_t nextSize(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop, int64_t size) {
  if (loop.dim == schedule.vectorDim || size == 1)
    return 0;
  if (nest.dims[loop.dim].reduction)
    return 1;
  return hasPiecesOfAllSizes(nest, schedule, loop) ? size - 1 : llvm::PowerOf2Ceil(size) / 2;
}

/// Returns the size of the smallest masked pieces for what remains along the vector dimension: a vector, so that short
/// remainders have no empty ones. The points of a product share what is loaded for a whole block, so there it is one.
static int64_t leastMasked(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop) {
  bool sharesLoads = nest.hasReduction() && !nest.dims[loop.dim].reduction;
  bool isPacked = !schedule.packedBuffers.empty() ||
                  llvm::any_of(nest.nodes, [](const Node &node) { return node.shared.has_value(); });
  if (sharesLoads || isPacked)
    return loop.size;
  return std::min<int64_t>(loop.size, vectorsPerPeriod(nest, loop.dim, schedule.lanes) * schedule.lanes);
}

static SmallVector<Pieces, 2> divideCounted(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                                            unsigned level, Position rest) {
  const Loop &loop = schedule.loops[level];
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto countWithRest = [&](int64_t size) -> Value {
    return arith::CeilDivSIOp::create(builder, loc, rest.length, constant(size));
  };
  if (isDividedInside(schedule, level))
    return {{{rest.terms, rest.constant, loop.size, rest.length}, countWithRest(loop.size)}};
  SmallVector<Pieces, 2> all;
  for (int64_t size = loop.size; size > 0; size = nextSize(nest, schedule, loop, size)) {
    Value count = arith::DivSIOp::create(builder, loc, rest.length, constant(size));
    Value taken = arith::MulIOp::create(builder, loc, count, constant(size));
    all.push_back({{rest.terms, rest.constant, size}, count});
    rest.terms.push_back({taken, 1});
    rest.length = arith::SubIOp::create(builder, loc, rest.length, taken);
  }
  if (loop.dim == schedule.vectorDim) {
    int64_t least = leastMasked(nest, schedule, loop);
    Value few = countWithRest(least), none = constant(0);
    if (least < loop.size) {
      // More than half of a block is one masked block, whose vectors are computed side by side.
      Value isLong =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, rest.length, constant(loop.size / 2));
      Value one = arith::SelectOp::create(builder, loc, isLong, constant(1), none);
      all.push_back({{rest.terms, rest.constant, loop.size, rest.length}, one});
      few = arith::SelectOp::create(builder, loc, isLong, none, few);
    }
    all.push_back({{rest.terms, rest.constant, least, rest.length}, few});
  }
  return all;
}

SmallVector<Pieces, 2> dividePosition(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                                      unsigned level, const Position &whole) {
  if (whole.length)
    return divideCounted(builder, nest, schedule, level, whole);
  SmallVector<Pieces, 2> all;
  for (const Segment &part : segmentsOf(nest, schedule, schedule.loops[level], whole.size)) {
    Value count = part.count == 1 ? Value() : arith::ConstantIndexOp::create(builder, nest.loc, part.count).getResult();
    all.push_back({{whole.terms, whole.constant + part.begin, part.size}, count});
  }
  return all;
}

Position cutPiece(OpBuilder &builder, Location loc, const Position &whole, Value piece, int64_t size) {
  Position part{whole.terms, whole.constant, size};
  part.terms.push_back({piece, size});
  if (size == 1)
    return part;
  Value points = arith::ConstantIndexOp::create(builder, loc, size);
  Value before = arith::MulIOp::create(builder, loc, piece, points);
  Value left = arith::SubIOp::create(builder, loc, whole.length, before);
  part.length = arith::MinSIOp::create(builder, loc, left, points);
  return part;
}

} // namespace cameo::schedule

#include "passes/Schedule/Emission/Cpu/DividePosition.h"

#include "passes/Schedule/Nests/FlattenedRows.h"
#include "passes/Schedule/Nests/TensorSizes.h"

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

/// Returns the number of points in the incomplete piece of loop `level`, if there is one; `left` is the number that
/// whole pieces leave in this iteration of outer loops. Where these have multiples of such a piece, it is what is left
/// of the whole dimension: the same in every iteration, so that masks are made before all loops.
static Value incompletePiece(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule, unsigned level,
                             Value left) {
  const Loop &loop = schedule.loops[level];
  bool isCut = false;
  for (const Loop &outer : ArrayRef(schedule.loops).take_front(level)) {
    if (outer.dim == loop.dim && outer.size % loop.size != 0)
      return left;
    isCut |= outer.dim == loop.dim;
  }
  if (!isCut)
    return left;
  Value all = createSize(builder, nest.loc, nest.dims[loop.dim].extent);
  return arith::RemSIOp::create(builder, nest.loc, all, arith::ConstantIndexOp::create(builder, nest.loc, loop.size));
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
    rest.terms.push_back({count, size});
    rest.length = arith::SubIOp::create(builder, loc, rest.length, taken);
  }
  if (loop.dim == schedule.vectorDim) {
    int64_t least = leastMasked(nest, schedule, loop);
    Value few = countWithRest(least), none = constant(0),
          last = incompletePiece(builder, nest, schedule, level, rest.length);
    if (least < loop.size) {
      // More than half of a block is one masked block, whose vectors are computed side by side.
      Value isLong =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, rest.length, constant(loop.size / 2));
      Value one = arith::SelectOp::create(builder, loc, isLong, constant(1), none);
      all.push_back({{rest.terms, rest.constant, loop.size, last}, one, /*isLast=*/true});
      few = arith::SelectOp::create(builder, loc, isLong, none, few);
    }
    bool isLast = least == loop.size;
    all.push_back({{rest.terms, rest.constant, least, isLast ? last : rest.length}, few, isLast});
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

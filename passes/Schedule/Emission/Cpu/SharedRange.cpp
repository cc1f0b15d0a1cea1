#include "passes/Schedule/Emission/Cpu/SharedRange.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Nests/TensorSizes.h"
#include "passes/Schedule/Rules/Complete/BalancePieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

Size rowsOf(ArrayRef<NestGroup> groups) {
  Size rows = 0;
  for (const NestGroup &group : groups)
    rows += group.parallelRows();
  return rows;
}

Size extentOf(ArrayRef<NestGroup> groups, ArrayRef<NestSchedule> own) {
  if (!isAlone(groups.front()))
    return groups.size() == 1 ? parallelExtent(groups.front(), own) : rowsOf(groups);
  Size most = 0;
  for (auto [group, schedule] : llvm::zip_equal(groups, own))
    most = std::max(most, rangeExtent(group.nests[0], schedule));
  return most;
}

/// Whether `nest` stores to the same buffer as `other`, starting at a lower address.
static bool liesBefore(const LoopNest &nest, const LoopNest &other) {
  return !nest.outputs.empty() && !other.outputs.empty() && nest.outputs[0].buffer == other.outputs[0].buffer &&
         nest.outputs[0].address.constant < other.outputs[0].address.constant;
}

SharedRange::SharedRange(OpBuilder &builder, Location loc, ArrayRef<NestGroup> groups, ArrayRef<NestSchedule> own,
                         Part range)
    : builder(builder), loc(loc), groups(groups), own(own), range(range), rows(groups.size(), range) {
  if (groups.size() > 1 && !isAlone(groups.front()) && !groups.front().isLoop())
    divideRows();
}

SharedRange::Part SharedRange::partOf(size_t number) {
  const NestGroup &group = groups[number];
  if (group.isLoop())
    return loopOf(number);
  if (!isAlone(group))
    return rows[number];
  return shareOf(group.nests[0], own[number]);
}

/// Returns the rows of a loop if its iteration is in the range; each loop has one iteration. An empty range runs no
/// rows; calls of variants that do not apply to the run have one.
SharedRange::Part SharedRange::loopOf(size_t number) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value none = constant(0), rows = createSize(builder, loc, groups[number].orderedRows());
  auto isLess = arith::CmpIPredicate::ult;
  Value own = constant(static_cast<int64_t>(number)),
        hasBegun = arith::CmpIOp::create(builder, loc, isLess, own, range.second);
  Value isBehind = arith::CmpIOp::create(builder, loc, isLess, own, range.first);
  Value runs = arith::SelectOp::create(builder, loc, isBehind, none, rows);
  return {none, arith::SelectOp::create(builder, loc, hasBegun, runs, none)};
}

/// Divides the range among groups with rows of different kinds: the rows of each group are spread evenly over the
/// range, so that each thread has its share of large and small rows, and every iteration is one row. A single first or
/// last row stays first or last.
void SharedRange::divideRows() {
  auto create = [&](const Size &size) { return createSize(builder, loc, size); };
  auto [begin, end] = range;
  Size all = rowsOf(groups);
  for (size_t number = groups.size() - 1; number > 0; --number) {
    // The number of rows of earlier groups among the first `rows` rows of the groups up to this one.
    Size others = rowsOf(groups.take_front(number));
    Value divisor = create(all); // of no rows at all, too
    if (!all.isKnown())
      divisor = arith::MaxUIOp::create(builder, loc, divisor, create(1));
    auto before = [&](Value rows) -> Value {
      Value product = arith::MulIOp::create(builder, loc, rows, create(others));
      Value rounded = arith::AddIOp::create(builder, loc, product, create(all - 1));
      return arith::DivUIOp::create(builder, loc, rounded, divisor);
    };
    Value first = before(begin), behind = before(end);
    rows[number] = {arith::SubIOp::create(builder, loc, begin, first),
                    arith::SubIOp::create(builder, loc, end, behind)};
    begin = first;
    end = behind;
    all = others;
  }
  rows[0] = {begin, end};
}

/// Returns the pieces of `nest` that belong to the range, in proportion. A piece at a boundary belongs to the earlier
/// part if `nest` is stored before the results of the first group, otherwise to the later part. If pieces have two
/// sizes, it belongs to the part with more of its units.
SharedRange::Part SharedRange::shareOf(const LoopNest &nest, const NestSchedule &schedule) {
  Size extent = extentOf(groups, own), count = rangeExtent(nest, schedule);
  bool isAhead = liesBefore(nest, groups.front().nests[0]);
  auto [largeUnits, smallUnits] = schedule.pieceUnits;
  auto constant = [&](const Size &value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto divide = [&](Value value, int64_t size, int64_t rounding) -> Value {
    if (rounding > 0)
      value = arith::AddIOp::create(builder, loc, value, constant(rounding));
    return arith::DivUIOp::create(builder, loc, value, constant(size));
  };
  auto scale = [&, largeUnits = largeUnits, smallUnits = smallUnits](Value value) -> Value {
    if (count != extent)
      value = divide(arith::MulIOp::create(builder, loc, value, constant(count)), extent,
                     isAhead ? int64_t(extent) - 1 : 0);
    if (largeUnits == 1)
      return value;
    Value boundary = constant(piecesOfTwoSizes(nest, schedule)->large * largeUnits);
    Value behind = arith::SubIOp::create(builder, loc, arith::MaxUIOp::create(builder, loc, value, boundary), boundary);
    Value before = arith::MinUIOp::create(builder, loc, value, boundary);
    return arith::AddIOp::create(builder, loc, divide(before, largeUnits, largeUnits / 2),
                                 divide(behind, smallUnits, smallUnits / 2));
  };
  auto [begin, end] = range;
  return {scale(begin), scale(end)};
}

} // namespace cameo::schedule

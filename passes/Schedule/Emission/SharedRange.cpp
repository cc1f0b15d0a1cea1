#include "passes/Schedule/Emission/SharedRange.h"

#include "passes/Schedule/Nests/IndependentNests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

Size rowsOf(ArrayRef<NestGroup> groups) {
  Size rows = 0;
  for (const NestGroup &group : groups)
    rows += group.rows();
  return rows;
}

Size extentOf(ArrayRef<NestGroup> groups, ArrayRef<NestSchedule> own) {
  if (!isAlone(groups.front()))
    return groups.size() == 1 ? parallelExtent(groups.front(), own) : rowsOf(groups);
  Size most = 0;
  for (auto [group, schedule] : llvm::zip_equal(groups, own))
    most = std::max(most, parallelExtent(group.nests[0], schedule));
  return most;
}

/// Whether `nest` begins to store at a place before that where `other` does.
static bool liesBefore(const LoopNest &nest, const LoopNest &other) {
  return !nest.outputs.empty() && !other.outputs.empty() && nest.outputs[0].buffer == other.outputs[0].buffer &&
         nest.outputs[0].address.constant < other.outputs[0].address.constant;
}

SharedRange::SharedRange(OpBuilder &builder, Location loc, ArrayRef<NestGroup> groups, ArrayRef<NestSchedule> own, Part range)
    : builder(builder), loc(loc), groups(groups), own(own), range(range), rows(groups.size(), range) {
  if (groups.size() > 1 && !isAlone(groups.front()))
    divideRows();
}

SharedRange::Part SharedRange::partOf(size_t number) {
  const NestGroup &group = groups[number];
  if (!isAlone(group))
    return rows[number];
  return shareOf(parallelExtent(group.nests[0], own[number]), liesBefore(group.nests[0], groups.front().nests[0]));
}

/// The groups have rows of different kinds: every one is spread over the range, so that each thread has its share of the large and of the small rows, and
/// every iteration is one row. A single first or last one stays first or last.
void SharedRange::divideRows() {
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto [begin, end] = range;
  int64_t all = rowsOf(groups);
  for (size_t number = groups.size() - 1; number > 0; --number) {
    // Of the first rows of the kinds up to this one, so many are of those before it.
    int64_t others = rowsOf(groups.take_front(number));
    auto before = [&](Value rows) -> Value {
      Value product = arith::MulIOp::create(builder, loc, rows, constant(others));
      Value rounded = arith::AddIOp::create(builder, loc, product, constant(all - 1));
      return arith::DivUIOp::create(builder, loc, rounded, constant(all));
    };
    Value first = before(begin), behind = before(end);
    rows[number] = {arith::SubIOp::create(builder, loc, begin, first), arith::SubIOp::create(builder, loc, end, behind)};
    begin = first;
    end = behind;
    all = others;
  }
  rows[0] = {begin, end};
}

/// What the range is of `count` iterations: every one belongs to one part of it, in proportion. A single one belongs to the first part where it
/// `isAhead`, else to the last.
SharedRange::Part SharedRange::shareOf(const Size &count, bool isAhead) {
  Size extent = extentOf(groups, own);
  auto constant = [&](const Size &value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto scale = [&](Value value) -> Value {
    if (count == extent)
      return value;
    Value product = arith::MulIOp::create(builder, loc, value, constant(count));
    if (isAhead)
      product = arith::AddIOp::create(builder, loc, product, constant(extent - 1));
    return arith::DivUIOp::create(builder, loc, product, constant(extent));
  };
  auto [begin, end] = range;
  return {scale(begin), scale(end)};
}

} // namespace cameo::schedule

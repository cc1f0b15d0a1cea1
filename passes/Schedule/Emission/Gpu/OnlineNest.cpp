#include "passes/Schedule/Emission/Gpu/OnlineNest.h"

#include "dialects/Target/GpuMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

OnlineNest::OnlineNest(OpBuilder &builder, const Attention &attention, const OnlineTile &tile, ArrayRef<Value> buffers)
    : builder(builder), loc(attention.values.loc), attention(attention), tile(tile), buffers(buffers) {}

Value OnlineNest::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value OnlineNest::number(double value) {
  return arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
}

Value OnlineNest::add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }

Value OnlineNest::scale(Value value, int64_t factor) {
  return factor == 1 ? value : arith::MulIOp::create(builder, loc, value, constant(factor)).getResult();
}

Value OnlineNest::divide(Value number, int64_t by) {
  return arith::DivUIOp::create(builder, loc, number, constant(by));
}

Value OnlineNest::remainder(Value number, int64_t by) {
  return arith::RemUIOp::create(builder, loc, number, constant(by));
}

Value OnlineNest::isBelow(Value value, int64_t limit) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value, constant(limit));
}

OnlineNest::Values OnlineNest::State::all() const {
  Values values = maxima;
  llvm::append_range(values, sums);
  llvm::append_range(values, results);
  return values;
}

OnlineNest::State OnlineNest::State::of(ValueRange all, int64_t rows) {
  return {Values(all.take_front(rows)), Values(all.slice(rows, rows)), Values(all.drop_front(2 * rows))};
}

/// Rows vary fastest, so that consecutive blocks read the same keys.
void OnlineNest::locateBlock(Value block) {
  auto takeNumber = [&](int64_t count) {
    Value own = remainder(block, count);
    block = divide(block, count);
    return own;
  };
  firstRow = scale(takeNumber(llvm::divideCeil(attention.rows(), tile.rows)), tile.rows);
  outerAt.resize(attention.outer.size());
  for (size_t number = attention.outer.size(); number-- > 0;)
    outerAt[number] = takeNumber(attention.scores.dims[attention.outer[number].ofScores].extent);
}

SmallVector<Position> OnlineNest::positionsOf(bool ofScores) {
  SmallVector<Position> positions((ofScores ? attention.scores : attention.values).dims.size());
  for (auto [pair, at] : llvm::zip_equal(attention.outer, outerAt))
    positions[ofScores ? pair.ofScores : pair.ofValues].terms.push_back({at, 1});
  return positions;
}

Value OnlineNest::rowAt(Value row) {
  Value at = add(firstRow, row);
  return attention.rows() % tile.rows == 0
             ? at
             : arith::MinUIOp::create(builder, loc, at, constant(attention.rows() - 1)).getResult();
}

Value OnlineNest::scoreAt(Value row, Value key, Value product) {
  const LoopNest &nest = attention.scores;
  Value exists;
  if (attention.keys() % tile.keys != 0) {
    exists = isBelow(key, attention.keys());
    key = arith::MinUIOp::create(builder, loc, key, constant(attention.keys() - 1));
  }
  SmallVector<Position> positions = positionsOf(/*ofScores=*/true);
  positions[attention.row.ofScores].terms = {{row, 1}};
  positions[attention.key.ofScores].terms = {{key, 1}};
  Value score = NodeEvaluator(builder, loc, nest, buffers, positions)
                    .evaluate(nest.outputs[0].value, Point(nest.dims.size(), 0), product);
  if (!score.getType().isF32())
    score = arith::ExtFOp::create(builder, loc, builder.getF32Type(), score);
  return exists ? arith::SelectOp::create(builder, loc, exists, score, number(-infinity)).getResult() : score;
}

Value OnlineNest::power(Value score, Value reference) {
  return math::ExpOp::create(builder, loc, arith::SubFOp::create(builder, loc, score, reference));
}

OnlineNest::Growth OnlineNest::grow(Value before, Value greatest) {
  Value maximum = arith::MaximumFOp::create(builder, loc, before, greatest),
        isNone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, maximum, number(-infinity)),
        reference = arith::SelectOp::create(builder, loc, isNone, number(0), maximum);
  return {maximum, reference, power(before, reference)};
}

Value OnlineNest::exchange(Value value, bool isSum, int64_t threads) {
  auto bits = [&](int64_t number) { return arith::ConstantIntOp::create(builder, loc, number, 32); };
  for (int64_t half = threads / 2; half > 0; half /= 2) {
    Value other =
        gpu::ShuffleOp::create(builder, loc, value, bits(half), bits(GpuMachine::warpThreads), gpu::ShuffleMode::XOR)
            .getShuffleResult();
    value = isSum ? arith::AddFOp::create(builder, loc, value, other).getResult()
                  : arith::MaximumFOp::create(builder, loc, value, other).getResult();
  }
  return value;
}

} // namespace cameo::schedule

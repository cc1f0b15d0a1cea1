#include "passes/Schedule/Emission/Gpu/DepthSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

DepthSteps::DepthSteps(OpBuilder &builder, const LoopNest &nest, const BlockTile &tile, ArrayRef<NodeId> loads)
    : builder(builder), nest(nest), tile(tile) {
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (nest.dims[dim].reduction && tile.dims[dim].fetches() > 1)
      digits.push_back(dim);
  for (NodeId load : loads) {
    SmallVector<int64_t> &increments = operands.emplace_back();
    int64_t returned = 0; // by the digits before
    for (unsigned dim : digits) {
      int64_t moved = int64_t(nest.nodes[load].address.coefficients[dim]) * tile.dims[dim].block;
      increments.push_back(moved - returned);
      returned += moved * (tile.dims[dim].fetches() - 1);
      if (!llvm::isInt<32>(returned))
        bits = 64;
    }
  }
}

Value DepthSteps::number(int64_t value) { return arith::ConstantIntOp::create(builder, nest.loc, value, bits); }

DepthSteps::Values DepthSteps::first() { return Values(size(), number(0)); }

/// Increases the digits like those of a number. What an operand moves is that of the last digit that changes.
DepthSteps::Values DepthSteps::next(ArrayRef<Value> now) {
  if (digits.empty())
    return Values(now);
  Values after(now);
  Values wraps; // whether all digits up to this one return to 0
  for (auto [place, dim] : llvm::enumerate(digits)) {
    Value &digit = after[operands.size() + place];
    Value more = arith::AddIOp::create(builder, nest.loc, digit, number(1));
    if (place > 0)
      more = arith::SelectOp::create(builder, nest.loc, wraps.back(), more, digit);
    if (place + 1 == digits.size()) {
      digit = more;
      break;
    }
    Value wrap =
        arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::eq, more, number(tile.dims[dim].fetches()));
    digit = arith::SelectOp::create(builder, nest.loc, wrap, number(0), more);
    wraps.push_back(wrap);
  }
  for (auto [operand, increments] : llvm::enumerate(operands)) {
    Value increment = number(increments.front());
    if (!llvm::all_equal(increments)) // as of packed constants
      for (auto [wrap, further] : llvm::zip_equal(wraps, ArrayRef(increments).drop_front()))
        increment = arith::SelectOp::create(builder, nest.loc, wrap, number(further), increment);
    after[operand] = arith::AddIOp::create(builder, nest.loc, after[operand], increment);
  }
  return after;
}

Value DepthSteps::beginOf(ArrayRef<Value> now, unsigned dim) {
  const unsigned *digit = llvm::find(digits, dim);
  if (digit == digits.end())
    return number(0);
  return arith::MulIOp::create(builder, nest.loc, now[operands.size() + (digit - digits.begin())],
                               number(tile.dims[dim].block));
}

} // namespace cameo::schedule

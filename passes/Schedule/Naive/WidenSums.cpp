// A sequential sum of ten thousand floats has an error of hundreds of units in the last place, more than any reordering
// of it. With such a reference, more accurate results would count as wrong.
#include "passes/Schedule/Naive/WidenSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Returns the addition that updates running result number `number`, if its old and new value have no other use.
arith::AddFOp sumOf(linalg::GenericOp op, unsigned number) {
  BlockArgument running = op.getRegionOutputArgs()[number];
  auto add = op.getBody()->getTerminator()->getOperand(number).getDefiningOp<arith::AddFOp>();
  bool isSum = add && running.getType().isF32() && running.hasOneUse() && add->hasOneUse() &&
               (add.getLhs() == running) != (add.getRhs() == running);
  return isSum ? add : arith::AddFOp();
}

/// Creates a tensor with the shape of `like` and another element type; returns null if its sizes are not available.
Value emptyLike(OpBuilder &builder, Value like, Type element) {
  auto type = cast<RankedTensorType>(like.getType());
  ValueRange sizes;
  if (!type.hasStaticShape()) {
    while (auto fill = like.getDefiningOp<linalg::FillOp>())
      like = fill.getOutputs()[0];
    auto empty = like.getDefiningOp<tensor::EmptyOp>();
    if (!empty)
      return {};
    sizes = empty.getDynamicSizes();
  }
  return tensor::EmptyOp::create(builder, like.getLoc(), type.getShape(), element, sizes);
}

/// Converts the elements of `source` to the element type of `into`.
Value convert(OpBuilder &builder, Location loc, Value source, Value into) {
  auto type = cast<RankedTensorType>(into.getType());
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  bool widens = type.getElementType().isF64();
  return linalg::GenericOp::create(
             builder, loc, type, source, into, maps, loops,
             [&](OpBuilder &inside, Location at, ValueRange elements) {
               Value value = widens ? arith::ExtFOp::create(inside, at, inside.getF64Type(), elements[0]).getResult()
                                    : arith::TruncFOp::create(inside, at, inside.getF32Type(), elements[0]).getResult();
               linalg::YieldOp::create(inside, at, value);
             })
      .getResult(0);
}

void widen(linalg::GenericOp op, unsigned number, RewriterBase &rewriter) {
  arith::AddFOp add = sumOf(op, number);
  if (!add)
    return;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  OpOperand *init = op.getDpsInitOperand(number);
  Value wide = emptyLike(rewriter, init->get(), rewriter.getF64Type());
  if (!wide)
    return;
  Value narrow = emptyLike(rewriter, init->get(), rewriter.getF32Type());
  init->set(convert(rewriter, loc, init->get(), wide));
  BlockArgument running = op.getRegionOutputArgs()[number];
  Value term = add.getLhs() == running ? add.getRhs() : add.getLhs();
  rewriter.setInsertionPoint(add);
  Value wideTerm = arith::ExtFOp::create(rewriter, loc, rewriter.getF64Type(), term);
  running.setType(rewriter.getF64Type());
  rewriter.replaceOpWithNewOp<arith::AddFOp>(add, running, wideTerm);
  Value result = op.getResult(number);
  result.setType(wide.getType());
  rewriter.setInsertionPointAfter(op);
  Value rounded = convert(rewriter, loc, result, narrow);
  rewriter.replaceAllUsesExcept(result, rounded, rounded.getDefiningOp());
}

} // namespace

void widenSums(Operation *root, RewriterBase &rewriter) {
  SmallVector<linalg::GenericOp> sums;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() > 0)
      sums.push_back(op);
  });
  for (linalg::GenericOp op : sums)
    for (unsigned number = 0; number < op.getNumResults(); ++number)
      widen(op, number, rewriter);
}

} // namespace cameo::schedule

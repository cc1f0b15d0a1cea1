#include "passes/Schedule/Naive/LoopMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns the tensor whose memory `value` should reuse, by following destination operands backwards.
static Value destinationOf(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getInitArgs()[result.getResultNumber()];
    else if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
      value = style.getTiedOpOperand(result)->get();
    else
      return value;
  }
  return value;
}

void closeLoops(func::FuncOp kernel, RewriterBase &rewriter) {
  kernel.walk([&](scf::ForOp loop) {
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    rewriter.setInsertionPoint(yield);
    for (auto [operand, argument] : llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs()))
      if (isa<RankedTensorType>(argument.getType()) && destinationOf(operand.get()) != argument)
        operand.set(bufferization::MaterializeInDestinationOp::create(rewriter, yield.getLoc(), operand.get(), argument)
                        .getResult());
  });
}

static void foldLoop(scf::ForOp loop, RewriterBase &rewriter) {
  llvm::BitVector carried(loop.getNumRegionIterArgs());
  SmallVector<Value> kept;
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs())) {
    if (!isa<MemRefType>(init.getType())) {
      kept.push_back(init);
      continue;
    }
    carried.set(number);
    Value argument = loop.getRegionIterArg(number), yielded = yield->getOperand(number);
    while (auto cast = yielded.getDefiningOp<memref::CastOp>())
      yielded = cast.getSource();
    rewriter.setInsertionPoint(yield);
    if (yielded != argument)
      linalg::CopyOp::create(rewriter, loop.getLoc(), yielded, argument);
    argument.replaceAllUsesWith(init);
    loop.getResult(number).replaceAllUsesWith(init);
  }
  if (carried.none())
    return;
  rewriter.setInsertionPoint(loop);
  auto folded =
      scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), kept);
  folded.getRegion().takeBody(loop.getRegion());
  Block *body = folded.getBody();
  body->getTerminator()->eraseOperands(carried);
  llvm::BitVector arguments(body->getNumArguments());
  for (unsigned number : carried.set_bits())
    arguments.set(number + 1);
  body->eraseArguments(arguments);
  unsigned next = 0;
  for (unsigned number = 0; number < carried.size(); ++number)
    if (!carried.test(number))
      loop.getResult(number).replaceAllUsesWith(folded.getResult(next++));
  loop.erase();
}

void foldLoops(func::FuncOp kernel, RewriterBase &rewriter) {
  SmallVector<scf::ForOp> loops;
  // Inner loops first, because outer loops carry their results.
  kernel.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    foldLoop(loop, rewriter);
}

} // namespace cameo::schedule

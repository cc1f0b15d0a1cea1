#include "passes/Schedule/Naive/LoopMemory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns the operand whose memory the result should reuse; null if there is none.
static OpOperand *destinationOf(OpResult result) {
  Operation *op = result.getOwner();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return &insert.getDestMutable();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getTiedLoopInit(result);
  if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
    return style.getTiedOpOperand(result);
  return nullptr;
}

/// Returns the operand whose memory `value` should reuse, by following destinations backwards; null if there is none.
static OpOperand *firstDestination(Value value) {
  OpOperand *first = nullptr;
  while (auto result = dyn_cast<OpResult>(value)) {
    OpOperand *destination = destinationOf(result);
    if (!destination)
      break;
    first = destination;
    value = destination->get();
  }
  return first;
}

void copyArguments(func::FuncOp kernel, RewriterBase &rewriter) {
  kernel.walk([&](bufferization::MaterializeInDestinationOp store) {
    OpOperand *first = firstDestination(store.getSource());
    if (!first || !isa_and_nonnull<bufferization::ToTensorOp>(first->get().getDefiningOp()))
      return;
    rewriter.setInsertionPoint(first->getOwner());
    Location loc = store.getLoc();
    Value argument = first->get();
    Value empty = tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, argument),
                                          getElementTypeOrSelf(argument.getType()));
    first->set(linalg::CopyOp::create(rewriter, loc, argument, empty).getResult(0));
  });
}

void closeLoops(func::FuncOp kernel, RewriterBase &rewriter) {
  kernel.walk([&](scf::ForOp loop) {
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    rewriter.setInsertionPoint(yield);
    for (auto [operand, argument] : llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs())) {
      if (!isa<RankedTensorType>(argument.getType()) || operand.get() == argument)
        continue;
      OpOperand *first = firstDestination(operand.get());
      if (!first || first->get() != argument)
        operand.set(bufferization::MaterializeInDestinationOp::create(rewriter, yield.getLoc(), operand.get(), argument)
                        .getResult());
    }
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

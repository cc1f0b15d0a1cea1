// --run-on-one-thread: kernels of plain loops run in blocks of one thread instead of a range.
#include "dialects/Task/TaskStringOps.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_RUNONONETHREADPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct RunOnOneThread : impl::RunOnOneThreadPassBase<RunOnOneThread> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](task::DispatchOp dispatch) {
      auto kernel = symbols.lookup<func::FuncOp>(dispatch.getKernel());
      if (dispatch->getParentOp()->hasAttr(task::hostName))
        kernel->setAttr(task::hostName, UnitAttr::get(&getContext()));
      else if (!kernel->hasAttr(task::TaskDialect::getBlockName()))
        takeBlock(kernel);
    });
  }

private:
  /// The range becomes the single iteration with the number of the block.
  void takeBlock(func::FuncOp kernel) {
    Block &body = kernel.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    unsigned end = body.getNumArguments() - 1;
    Value one = arith::ConstantIndexOp::create(builder, kernel.getLoc(), 1);
    Value behind = arith::AddIOp::create(builder, kernel.getLoc(), body.getArgument(end - 1), one);
    body.getArgument(end).replaceAllUsesWith(behind);
    [[maybe_unused]] LogicalResult isErased = kernel.eraseArgument(end);
    assert(succeeded(isErased) && "the range has no use any more");
    kernel->setAttr(task::TaskDialect::getBlockName(), task::BlockAttr::get(&getContext(), 1));
  }
};

} // namespace
} // namespace cameo

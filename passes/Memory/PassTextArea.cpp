// Replaces task.text_area in kernels by the address of one more buffer.
#include "dialects/Task/TaskStringOps.h"
#include "passes/Memory/KernelBuffers.h"
#include "passes/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_PASSTEXTAREAPASS
#include "passes/Memory/Passes.h.inc"
namespace {

/// Adds the text area to the kernel as its last buffer.
void rewriteKernel(func::FuncOp kernel, MemRefType type) {
  unsigned area = bufferCount(kernel);
  [[maybe_unused]] LogicalResult inserted = kernel.insertArgument(area, type, {}, kernel.getLoc());
  assert(succeeded(inserted) && "a kernel takes any number of buffers");
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, kernel.getLoc(), kernel.getArgument(area));
  Value number = arith::IndexCastOp::create(builder, kernel.getLoc(), builder.getI64Type(), address);
  kernel.walk([&](task::TextAreaOp op) {
    op.replaceAllUsesWith(number);
    op.erase();
  });
}

struct PassTextArea : impl::PassTextAreaPassBase<PassTextArea> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    llvm::SetVector<Operation *> kernels;
    getOperation().walk([&](task::TextAreaOp op) { kernels.insert(op->getParentOfType<func::FuncOp>()); });
    if (kernels.empty())
      return;
    Builder builder(&getContext());
    auto type = MemRefType::get({1}, builder.getI64Type());
    for (Operation *kernel : kernels)
      rewriteKernel(cast<func::FuncOp>(kernel), type);
    auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(task::textAreaName, builder.getUnitAttr()));
    unsigned last = main.getNumArguments();
    [[maybe_unused]] LogicalResult inserted = main.insertArgument(last, type, attributes, main.getLoc());
    assert(succeeded(inserted) && "@main takes any number of buffers");
    main.walk([&](task::DispatchOp dispatch) {
      if (kernels.contains(SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(dispatch, dispatch.getKernelAttr())))
        dispatch.getBuffersMutable().append(main.getArgument(last));
    });
  }
};

} // namespace
} // namespace cameo

// Replaces task.size in kernels by loads, so that expressions are evaluated once per run and not by every part of a
// kernel.
#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/KernelBuffers.h"
#include "passes/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_RESOLVESIZESPASS
#include "passes/Memory/Passes.h.inc"
namespace {

class SizeTable {
public:
  SizeTable(ModuleOp module, func::FuncOp main) : main(main), builder(module.getContext()) {
    for (auto function : module.getOps<func::FuncOp>())
      if (function != main)
        collect(function);
  }

  void resolve() {
    if (kernels.empty())
      return;
    type = MemRefType::get({static_cast<int64_t>(expressions.size())}, builder.getI64Type());
    for (auto &[kernel, sizes] : kernels)
      rewriteKernel(cast<func::FuncOp>(kernel), sizes);
    rewriteMain();
  }

private:
  unsigned indexOf(DimExprAttr expression) {
    return expressions.insert({expression, expressions.size()}).first->second;
  }

  void collect(func::FuncOp kernel) {
    kernel.walk([&](task::SizeOp size) {
      kernels[kernel].push_back(size);
      indexOf(size.getExpression());
    });
  }

  /// Loads each size once at the start of the kernel, because kernels use sizes inside of loops.
  void rewriteKernel(func::FuncOp kernel, ArrayRef<task::SizeOp> sizes) {
    unsigned table = bufferCount(kernel);
    auto attributes = builder.getDictionaryAttr(
        {builder.getNamedAttr(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr()),
         builder.getNamedAttr(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr())});
    [[maybe_unused]] LogicalResult inserted = kernel.insertArgument(table, type, attributes, kernel.getLoc());
    assert(succeeded(inserted) && "a kernel takes any number of buffers");
    builder.setInsertionPointToStart(&kernel.getBody().front());
    llvm::DenseMap<unsigned, Value> loaded;
    for (task::SizeOp size : sizes) {
      Value &value = loaded[indexOf(size.getExpression())];
      if (!value)
        value = load(kernel.getArgument(table), indexOf(size.getExpression()), size.getLoc());
      size.replaceAllUsesWith(value);
    }
    // Erased last, because the loads may be inserted before one of them.
    for (task::SizeOp size : sizes)
      size.erase();
  }

  Value load(Value table, unsigned index, Location loc) {
    Value at = arith::ConstantIndexOp::create(builder, loc, index);
    Value number = memref::LoadOp::create(builder, loc, table, at);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
  }

  void rewriteMain() {
    SmallVector<Attribute> list;
    for (auto [expression, index] : expressions)
      list.push_back(expression);
    auto attributes =
        builder.getDictionaryAttr(builder.getNamedAttr(task::TaskDialect::getSizesName(), builder.getArrayAttr(list)));
    unsigned last = main.getNumArguments();
    [[maybe_unused]] LogicalResult inserted = main.insertArgument(last, type, attributes, main.getLoc());
    assert(succeeded(inserted) && "@main takes any number of buffers");
    main.walk([&](task::DispatchOp dispatch) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(dispatch, dispatch.getKernelAttr());
      if (kernels.contains(kernel))
        dispatch.getBuffersMutable().append(main.getArgument(last));
    });
  }

  func::FuncOp main;
  OpBuilder builder;
  MemRefType type;
  llvm::MapVector<DimExprAttr, unsigned> expressions;
  llvm::MapVector<Operation *, SmallVector<task::SizeOp>> kernels;
};

struct ResolveSizes : impl::ResolveSizesPassBase<ResolveSizes> {
  void runOnOperation() override {
    if (auto main = getOperation().lookupSymbol<func::FuncOp>("main"))
      SizeTable(getOperation(), main).resolve();
  }
};

} // namespace
} // namespace cameo

// The reference path: bufferises a task's body as it stands and turns every linalg operation into plain loops. It is the
// semantics that optimised kernels are compared with, and the way of what the emitter does not handle.
#include "passes/Schedule/Passes.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_EMITNAIVEPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

class NaiveEmitter {
public:
  explicit NaiveEmitter(task::DefOp def) : def(def), loc(def.getLoc()), builder(def) {}

  LogicalResult run() {
    createKernel();
    if (failed(bufferize()) || failed(lowerToLoops()) || failed(moveAllocations()))
      return def.emitError("expected a task that bufferises");
    rewriteDefinition();
    return success();
  }

private:
  MemRefType flatType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    Type element = tensor.getElementType().isInteger(1) ? builder.getI8Type() : tensor.getElementType();
    return MemRefType::get({tensor.getNumElements()}, element);
  }
  Value shaped(Value flat, ShapedType type);
  void createKernel();
  LogicalResult bufferize();
  LogicalResult lowerToLoops();
  LogicalResult moveAllocations();
  void rewriteDefinition();

  task::DefOp def;
  Location loc;
  OpBuilder builder;
  func::FuncOp kernel;
  SmallVector<Type> argumentTypes; ///< of the definition: inputs, then outputs
  SmallVector<Type> scratchTypes;
};

/// A flat buffer with the shape of `type`; elements of i1 lie in bytes.
Value NaiveEmitter::shaped(Value flat, ShapedType type) {
  auto memory = MemRefType::get(type.getShape(), type.getElementType());
  if (type.getElementType().isInteger(1)) {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return memref::ViewOp::create(builder, loc, memory, flat, zero, ValueRange());
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] LogicalResult known = memory.getStridesAndOffset(strides, offset);
  return memref::ReinterpretCastOp::create(builder, loc, memory, flat, /*offset=*/0, type.getShape(), strides);
}

void NaiveEmitter::createKernel() {
  for (Type type : def.getArgumentTypes())
    argumentTypes.push_back(flatType(type));
  for (Type type : def.getResultTypes())
    argumentTypes.push_back(flatType(type));
  SmallVector<Type> types = argumentTypes;
  types.append(2, builder.getIndexType());
  kernel = func::FuncOp::create(builder, loc, (def.getSymName() + ".k0").str(), builder.getFunctionType(types, {}));
  kernel.setPrivate();
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Block &body = def.getBody().front();
  IRMapping values;
  for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
    auto type = cast<RankedTensorType>(argument.getType());
    Value memory = shaped(entry->getArgument(number), type);
    values.map(argument, bufferization::ToTensorOp::create(builder, loc, type, memory, /*restrict=*/true));
  }
  for (Operation &op : body.without_terminator())
    builder.clone(op, values);
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Value memory = shaped(entry->getArgument(body.getNumArguments() + number), cast<ShapedType>(value.getType()));
    auto store = bufferization::MaterializeInDestinationOp::create(builder, loc, Type(), values.lookup(value), memory,
                                                                   /*restrict=*/true, /*writable=*/true);
    store->setLoc(value.getLoc());
  }
  func::ReturnOp::create(builder, loc);
}

LogicalResult NaiveEmitter::bufferize() {
  bufferization::OneShotBufferizationOptions options;
  options.setFunctionBoundaryTypeConversion(bufferization::LayoutMapOption::IdentityLayoutMap);
  options.opFilter.allowOperation([&](Operation *op) { return kernel->isProperAncestor(op); });
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(kernel, options, state);
}

LogicalResult NaiveEmitter::lowerToLoops() {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<memref::CopyOp> copies;
  kernel.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
    rewriter.eraseOp(copy);
  }
  SmallVector<linalg::LinalgOp> structured;
  kernel.walk([&](linalg::LinalgOp op) { structured.push_back(op); });
  for (linalg::LinalgOp op : structured) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return failure();
    rewriter.eraseOp(op);
  }
  return success();
}

/// Memory of the body becomes scratch of the task: `run` allocates nothing.
LogicalResult NaiveEmitter::moveAllocations() {
  SmallVector<Operation *> allocations;
  kernel.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      allocations.push_back(op);
  });
  unsigned position = argumentTypes.size();
  Block &entry = kernel.getBody().front();
  for (Operation *op : allocations) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity())
      return op->emitError("expected memory of static shape");
    Type element = type.getElementType().isInteger(1) ? builder.getI8Type() : type.getElementType();
    scratchTypes.push_back(MemRefType::get({type.getNumElements()}, element));
    BlockArgument flat = entry.insertArgument(position++, scratchTypes.back(), loc);
    builder.setInsertionPointToStart(&entry);
    op->getResult(0).replaceAllUsesWith(shaped(flat, type));
    op->erase();
  }
  kernel.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), {}));
  return success();
}

void NaiveEmitter::rewriteDefinition() {
  Block &body = def.getBody().front();
  body.clear();
  body.eraseArguments(0, body.getNumArguments());
  SmallVector<Value> buffers;
  for (Type type : argumentTypes)
    buffers.push_back(body.addArgument(type, loc));
  def.removeArgAttrsAttr();
  def.removeResAttrsAttr();
  def.setFunctionType(builder.getFunctionType(argumentTypes, {}));
  builder.setInsertionPointToStart(&body);
  for (Type type : scratchTypes)
    buffers.push_back(task::ScratchOp::create(builder, loc, type));
  task::DispatchOp::create(builder, loc, kernel.getSymName(), buffers, /*extent=*/1, /*task_index=*/IntegerAttr());
  task::ReturnOp::create(builder, loc, ValueRange());
}

struct EmitNaive : impl::EmitNaivePassBase<EmitNaive> {
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    arith::registerBufferizableOpInterfaceExternalModels(registry);
    linalg::registerBufferizableOpInterfaceExternalModels(registry);
    scf::registerBufferizableOpInterfaceExternalModels(registry);
    tensor::registerBufferizableOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>()))
      if (!def->hasAttr("schedule") && !def.isBufferForm() && failed(NaiveEmitter(def).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace cameo

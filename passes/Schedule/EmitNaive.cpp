// Implements --emit-naive: clones the body of a task into one kernel, bufferizes it with the outputs as destinations,
// lowers it to scalar loops and flattens the buffers. Nothing is fused or reordered, so the kernel computes exactly
// what the linalg operations define; only sums are accumulated in double.
#include "dialects/Task/KernelAttributes.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Emission/Shared/BufferForm.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Naive/ExternCall.h"
#include "passes/Schedule/Naive/FlattenBuffers.h"
#include "passes/Schedule/Naive/LoopMemory.h"
#include "passes/Schedule/Naive/WidenSums.h"
#include "passes/Schedule/Nests/TensorSizes.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_EMITNAIVEPASS
#include "passes/Schedule/Passes.h.inc"

using namespace schedule;

namespace {

SmallVector<SmallVector<Dim>> allDims(task::DefOp def) {
  StringRef name = task::TaskDialect::getDimsName();
  SmallVector<SmallVector<Dim>> dims;
  for (auto [number, type] : llvm::enumerate(def.getArgumentTypes()))
    dims.push_back(dimsOf(type, def.getArgAttr(number, name)));
  for (auto [number, type] : llvm::enumerate(def.getResultTypes()))
    dims.push_back(dimsOf(type, def.getResultAttr(number, name)));
  return dims;
}

bool isRead(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<bufferization::ToTensorOp>(op))
      return true;
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return false;
    tensor = op->getOperand(0);
  }
  return false;
}

/// Returns the insertions that make `value` from an empty tensor, in their order; nothing if the slices cannot be
/// stored one by one. Between them is memory that other tasks write. Several slices are parts of arguments, because
/// bufferization may compute others earlier, and the order of stores counts.
SmallVector<tensor::InsertSliceOp> slicesOf(Value value) {
  SmallVector<tensor::InsertSliceOp> slices;
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (insert.getSourceType().getRank() != insert.getType().getRank())
      return {};
    slices.push_back(insert);
    value = insert.getDest();
  }
  auto isPart = [](tensor::InsertSliceOp slice) { return isRead(slice.getSource()); };
  if (!value.getDefiningOp<tensor::EmptyOp>() || (slices.size() > 1 && !llvm::all_of(slices, isPart)))
    return {};
  std::reverse(slices.begin(), slices.end());
  return slices;
}

/// Returns what is reshaped to an output of this shape, with its own shape: memory of both is the same.
std::pair<Value, SmallVector<Dim>> beforeReshapes(Value value, SmallVector<Dim> shape) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    if (!type.hasStaticShape())
      break;
    value = op->getOperand(0);
    shape = dimsOf(type, {});
  }
  return {value, shape};
}

class NaiveEmitter {
public:
  explicit NaiveEmitter(task::DefOp def) : def(def), rewriter(def.getContext()), dims(allDims(def)) {}

  LogicalResult run() {
    createKernel();
    splitPads();
    widenSums(kernel, rewriter);
    FailureOr<SmallVector<Scratch>> scratch = failure();
    bool hasTables = succeeded(placeConstants());
    if (hasTables) {
      closeLoops(kernel, rewriter);
      copyArguments(kernel, rewriter);
    }
    if (hasTables && succeeded(bufferize())) {
      foldLoops(kernel, rewriter);
      if (succeeded(lowerToLoops()))
        scratch = flattenBuffers(kernel);
    }
    if (failed(scratch)) {
      eraseKernel();
      return failure();
    }
    finishKernel();
    rewriteTask(*scratch);
    return success();
  }

private:
  void createKernel();
  void splitPads();
  LogicalResult placeConstants();
  LogicalResult bufferize();
  LogicalResult lowerToLoops();
  void eraseKernel();
  void finishKernel();
  void rewriteTask(ArrayRef<Scratch> scratch);

  task::DefOp def;
  IRRewriter rewriter;
  func::FuncOp kernel;
  SmallVector<memref::GlobalOp> tables;
  /// The sizes of the task's arguments, followed by those of its results.
  SmallVector<SmallVector<Dim>> dims;
};

void NaiveEmitter::createKernel() {
  Location loc = def.getLoc();
  SmallVector<Type> types;
  for (TypeRange group : {TypeRange(def.getArgumentTypes()), TypeRange(def.getResultTypes())})
    for (Type type : group)
      types.push_back(flatBufferType(Size(productOf(dims[types.size()])), getElementTypeOrSelf(type)));
  types.append(2, rewriter.getIndexType());
  rewriter.setInsertionPoint(def);
  kernel = func::FuncOp::create(rewriter, loc, (def.getSymName() + ".k0").str(), rewriter.getFunctionType(types, {}));
  kernel.setPrivate();
  kernel->setAttr("passthrough", rewriter.getStrArrayAttr({task::kPlainLoops}));
  Block *entry = kernel.addEntryBlock();
  rewriter.setInsertionPointToStart(entry);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ForOp::create(rewriter, loc, entry->getArgument(types.size() - 2),
                                 entry->getArgument(types.size() - 1), one);
  func::ReturnOp::create(rewriter, loc);
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());

  Block &body = def.getBody().front();
  IRMapping mapping;
  for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
    auto type = cast<RankedTensorType>(argument.getType());
    Value view = markBuffer(rewriter, loc, entry->getArgument(number), dims[number], type.getElementType());
    mapping.map(argument, bufferization::ToTensorOp::create(rewriter, loc, type, view, /*restrict=*/true));
  }
  for (Operation &op : body.without_terminator())
    rewriter.clone(op, mapping);
  for (auto [number, result] : llvm::enumerate(body.getTerminator()->getOperands())) {
    unsigned output = body.getNumArguments() + number;
    auto [value, shape] = beforeReshapes(mapping.lookup(result), dims[output]);
    Value view = markBuffer(rewriter, loc, entry->getArgument(output), shape, getElementTypeOrSelf(result.getType()));
    auto store = [&](Value part, Value memory) {
      bufferization::MaterializeInDestinationOp::create(rewriter, loc, Type(), part, memory, /*restrict=*/true,
                                                        /*writable=*/true);
    };
    SmallVector<tensor::InsertSliceOp> slices = slicesOf(value);
    if (slices.empty())
      store(value, view);
    for (tensor::InsertSliceOp slice : slices)
      store(slice.getSource(), memref::SubViewOp::create(rewriter, loc, view, slice.getMixedOffsets(),
                                                         slice.getMixedSizes(), slice.getMixedStrides()));
    for (tensor::InsertSliceOp slice : llvm::reverse(slices))
      if (slice.use_empty())
        rewriter.eraseOp(slice);
  }
}

/// Replaces each padding by a filled tensor into which the source is inserted.
void NaiveEmitter::splitPads() {
  SmallVector<tensor::PadOp> pads;
  kernel.walk([&](tensor::PadOp pad) { pads.push_back(pad); });
  for (tensor::PadOp pad : pads) {
    rewriter.setInsertionPoint(pad);
    Location loc = pad.getLoc();
    ReifiedRankedShapedTypeDims shapes;
    [[maybe_unused]] LogicalResult isReified = reifyResultShapes(rewriter, pad, shapes);
    assert(succeeded(isReified) && "a padding knows its shape");
    Value empty = tensor::EmptyOp::create(rewriter, loc, shapes[0], pad.getResultType().getElementType());
    Value filled = linalg::FillOp::create(rewriter, loc, ValueRange{pad.getConstantPaddingValue()}, ValueRange{empty})
                       .getResult(0);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, pad.getSource());
    SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(pad, pad.getSource(), filled, pad.getMixedLowPad(), sizes, ones);
  }
}

/// Replaces constant tensors by read-only tables, and splats by fills. Fails after an error if the elements of a
/// constant are missing.
LogicalResult NaiveEmitter::placeConstants() {
  SmallVector<arith::ConstantOp> constants;
  kernel.walk([&](arith::ConstantOp constant) {
    if (isa<RankedTensorType>(constant.getType()))
      constants.push_back(constant);
  });
  for (arith::ConstantOp constant : constants) {
    Location loc = constant.getLoc();
    auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
    auto type = cast<RankedTensorType>(constant.getType());
    if (!value)
      return constant.emitError("expected the elements of a constant, which --emit leaves out of text, got ")
             << constant.getValue();
    rewriter.setInsertionPoint(constant);
    if (value.isSplat()) {
      Value number = arith::ConstantOp::create(rewriter, loc, cast<TypedAttr>(value.getSplatValue<Attribute>()));
      Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
      rewriter.replaceOpWithNewOp<linalg::FillOp>(constant, ValueRange{number}, ValueRange{empty});
      continue;
    }
    rewriter.setInsertionPoint(kernel);
    tables.push_back(createTable(rewriter, def, tables.size(), value));
    rewriter.setInsertionPoint(constant);
    Value table = memref::GetGlobalOp::create(rewriter, loc, tables.back().getType(), tables.back().getSymName());
    Value view = markBuffer(rewriter, loc, table, dimsOf(type, {}), type.getElementType());
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(constant, type, view, /*restrict=*/true);
  }
  return success();
}

LogicalResult NaiveEmitter::bufferize() {
  bufferization::OneShotBufferizationOptions options;
  options.allowReturnAllocsFromLoops = true;
  options.memCpyFn = [](OpBuilder &builder, Location loc, Value from, Value to) {
    linalg::CopyOp::create(builder, loc, from, to);
    return success();
  };
  bufferization::BufferizationState state;
  if (failed(bufferization::eliminateEmptyTensors(rewriter, kernel)))
    return failure();
  return bufferization::runOneShotBufferize(kernel, options, state);
}

/// Makes the outermost dynamic loop of `loops`, a loop nest from the outside in, run no iterations if a dynamic loop
/// inside of it has none, because it could run many empty iterations.
static void skipEmpty(OpBuilder &builder, ArrayRef<Operation *> loops) {
  auto hasIterations = [](Operation *op) {
    return getConstantIntValue(cast<scf::ForOp>(op).getUpperBound()).value_or(0) > 0;
  };
  loops = loops.drop_while(hasIterations);
  if (loops.empty())
    return;
  auto outermost = cast<scf::ForOp>(loops.front());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(outermost);
  Location loc = outermost.getLoc();
  Value end = outermost.getUpperBound();
  for (Operation *op : loops.drop_front()) {
    if (hasIterations(op))
      continue;
    auto inner = cast<scf::ForOp>(op);
    Value runs =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, inner.getLowerBound(), inner.getUpperBound());
    end = arith::SelectOp::create(builder, loc, runs, end, outermost.getLowerBound());
  }
  outermost.setUpperBound(end);
}

LogicalResult NaiveEmitter::lowerToLoops() {
  SmallVector<linalg::LinalgOp> ops;
  kernel.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    auto copy = dyn_cast<linalg::CopyOp>(op.getOperation());
    bool isIdle = copy && copy.getInputs()[0] == copy.getOutputs()[0];
    rewriter.setInsertionPoint(op);
    if (!isIdle) {
      FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops))
        return op.emitError("naive emission has no loops for this operation");
      skipEmpty(rewriter, *loops);
    }
    rewriter.eraseOp(op);
  }
  SmallVector<affine::AffineApplyOp> applies;
  kernel.walk([&](affine::AffineApplyOp op) { applies.push_back(op); });
  for (affine::AffineApplyOp op : applies) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands(op.getMapOperands());
    std::optional<SmallVector<Value, 8>> expanded =
        affine::expandAffineMap(rewriter, op.getLoc(), op.getAffineMap(), operands);
    assert(expanded && "a sum of sizes and positions expands");
    rewriter.replaceOp(op, *expanded);
  }
  return success();
}

void NaiveEmitter::eraseKernel() {
  kernel.erase();
  for (memref::GlobalOp table : tables)
    table.erase();
}

void NaiveEmitter::finishKernel() {
  kernel.setType(rewriter.getFunctionType(kernel.getBody().front().getArgumentTypes(), {}));
  for (unsigned number = 0; number + 2 < kernel.getNumArguments(); ++number)
    kernel.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(), rewriter.getUnitAttr());
}

void NaiveEmitter::rewriteTask(ArrayRef<Scratch> scratch) {
  ArrayRef<Type> kernelTypes = kernel.getArgumentTypes();
  size_t resultCount = def.getResultTypes().size();
  Block &body = becomeBufferForm(def, kernelTypes.drop_back(scratch.size() + 2));
  for (auto [number, shape] : llvm::enumerate(dims))
    if (DimExprAttr elements = productOf(shape).getExpr())
      def.setArgAttr(number, task::TaskDialect::getElementsName(), elements);
  // If only the sizes of an argument are used, the kernel does not get its buffer, so a run need not compute it.
  llvm::BitVector unread(kernel.getNumArguments());
  SmallVector<Value> buffers;
  for (auto [number, buffer] : llvm::enumerate(body.getArguments()))
    if (number + resultCount < dims.size() && kernel.getArgument(number).use_empty())
      unread.set(number);
    else
      buffers.push_back(buffer);
  [[maybe_unused]] LogicalResult isErased = kernel.eraseArguments(unread);
  assert(succeeded(isErased) && "a function of this pass");
  rewriter.setInsertionPointToStart(&body);
  for (const Scratch &memory : scratch)
    buffers.push_back(task::ScratchOp::create(rewriter, def.getLoc(), memory.type, memory.elements));
  Size results = 0;
  for (ArrayRef<Dim> shape : ArrayRef(dims).take_back(resultCount))
    results += Size(productOf(shape));
  createDispatch(rewriter, def.getLoc(), kernel.getSymName(), buffers, unlessEmpty(1, results));
  task::ReturnOp::create(rewriter, def.getLoc(), ValueRange());
}

/// Brings a task of linalg, tensor and scf operations into buffer form with one kernel of extent 1. Fails after an
/// error at the operation that cannot be emitted; the task is then unchanged.
LogicalResult emitNaive(task::DefOp def) {
  for (TypeRange types : {TypeRange(def.getArgumentTypes()), TypeRange(def.getResultTypes())})
    for (Type type : types)
      if (!isa<RankedTensorType>(type))
        return def.emitError("expected tensors, got ") << type;
  for (ArrayRef<Dim> dims : allDims(def))
    if (productOf(dims).isUnknown())
      return def.emitError("expected task.dims for every dimension of unknown size");
  if (task::ExternOp call = getExternCall(def)) {
    emitExternCall(def, call, allDims(def));
    return success();
  }
  return NaiveEmitter(def).run();
}

struct EmitNaive : impl::EmitNaivePassBase<EmitNaive> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<affine::AffineDialect, LLVM::LLVMDialect, linalg::LinalgDialect, tensor::TensorDialect>();
    // Bufferization needs the interfaces of these dialects.
    arith::registerBufferizableOpInterfaceExternalModels(registry);
    linalg::registerBufferizableOpInterfaceExternalModels(registry);
    linalg::registerSubsetOpInterfaceExternalModels(registry);
    scf::registerBufferizableOpInterfaceExternalModels(registry);
    tensor::registerBufferizableOpInterfaceExternalModels(registry);
    tensor::registerSubsetOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    bool isEmitted = true;
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>()))
      if (!def.isBufferForm() && !schedule::programOf(def))
        isEmitted &= succeeded(emitNaive(def));
    if (!isEmitted)
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo

// Decides which operations of a task share a loop nest: a reduction absorbs the elementwise operations that follow it
// (they use its accumulators), cheap operations are inlined into their readers, all others are stored.
#include "passes/Schedule/Nests/Build/BuildNests.h"

#include "dialects/Target/TargetDialect.h"
#include "passes/Schedule/Nests/Build/JoinGroups.h"
#include "passes/Schedule/Nests/Build/NestBuilder.h"
#include "passes/Schedule/Nests/Build/SingleSteps.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

Size lengthOf(scf::ForOp loop) { return sizeOf(loop.getUpperBound()); }

/// Returns the number of points of `op`, over all iterations of the loop around it.
Size pointsOf(linalg::GenericOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  Size points = loop ? lengthOf(loop) : Size(1);
  for (const Size &extent : loopSizesOf(op))
    points *= extent;
  return points;
}

bool isElementwise(linalg::GenericOp op) { return op.getNumReductionLoops() == 0; }

/// Whether `op` reads a part of a tensor whose place does not change in its loops: that costs its readers nothing.
bool selectsPart(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  auto extract = body.getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
  auto isPlace = [&](Operation &inner) {
    return &inner == extract || isa<linalg::IndexOp, linalg::YieldOp>(inner) ||
           (inner.getNumResults() == 1 && inner.getResult(0).getType().isIntOrIndex());
  };
  return extract && op->getNumResults() == 1 && llvm::all_of(body, isPlace) &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return llvm::all_of(op.getMatchingIndexingMap(input).getResults(), llvm::IsaPred<AffineConstantExpr>);
         });
}

class DefBuilder {
public:
  DefBuilder(task::DefOp def, TaskProgram &program) : def(def), program(program), placement(def, program) {}

  llvm::Error run() {
    if (llvm::Error error = placement.run())
      return error;
    return visitBlock(def.getBody().front());
  }

private:
  llvm::Error visitBlock(Block &block);
  llvm::Error visitLoop(scf::ForOp loop);
  llvm::Error visit(Operation &op);
  llvm::Error emitCopies(Operation *at);
  llvm::Error visitGeneric(linalg::GenericOp op);
  llvm::Error emitCopy(const TensorPlacement::Copy &copy);
  llvm::Error emitFill(Operation *op, Value value, const View &view, ArrayRef<Size> shape);
  llvm::Error emitPadding(tensor::PadOp pad);
  bool isInlined(linalg::GenericOp op);
  bool isAvailable(Value value, Operation *reader);
  bool absorb(linalg::GenericOp op, NestBuilder &builder, SmallVectorImpl<linalg::GenericOp> &members);
  void bindMerged(Value value, NestBuilder &builder);
  bool isReadOnlyBy(Value value, ArrayRef<linalg::GenericOp> members);
  NestBuilder makeBuilder(Location loc) { return NestBuilder(program, placement, loc, rows); }
  void addNest(NestBuilder &builder) {
    if (builder.getNest().parallelPoints() == 0) // an empty tensor: nothing to compute
      return;
    if (!rows)
      program.groups.emplace_back();
    program.groups.back().nests.push_back(std::move(builder.getNest()));
  }
  llvm::Error unsupported(Operation *op, const llvm::Twine &why) {
    return llvm::createStringError("%s: %s", op->getName().getStringRef().str().c_str(), why.str().c_str());
  }

  task::DefOp def;
  TaskProgram &program;
  TensorPlacement placement;
  llvm::DenseSet<Operation *> done;
  /// The length of the loop whose body is being visited.
  std::optional<Size> rows;
};

/// Whether the result of `op` is needed by one elementwise reader only, or by several if `op` computes nothing.
bool DefBuilder::isInlined(linalg::GenericOp op) {
  if (!isElementwise(op) || op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  if (placement.lookup(result) || placement.mustBeStored(result))
    return false;
  bool computes = op.getRegion().front().getOperations().size() > 1 && !selectsPart(op);
  SmallVector<Value> worklist = {result};
  int64_t readers = 0;
  Size readPoints = 0;
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user)) {
        worklist.push_back(user->getResult(0));
        continue;
      }
      auto reader = dyn_cast<linalg::GenericOp>(user);
      if (!reader)
        return false;
      ++readers;
      readPoints += pointsOf(reader);
    }
  }
  return !computes || (readers == 1 && int64_t(readPoints) <= pointsOf(op));
}

bool DefBuilder::isAvailable(Value value, Operation *reader) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != reader->getBlock() || done.contains(op) ||
      isa<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp>(op))
    return true;
  if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isAvailable(op->getOperand(0), reader);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !isInlined(generic))
    return false;
  return llvm::all_of(generic.getDpsInputs(), [&](Value input) { return isAvailable(input, reader); });
}

/// Tries to compute `op` at the points of the builder's bound values; returns whether it did.
bool DefBuilder::absorb(linalg::GenericOp op, NestBuilder &builder, SmallVectorImpl<linalg::GenericOp> &members) {
  if (!isElementwise(op) || op->getNumResults() != 1 || done.contains(op))
    return false;
  unsigned dimCount = builder.getNest().dims.size();
  SmallVector<std::optional<LinearForm>> dims(op.getNumLoops());
  for (OpOperand *operand : op.getDpsInputOperands()) {
    const SmallVector<LinearForm> *index = builder.boundIndex(operand->get());
    if (!index) {
      if (!isAvailable(operand->get(), op))
        return false;
      continue;
    }
    for (auto [position, expr] : llvm::enumerate(op.getMatchingIndexingMap(operand).getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        std::optional<LinearForm> &form = dims[dim.getPosition()];
        if (form && !(*form == (*index)[position]))
          return false;
        form = (*index)[position];
      }
  }
  if (llvm::none_of(op.getDpsInputs(), [&](Value input) { return builder.boundIndex(input) != nullptr; }))
    return false;
  SmallVector<LinearForm> forms;
  SmallVector<Size> ranges = loopSizesOf(op);
  for (auto [dim, form] : llvm::enumerate(dims)) {
    if (!form && ranges[dim] != 1)
      return false;
    forms.push_back(form.value_or(LinearForm(dimCount)));
  }
  if (pointsOf(op) != builder.getNest().parallelPoints())
    return false;
  std::optional<SmallVector<NodeId>> values = builder.evaluate(op, forms);
  if (!values)
    return false;
  SmallVector<LinearForm> index;
  for (AffineExpr expr : op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    index.push_back(*substitute(expr, forms, dimCount));
  builder.bind(op->getResult(0), index, values->front());
  bindMerged(op->getResult(0), builder);
  members.push_back(op);
  done.insert(op);
  return true;
}

/// Binds the collapsed shapes of `value`, which is bound: their index is a sum of its indices.
void DefBuilder::bindMerged(Value value, NestBuilder &builder) {
  const SmallVector<LinearForm> index = *builder.boundIndex(value);
  for (Operation *user : value.getUsers()) {
    auto collapse = dyn_cast<tensor::CollapseShapeOp>(user);
    if (!collapse)
      continue;
    SmallVector<LinearForm> merged;
    SmallVector<Size> sizes = shapeOf(collapse.getSrc());
    for (const auto &group : collapse.getReassociationIndices()) {
      LinearForm sum(builder.getNest().dims.size());
      for (Size stride = 1; int64_t dim : llvm::reverse(group)) {
        sum.add(index[dim], stride);
        stride *= sizes[dim];
      }
      merged.push_back(std::move(sum));
    }
    builder.bind(collapse.getResult(), merged, *builder.read(value, index));
    bindMerged(collapse.getResult(), builder);
  }
}

/// Whether all readers of `value` are in `members`, which have it in registers.
bool DefBuilder::isReadOnlyBy(Value value, ArrayRef<linalg::GenericOp> members) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      return isReadOnlyBy(collapse.getResult(), members);
    return llvm::any_of(members, [&](linalg::GenericOp member) { return member == user; });
  });
}

llvm::Error DefBuilder::visitGeneric(linalg::GenericOp op) {
  if (done.contains(op) || op.use_empty() || isInlined(op))
    return llvm::Error::success();
  NestBuilder builder = makeBuilder(op.getLoc());
  builder.getNest().name = "nest" + std::to_string(program.groups.size());
  builder.setDimensions(op);
  SmallVector<LinearForm> dims = builder.identityForms();
  unsigned dimCount = builder.getNest().dims.size();
  std::optional<SmallVector<NodeId>> values = builder.evaluate(op, dims);
  if (!values)
    return unsupported(op, builder.getReason());
  for (OpResult result : op->getResults()) {
    OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
    SmallVector<LinearForm> index;
    for (AffineExpr expr : op.getMatchingIndexingMap(init).getResults()) {
      std::optional<LinearForm> form = substitute(expr, dims, dimCount);
      if (!form)
        return unsupported(op, "a result index that is not linear");
      index.push_back(*form);
    }
    NodeId value = (*values)[result.getResultNumber()];
    if (!isElementwise(op)) {
      std::optional<NodeId> initial = builder.read(init->get(), index);
      if (!initial)
        return unsupported(op, builder.getReason());
      builder.addReduction(*initial, value);
      value = builder.accumulator(result.getResultNumber(), cast<RankedTensorType>(result.getType()).getElementType());
    }
    builder.bind(result, index, value);
    bindMerged(result, builder);
  }
  done.insert(op);
  SmallVector<linalg::GenericOp> members = {op};
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode())
    if (auto generic = dyn_cast<linalg::GenericOp>(next))
      absorb(generic, builder, members);
  for (linalg::GenericOp member : members)
    for (Value result : member->getResults()) {
      if (!isReadOnlyBy(result, members) && !placement.lookup(result))
        placement.placeInScratch(result);
      const View *view = placement.lookup(result);
      if (!view)
        continue;
      const SmallVector<LinearForm> index = *builder.boundIndex(result);
      builder.addOutput(*builder.read(result, index), *view, index);
    }
  addNest(builder);
  return llvm::Error::success();
}

llvm::Error DefBuilder::emitCopies(Operation *at) {
  for (const TensorPlacement::Copy &copy : placement.getCopies())
    if (copy.at == at)
      if (llvm::Error error = emitCopy(copy))
        return error;
  return llvm::Error::success();
}

llvm::Error DefBuilder::emitCopy(const TensorPlacement::Copy &copy) {
  NestBuilder builder = makeBuilder(copy.at->getLoc());
  // A rank-reduced destination has fewer strides than the source has dimensions only if the missing dimensions have
  // extent one.
  builder.setDimensions(shapeOf(copy.from));
  SmallVector<LinearForm> index = builder.identityForms();
  std::optional<NodeId> value = builder.read(copy.from, index);
  if (!value)
    return unsupported(copy.at, builder.getReason());
  builder.addOutput(*value, copy.to, index);
  addNest(builder);
  return llvm::Error::success();
}

/// Returns the tensor of one element that `value` is the element of, or null.
Value findSource(Value value) {
  auto extract = value ? value.getDefiningOp<tensor::ExtractOp>() : tensor::ExtractOp();
  bool isSole =
      extract && extract.getTensor().getType().hasStaticShape() && extract.getTensor().getType().getNumElements() == 1;
  return isSole ? extract.getTensor() : Value();
}

llvm::Error DefBuilder::emitFill(Operation *op, Value value, const View &view, ArrayRef<Size> shape) {
  NestBuilder builder = makeBuilder(op->getLoc());
  builder.setDimensions(shape);
  TypedAttr constant;
  std::optional<NodeId> node;
  if (matchPattern(value, m_Constant(&constant)))
    node = builder.constant(constant);
  else if (Value source = findSource(value))
    node = builder.read(source, SmallVector<LinearForm>(cast<RankedTensorType>(source.getType()).getRank(),
                                                        LinearForm(builder.getNest().dims.size())));
  if (!node)
    return unsupported(op, "a value that is neither constant nor a tensor of one element");
  builder.addOutput(*node, view, builder.identityForms());
  addNest(builder);
  return llvm::Error::success();
}

/// Fills only the border. Each dimension has a strip below and one above the source; the strips span all of the later
/// dimensions, but of the earlier ones only the part inside their own borders.
llvm::Error DefBuilder::emitPadding(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  if (!value)
    return unsupported(pad, "a padding value that depends on the place");
  const View whole = *placement.lookup(pad.getResult());
  SmallVector<Size> offsets(whole.strides.size(), 0), shape = shapeOf(pad), source = shapeOf(pad.getSource()),
                                                      lows = sizesOf(pad.getMixedLowPad());
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    Size low = lows[dim], inside = source[dim], full = shape[dim];
    for (auto [begin, width] : {std::pair{Size(0), low}, std::pair{low + inside, full - low - inside}}) {
      offsets[dim] = begin;
      shape[dim] = width;
      if (width > 0)
        if (llvm::Error error = emitFill(pad, value, subview(whole, offsets), shape))
          return error;
    }
    offsets[dim] = low;
    shape[dim] = inside;
  }
  return llvm::Error::success();
}

llvm::Error DefBuilder::visitBlock(Block &block) {
  for (Operation &op : block) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (llvm::Error error = loop ? visitLoop(loop) : visit(op))
      return error;
    if (!loop)
      if (llvm::Error error = emitCopies(&op))
        return error;
  }
  return llvm::Error::success();
}

/// Turns the loop body into a group of nests whose shared first dimension is the iteration; its rows run in order.
llvm::Error DefBuilder::visitLoop(scf::ForOp loop) {
  if (llvm::Error error = emitCopies(loop)) // copies of the initial values
    return error;
  done.insert(loop);
  NestGroup &group = program.groups.emplace_back();
  group.rowDims = 1;
  group.orderedDims = 1;
  rows = lengthOf(loop);
  llvm::Error error = visitBlock(*loop.getBody());
  rows.reset();
  if (program.groups.back().nests.empty())
    program.groups.pop_back();
  return error;
}

llvm::Error DefBuilder::visit(Operation &op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return visitGeneric(generic);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return pad.use_empty() ? llvm::Error::success() : emitPadding(pad);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    const View *view = placement.lookup(fill.getResult(0));
    return view ? emitFill(fill, fill.value(), *view, shapeOf(fill.getResult(0))) : llvm::Error::success();
  }
  if (isa<tensor::InsertSliceOp, tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::EmptyOp, arith::ConstantOp, task::SizeOp, task::ReturnOp, scf::YieldOp>(op))
    return llvm::Error::success();
  if (op.getNumResults() == 1 && findSource(op.getResult(0))) // read by what it fills
    return llvm::Error::success();
  // Index computations along the rows are part of addresses.
  if (op.getNumResults() == 1 && op.getResult(0).getType().isIndex() && rowForm(op.getResult(0)))
    return llvm::Error::success();
  return unsupported(&op, "no loop nest is built from it");
}

} // namespace

static bool hasUnknownSizes(TaskProgram &program) {
  bool found = llvm::any_of(program.buffers, [](const Buffer &buffer) { return buffer.elements.isUnknown(); });
  auto note = [&](const Size &size) { found |= size.isUnknown(); };
  for (NestGroup &group : program.groups)
    for (LoopNest &nest : group.nests) {
      for (const Dimension &dim : nest.dims)
        note(dim.extent);
      for (const Node &node : nest.nodes)
        llvm::for_each(node.strides, note);
      forEachForm(nest, [&](LinearForm &form) {
        llvm::for_each(form.coefficients, note);
        note(form.constant);
      });
    }
  return found;
}

llvm::Expected<TaskProgram> buildNests(task::DefOp def, ArrayRef<bool> constantArguments) {
  TaskProgram program;
  if (llvm::Error error = DefBuilder(def, program).run())
    return std::move(error);
  for (Buffer &buffer : program.buffers)
    buffer.packable = buffer.isArgument() && constantArguments[buffer.index];
  for (NestGroup &group : program.groups)
    if (group.nests.front().dims.size() > 64)
      return llvm::createStringError("a nest of more than 64 dimensions");
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      if (llvm::any_of(nest.dims, [](const Dimension &dimension) { return dimension.extent == 0; }))
        return llvm::createStringError("a nest without iterations");
  if (hasUnknownSizes(program))
    return llvm::createStringError("a size that 64 bits do not hold");
  absorbCopies(program);
  gatherLoops(program);
  if (gpuOf(def->getParentOfType<ModuleOp>()))
    formRowGroups(program);
  else
    formRowGroup(program);
  for (NestGroup &group : program.groups)
    for (LoopNest &nest : group.nests) {
      joinGroups(program, nest, group.rowDims);
      collapseDimensions(nest, group.rowDims + group.sharesMatrix);
      takeSingleSteps(nest);
    }
  return program;
}

} // namespace cameo::schedule

// Rewrites @main from calls on tensors to dispatches on views of the arena, the weights and the caller's buffers.
#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskStringOps.h"
#include "passes/Memory/BranchBuilder.h"
#include "passes/Memory/BufferPlan.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/WeightPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_PLANBUFFERSPASS
#include "passes/Memory/Passes.h.inc"
namespace {

ArrayAttr sizesOf(Builder &builder, ArrayRef<Dim> dims) {
  return builder.getArrayAttr(
      llvm::map_to_vector(dims, [&](const Dim &dim) { return makeSize(dim, builder.getContext()); }));
}

class MainRewriter {
public:
  MainRewriter(ModuleOp module, func::FuncOp main, const BufferPlan &plan)
      : module(module), main(main), plan(plan), builder(main) {}

  void run();

private:
  MemRefType memoryOf(ShapedType type);
  void createSignature();
  ArrayAttr namedDimensions();
  Value viewOf(Value base, int64_t offset, MemRefType type, DimExprAttr elements);
  Value viewOf(BlockPlace place, MemRefType type, DimExprAttr elements);
  Value castTo(MemRefType type, Value buffer);
  Value bufferOf(Value tensor, MemRefType type, task::PackingAttr packing);
  int64_t infoOf(task::CallOp call, task::DefOp def);
  ArrayAttr hostOperands(task::DefOp def, unsigned inputs, ValueRange buffers);
  void rewriteCall(task::CallOp call);
  /// Returns the buffer of a condition.
  Value flagOf(Value condition) { return bufferOf(condition, memoryOf(cast<ShapedType>(condition.getType())), {}); }
  void rewritePrefix(task::PrefixOp prefix, ArrayRef<task::Predicate> needed);
  void rewriteChoose(task::ChooseOp choose, ArrayRef<task::Predicate> around, BranchBuilder &branches);
  void rewriteUpdate(task::UpdateOp update);
  void rewriteBlock(Block &block);
  void rewriteLoop(task::LoopOp loop);
  void copy(Value from, Value to);
  llvm::SetVector<Attribute> statedSizes(StringRef name);
  void emitWeights();

  ModuleOp module;
  func::FuncOp main, planned;
  const BufferPlan &plan;
  OpBuilder builder;
  BlockArgument arena, weights, strings, counters;
  WeightPlaces weightPlaces;
  llvm::MapVector<Attribute, int64_t> stringOffsets; ///< tensors of strings, and the byte offsets of their pointers
  int64_t stringTableBytes = 0, counterBytes = 0;
  llvm::DenseMap<Operation *, int64_t> infos;
  llvm::DenseSet<StringAttr> bound; ///< sizes that a task.bind has read
};

MemRefType MainRewriter::memoryOf(ShapedType type) {
  Type element = type.getElementType();
  // Kernels use bytes for booleans, and signless integers.
  if (element.isInteger(1) || element.isUnsignedInteger())
    element = builder.getIntegerType(8 * task::getElementBytes(element));
  return MemRefType::get({type.hasStaticShape() ? type.getNumElements() : ShapedType::kDynamic}, element);
}

/// Creates the new @main. Its arguments are inputs, outputs, arena, weights, slots, and strings and counters if there
/// are any. The sizes of arena, weights and counters are known and set at the end.
void MainRewriter::createSignature() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  auto add = [&](Type type, DictionaryAttr existing) {
    NamedAttrList list(existing);
    list.set(task::TaskDialect::getTensorName(), TypeAttr::get(type));
    types.push_back(memoryOf(cast<ShapedType>(type)));
    attributes.push_back(list.getDictionary(builder.getContext()));
  };
  for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
    add(type, main.getArgAttrDict(number));
  for (auto [number, type] : llvm::enumerate(main.getResultTypes()))
    add(type, main.getResultAttrDict(number));
  types.append(2, MemRefType::get({0}, builder.getI8Type()));
  attributes.append(2, builder.getDictionaryAttr({}));
  for (const SlotSizes &slot : plan.getSlots()) {
    types.push_back(MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()));
    attributes.push_back(
        builder.getDictionaryAttr(builder.getNamedAttr(task::TaskDialect::getSlotName(), sizesOf(builder, slot))));
  }
  module.walk([&](task::StringsOp constant) {
    if (stringOffsets.insert({constant.getValue(), stringTableBytes}).second)
      stringTableBytes += constant.getValue().getNumElements() * int64_t(sizeof(uint64_t));
  });
  if (!stringOffsets.empty()) {
    types.push_back(MemRefType::get({stringTableBytes}, builder.getI8Type()));
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(task::stringsName, builder.getUnitAttr())));
  }
  bool hasCounters = module.walk([](task::CountersOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (hasCounters) {
    types.push_back(MemRefType::get({0}, builder.getI8Type()));
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(task::countersName, builder.getUnitAttr())));
  }
  planned = func::FuncOp::create(builder, main.getLoc(), main.getSymName(), builder.getFunctionType(types, {}));
  planned.setAllArgAttrs(attributes);
  planned->setAttr(task::TaskDialect::getInputsName(), builder.getI64IntegerAttr(main.getNumArguments()));
  planned->setAttr(task::TaskDialect::getOutputsName(), builder.getI64IntegerAttr(main.getNumResults()));
  if (ArrayAttr dimensions = namedDimensions(); !dimensions.empty())
    planned->setAttr(task::TaskDialect::getDimensionsName(), dimensions);
  if (llvm::SetVector<Attribute> zeros = statedSizes("onnx.zero_sizes"); !zeros.empty())
    planned->setAttr(task::TaskDialect::getZerosName(), builder.getArrayAttr(zeros.getArrayRef()));
  Block *entry = planned.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  unsigned tensors = main.getNumArguments() + main.getNumResults();
  arena = entry->getArgument(tensors);
  weights = entry->getArgument(tensors + 1);
  if (!stringOffsets.empty())
    strings = entry->getArgument(entry->getNumArguments() - (hasCounters ? 2 : 1));
  if (hasCounters)
    counters = entry->getArguments().back();
}

/// Returns all symbolic sizes of the model. A run fails if one of them is negative; a product of two negative sizes
/// would not show it.
ArrayAttr MainRewriter::namedDimensions() {
  llvm::SetVector<Attribute> sizes = statedSizes("onnx.sizes");
  auto add = [&](Type type) {
    for (const Dim &dim : onnx::getDims(type).value_or(onnx::DimList()))
      if (dim.isNamed())
        sizes.insert(dim.getExpr());
  };
  for (Type type : main.getArgumentTypes())
    add(type);
  for (Operation *op : plan.getSteps())
    for (Type type : op->getResultTypes())
      add(type);
  return builder.getArrayAttr(sizes.getArrayRef());
}

/// Returns the elements of the array attribute `name` of @main and of the bodies of loops. Those of a body are
/// multiplied by a trip count that is a symbolic size: a run without iterations need not satisfy them.
llvm::SetVector<Attribute> MainRewriter::statedSizes(StringRef name) {
  llvm::SetVector<Attribute> stated;
  auto add = [&](func::FuncOp function, const Dim &times) {
    if (auto sizes = function->getAttrOfType<ArrayAttr>(name))
      for (Attribute size : sizes) {
        Dim product = readSize(size) * times;
        stated.insert(product.isUnknown() ? size : makeSize(product, function.getContext()));
      }
  };
  add(main, Dim(1));
  for (Operation *op : plan.getSteps())
    if (auto loop = dyn_cast<task::LoopOp>(op)) {
      Dim times = loop.getMaxTripCount() ? readSize(*loop.getMaxTripCount()) : Dim(1);
      add(BufferPlan::bodyOf(loop), times.isNamed() ? times : Dim(1));
    }
  return stated;
}

/// Creates a view of `base` at `offset` bytes. `elements` is the number of elements if the type is dynamic.
Value MainRewriter::viewOf(Value base, int64_t offset, MemRefType type, DimExprAttr elements) {
  Value at = arith::ConstantIndexOp::create(builder, main.getLoc(), offset);
  SmallVector<Value, 1> size;
  if (!type.hasStaticShape())
    size.push_back(task::SizeOp::create(builder, main.getLoc(), builder.getIndexType(), elements));
  return memref::ViewOp::create(builder, main.getLoc(), type, base, at, size);
}

Value MainRewriter::viewOf(BlockPlace place, MemRefType type, DimExprAttr elements) {
  if (!place.slot)
    return viewOf(arena, place.offset, type, elements);
  return viewOf(planned.getArgument(weights.getArgNumber() + 1 + *place.slot), place.offset, type, elements);
}

/// Casts between static and dynamic sizes: a view may state a size that the caller's buffer leaves dynamic, or the
/// other way round.
Value MainRewriter::castTo(MemRefType type, Value buffer) {
  return buffer.getType() == type ? buffer : memref::CastOp::create(builder, main.getLoc(), type, buffer);
}

Value MainRewriter::bufferOf(Value tensor, MemRefType type, task::PackingAttr packing) {
  const Storage &storage = plan.storageOf(tensor);
  DimExprAttr elements = productOf(*onnx::getDims(tensor)).getExpr();
  switch (storage.kind) {
  case Storage::Kind::Input:
    return castTo(type, planned.getArgument(storage.index));
  case Storage::Kind::Output:
    return castTo(type, planned.getArgument(main.getNumArguments() + storage.index));
  case Storage::Kind::Arena:
    return viewOf(plan.placeOf(tensor), type, elements);
  case Storage::Kind::Constant:
    return viewOf(weights, weightPlaces.offsetOf(storage.constant, packing), type, elements);
  case Storage::Kind::Strings:
    return viewOf(strings, stringOffsets.lookup(storage.constant), type, elements);
  }
  llvm_unreachable("unknown storage");
}

int64_t MainRewriter::infoOf(task::CallOp call, task::DefOp def) {
  auto [it, added] = infos.try_emplace(def, infos.size());
  if (!added)
    return it->second;
  std::string names = task::nodeNames(call.getLoc());
  // With dynamic sizes the task's attributes are estimates, which only serve to compare tasks.
  bool isKnown =
      llvm::all_of(def.getBody().getArgumentTypes(), [](Type type) { return cast<ShapedType>(type).hasStaticShape(); });
  auto number = [&](StringRef attribute) {
    auto value = def->getAttrOfType<FloatAttr>(attribute);
    return builder.getF64FloatAttr(!isKnown ? -1 : value ? value.getValueAsDouble() : 0);
  };
  auto key = def->getAttrOfType<StringAttr>("key");
  OpBuilder atModule = OpBuilder::atBlockEnd(module.getBody());
  task::InfoOp::create(atModule, def.getLoc(), builder.getI64IntegerAttr(it->second),
                       builder.getStringAttr(names.empty() ? def.getSymName().str() : names),
                       key ? key : builder.getStringAttr(def.getSymName()), number("flops"), number("bytes"),
                       def->getAttrOfType<StringAttr>("description"));
  return it->second;
}

/// Returns how a step of `def` that the host executes accesses its buffers: the first `inputs` arguments of `def` are
/// read, the others are written.
ArrayAttr MainRewriter::hostOperands(task::DefOp def, unsigned inputs, ValueRange buffers) {
  auto describe = [&](Value buffer) -> Attribute {
    auto argument = dyn_cast<BlockArgument>(buffer);
    auto type = cast<MemRefType>(buffer.getType());
    Attribute elements = argument ? Attribute(def.getElements(argument.getArgNumber()))
                                  : Attribute(buffer.getDefiningOp<task::ScratchOp>().getElementsAttr());
    if (type.hasStaticShape())
      elements = builder.getI64IntegerAttr(type.getNumElements());
    StringRef access = !argument ? "local" : argument.getArgNumber() < inputs ? "read" : "written";
    return builder.getArrayAttr({builder.getStringAttr(access), elements});
  };
  return builder.getArrayAttr(llvm::map_to_vector(buffers, describe));
}

void MainRewriter::rewriteCall(task::CallOp call) {
  auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
  Block &body = def.getBody().front();
  IRMapping buffers;
  for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
    bool input = number < call.getInputs().size();
    Value tensor = input ? call.getInputs()[number] : call.getOutputs()[number - call.getInputs().size()];
    if (argument.use_empty())
      continue;
    buffers.map(argument, bufferOf(tensor, cast<MemRefType>(argument.getType()), def.getPacking(number)));
  }
  int64_t index = infoOf(call, def);
  bool isFirst = true;
  for (Operation &op : body.without_terminator()) {
    if (auto scratch = dyn_cast<task::ScratchOp>(op)) {
      buffers.map(scratch.getMemory(),
                  viewOf(plan.scratchOf(call, scratch), scratch.getMemory().getType(), scratch.getElementsAttr()));
      continue;
    }
    if (auto own = dyn_cast<task::CountersOp>(op)) {
      MemRefType type = own.getMemory().getType();
      buffers.map(own.getMemory(), viewOf(counters, counterBytes, type, {}));
      counterBytes += type.getNumElements() * task::getElementBytes(type.getElementType());
      continue;
    }
    Operation *step = builder.clone(op, buffers);
    if (auto dispatch = dyn_cast<task::DispatchOp>(step))
      dispatch.setTaskIndex(index);
    else
      cast<task::ExternCallOp>(step).setTaskIndex(index);
    if (def->hasAttr(task::hostName))
      step->setAttr(task::hostName, hostOperands(def, call.getInputs().size(), op.getOperands()));
    if (isFirst)
      step->setAttr(task::TaskDialect::getBeginName(), builder.getUnitAttr());
    isFirst = false;
    step->setLoc(call.getLoc());
  }
}

/// Reads the size outside of branches, because it is used everywhere.
void MainRewriter::rewritePrefix(task::PrefixOp prefix, ArrayRef<task::Predicate> needed) {
  StringAttr name = onnx::getDims(prefix.getOutput())->front().getName();
  // Two results of a task may have the same name as dimension.
  if (!bound.insert(name).second)
    return;
  Dim most = plan.mostOf(onnx::getDims(prefix.getInput())->front());
  Value count = bufferOf(prefix.getCount(), memoryOf(prefix.getCount().getType()), {});
  Attribute limit = makeSize(most, builder.getContext());
  auto flags = llvm::map_to_vector(needed, [&](const task::Predicate &each) { return flagOf(each.condition); });
  auto values = llvm::map_to_vector(needed, [](const task::Predicate &each) { return each.isTrue; });
  task::BindOp::create(builder, prefix.getLoc(), name, count, limit, flags, values);
}

/// Copies the operands of `choose` that tasks have not written in place.
void MainRewriter::rewriteChoose(task::ChooseOp choose, ArrayRef<task::Predicate> around, BranchBuilder &branches) {
  for (OpOperand *operand : plan.copiesOf(choose)) {
    SmallVector<task::Predicate> needed(around);
    task::Predicate own{choose.getCondition(), operand == &choose.getWhenTrueMutable()};
    if (!llvm::is_contained(needed, own))
      needed.push_back(own);
    branches.enter(needed, choose.getLoc());
    Value from = bufferOf(operand->get(), memoryOf(cast<ShapedType>(operand->get().getType())), {});
    Value to = bufferOf(choose.getChosen(), memoryOf(choose.getChosen().getType()), {});
    task::CopyOp::create(builder, choose.getLoc(), from, to, Value(), /*unless_same=*/false);
  }
}

void MainRewriter::copy(Value from, Value to) {
  MemRefType type = memoryOf(cast<ShapedType>(to.getType()));
  task::CopyOp::create(builder, main.getLoc(), bufferOf(from, type, {}), bufferOf(to, type, {}), Value(),
                       /*unless_same=*/false);
}

void MainRewriter::rewriteLoop(task::LoopOp loop) {
  auto bufferIn = [&](Value tensor) {
    return tensor ? bufferOf(tensor, memoryOf(cast<ShapedType>(tensor.getType())), {}) : Value();
  };
  LoopCopies copies = plan.copiesOf(loop);
  for (auto [from, to] : copies.before)
    copy(from, to);
  Value iteration = bufferIn(loop.getCount()), tripCount = bufferIn(loop.getTripCount());
  Value condition = loop.getConditional() ? bufferIn(loop.getLast().front()) : Value();
  auto repeat =
      task::RepeatOp::create(builder, loop.getLoc(), iteration, tripCount, condition, loop.getMaxTripCountAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&repeat.getSteps().emplaceBlock());
  Block &body = BufferPlan::bodyOf(loop).getBody().front();
  rewriteBlock(body);
  for (auto [slice, stacked] :
       llvm::zip_equal(body.getTerminator()->getOperands().drop_front(loop.getLast().size()), loop.getStacked()))
    task::CopyOp::create(builder, loop.getLoc(), bufferIn(slice), bufferIn(stacked), iteration, /*unless_same=*/false);
  llvm::DenseMap<unsigned, Value> saved;
  for (auto [number, place] : copies.saved) {
    Value from = copies.after[number].first;
    MemRefType type = memoryOf(cast<ShapedType>(from.getType()));
    saved[number] = viewOf(place, type, productOf(*onnx::getDims(from)).getExpr());
    task::CopyOp::create(builder, loop.getLoc(), bufferOf(from, type, {}), saved[number], Value(),
                         /*unless_same=*/false);
  }
  for (auto [number, values] : llvm::enumerate(copies.after)) {
    if (Value from = saved.lookup(number))
      task::CopyOp::create(builder, loop.getLoc(), from, bufferIn(values.second), Value(), /*unless_same=*/false);
    else
      copy(values.first, values.second);
  }
}

/// Writes the new rows of a cache. Copies the old rows before, unless input and output are one buffer.
void MainRewriter::rewriteUpdate(task::UpdateOp update) {
  auto memory = [&](Value tensor) { return bufferOf(tensor, memoryOf(cast<ShapedType>(tensor.getType())), {}); };
  Value present = memory(update.getPresent());
  task::CopyOp::create(builder, update.getLoc(), memory(update.getPast()), present, Value(), /*unless_same=*/true);
  onnx::DimList dims = *onnx::getDims(update.getPresent()), rows = *onnx::getDims(update.getRows());
  int64_t axis = update.getAxis();
  ArrayRef<Dim> whole = dims;
  Dim extents[] = {dims[0], productOf(whole.slice(1, axis - 1)), dims[axis], rows[axis],
                   productOf(whole.drop_front(axis + 1))};
  task::WriteRowsOp::create(builder, update.getLoc(), memory(update.getRows()), present, memory(update.getPlaces()),
                            sizesOf(builder, extents));
}

void MainRewriter::rewriteBlock(Block &block) {
  const task::Predicates &predicates = plan.predicatesOf(block);
  auto makeFlag = [&](Value condition) { return flagOf(condition); };
  BranchBuilder branches(builder, makeFlag);
  for (Operation &op : block) {
    ArrayRef<task::Predicate> needed = predicates.of(&op);
    if (task::neverHold(needed) && !isa<task::PrefixOp>(op))
      continue;
    if (auto choose = dyn_cast<task::ChooseOp>(op)) {
      rewriteChoose(choose, needed, branches);
    } else if (auto prefix = dyn_cast<task::PrefixOp>(op)) {
      branches.enter({}, op.getLoc());
      rewritePrefix(prefix, needed);
    } else if (auto update = dyn_cast<task::UpdateOp>(op)) {
      branches.enter({}, op.getLoc());
      rewriteUpdate(update);
    } else if (isa<task::CallOp, task::LoopOp>(op)) {
      branches.enter(needed, op.getLoc());
      if (auto call = dyn_cast<task::CallOp>(op))
        rewriteCall(call);
      else
        rewriteLoop(cast<task::LoopOp>(op));
    }
  }
  branches.enter({}, block.getParentOp()->getLoc());
}

void MainRewriter::emitWeights() {
  OpBuilder atModule = OpBuilder::atBlockEnd(module.getBody());
  for (const WeightPlace &place : weightPlaces.getPlaces())
    task::WeightOp::create(atModule, main.getLoc(), place.constant, builder.getI64IntegerAttr(place.offset),
                           builder.getI64IntegerAttr(place.bytes), place.packing);
  for (auto [constant, offset] : stringOffsets)
    task::StringTableOp::create(atModule, main.getLoc(), cast<ElementsAttr>(constant),
                                builder.getI64IntegerAttr(offset));
}

void MainRewriter::run() {
  createSignature();
  rewriteBlock(main.getBody().front());
  for (const OutputCopy &copy : plan.getCopies()) {
    Value target = planned.getArgument(main.getNumArguments() + copy.output);
    Value source = bufferOf(copy.from, cast<MemRefType>(target.getType()), {});
    task::CopyOp::create(builder, main.getLoc(), source, target, Value(), /*unless_same=*/false);
  }
  func::ReturnOp::create(builder, main.getLoc());
  emitWeights();
  arena.setType(MemRefType::get({plan.arenaBytes}, builder.getI8Type()));
  weights.setType(MemRefType::get({weightPlaces.getBytes()}, builder.getI8Type()));
  if (counters)
    counters.setType(MemRefType::get({counterBytes}, builder.getI8Type()));
  planned.setFunctionType(builder.getFunctionType(planned.getBody().front().getArgumentTypes(), {}));
  main.erase();
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function->hasAttr(task::TaskDialect::getBodyName()))
      function.erase();
  for (auto def : llvm::make_early_inc_range(module.getOps<task::DefOp>()))
    def.erase();
}

struct PlanBuffers : impl::PlanBuffersPassBase<PlanBuffers> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    for (auto def : getOperation().getOps<task::DefOp>())
      if (!def.isBufferForm()) {
        def.emitError("expected a task in buffer form");
        return signalPassFailure();
      }
    FailureOr<BufferPlan> plan = BufferPlan::create(main);
    if (failed(plan))
      return signalPassFailure();
    arenaBytes = plan->arenaBytes;
    liveBytes = plan->liveBytes;
    if (plan->arenaBytes > 0)
      main.emitRemark() << "arena of " << plan->arenaBytes << " bytes, of which at most " << plan->liveBytes
                        << " are alive at once";
    MainRewriter(getOperation(), main, *plan).run();
  }
};

} // namespace
} // namespace cameo

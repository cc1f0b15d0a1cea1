// Rewrites @main from calls on tensors to dispatches on parts of the arena, the weights and the caller's buffers.
#include "passes/Memory/BufferPlan.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/WeightPlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_PLANBUFFERSPASS
#include "passes/Memory/Passes.h.inc"
namespace {

class MainRewriter {
public:
  MainRewriter(ModuleOp module, func::FuncOp main, const BufferPlan &plan)
      : module(module), main(main), plan(plan), builder(main) {}

  void run();

private:
  MemRefType memoryOf(ShapedType type);
  void createSignature();
  Value viewOf(Value base, int64_t offset, MemRefType type);
  Value bufferOf(Value tensor, MemRefType type, task::RelayoutAttr relayout);
  int64_t infoOf(task::CallOp call, task::DefOp def);
  void rewriteCall(task::CallOp call);
  void emitWeights();

  ModuleOp module;
  func::FuncOp main, planned;
  const BufferPlan &plan;
  OpBuilder builder;
  Value arena, weights;
  WeightPlaces weightPlaces;
  llvm::DenseMap<Operation *, int64_t> infos;
};

MemRefType MainRewriter::memoryOf(ShapedType type) {
  Type element = type.getElementType();
  // Kernels know bytes for booleans, and no signs.
  if (element.isInteger(1) || element.isUnsignedInteger())
    element = builder.getIntegerType(8 * task::getElementBytes(element));
  return MemRefType::get({type.getNumElements()}, element);
}

/// Inputs, outputs, arena, weights. The sizes of the last two are known at the end and set then.
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
  planned = func::FuncOp::create(builder, main.getLoc(), main.getSymName(), builder.getFunctionType(types, {}));
  planned.setAllArgAttrs(attributes);
  planned->setAttr(task::TaskDialect::getInputsName(), builder.getI64IntegerAttr(main.getNumArguments()));
  planned->setAttr(task::TaskDialect::getOutputsName(), builder.getI64IntegerAttr(main.getNumResults()));
  Block *entry = planned.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  arena = entry->getArguments().drop_back().back();
  weights = entry->getArguments().back();
}

Value MainRewriter::viewOf(Value base, int64_t offset, MemRefType type) {
  Value at = arith::ConstantIndexOp::create(builder, main.getLoc(), offset);
  return memref::ViewOp::create(builder, main.getLoc(), type, base, at, ValueRange());
}

Value MainRewriter::bufferOf(Value tensor, MemRefType type, task::RelayoutAttr relayout) {
  const Storage &storage = plan.storageOf(tensor);
  switch (storage.kind) {
  case Storage::Kind::Input:
    return planned.getArgument(storage.index);
  case Storage::Kind::Output:
    return planned.getArgument(main.getNumArguments() + storage.index);
  case Storage::Kind::Arena:
    return viewOf(arena, plan.blockOf(storage).offset, type);
  case Storage::Kind::Constant:
    return viewOf(weights, weightPlaces.offsetOf(storage.constant, relayout), type);
  }
  llvm_unreachable("unknown storage");
}

static void collectNames(Location loc, SmallVectorImpl<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc))
    names.push_back(name.getName());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      collectNames(part, names);
}

int64_t MainRewriter::infoOf(task::CallOp call, task::DefOp def) {
  auto [it, added] = infos.try_emplace(def, infos.size());
  if (!added)
    return it->second;
  SmallVector<StringRef> names;
  collectNames(call.getLoc(), names);
  auto number = [&](StringRef attribute) {
    auto value = def->getAttrOfType<FloatAttr>(attribute);
    return builder.getF64FloatAttr(value ? value.getValueAsDouble() : 0);
  };
  auto key = def->getAttrOfType<StringAttr>("key");
  OpBuilder atModule = OpBuilder::atBlockEnd(module.getBody());
  task::InfoOp::create(atModule, def.getLoc(), builder.getI64IntegerAttr(it->second),
                       builder.getStringAttr(names.empty() ? def.getSymName().str() : llvm::join(names, "+")),
                       key ? key : builder.getStringAttr(def.getSymName()), number("flops"), number("bytes"));
  return it->second;
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
    buffers.map(argument, bufferOf(tensor, cast<MemRefType>(argument.getType()), def.getRelayout(number)));
  }
  int64_t index = infoOf(call, def);
  bool isFirst = true;
  for (Operation &op : body.without_terminator()) {
    if (auto scratch = dyn_cast<task::ScratchOp>(op)) {
      buffers.map(scratch.getMemory(), viewOf(arena, plan.scratchOf(call, scratch).offset,
                                              cast<MemRefType>(scratch.getType())));
      continue;
    }
    auto dispatch = cast<task::DispatchOp>(builder.clone(op, buffers));
    dispatch.setTaskIndex(index);
    if (isFirst)
      dispatch->setAttr(task::TaskDialect::getBeginName(), builder.getUnitAttr());
    isFirst = false;
    dispatch->setLoc(call.getLoc());
  }
}

void MainRewriter::emitWeights() {
  OpBuilder atModule = OpBuilder::atBlockEnd(module.getBody());
  for (const WeightPlace &place : weightPlaces.getPlaces())
    task::WeightOp::create(atModule, main.getLoc(), place.constant, builder.getI64IntegerAttr(place.offset),
                           builder.getI64IntegerAttr(place.bytes), place.relayout);
}

void MainRewriter::run() {
  createSignature();
  for (auto call : main.getBody().getOps<task::CallOp>())
    rewriteCall(call);
  for (const OutputCopy &copy : plan.getCopies()) {
    Value target = planned.getArgument(main.getNumArguments() + copy.output);
    Value source = bufferOf(copy.from, cast<MemRefType>(target.getType()), {});
    task::CopyOp::create(builder, main.getLoc(), source, target);
  }
  func::ReturnOp::create(builder, main.getLoc());
  emitWeights();
  arena.setType(MemRefType::get({plan.arenaBytes}, builder.getI8Type()));
  weights.setType(MemRefType::get({weightPlaces.getBytes()}, builder.getI8Type()));
  planned.setFunctionType(builder.getFunctionType(planned.getBody().front().getArgumentTypes(), {}));
  main.erase();
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
    MainRewriter(getOperation(), main, *plan).run();
  }
};

} // namespace
} // namespace cameo

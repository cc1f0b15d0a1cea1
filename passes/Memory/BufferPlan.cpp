// Roots, lifetimes and sharing.
#include "passes/Memory/BufferPlan.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cameo {

int64_t storedBytes(ShapedType type) { return type.getNumElements() * task::getElementBytes(type.getElementType()); }

/// Every value of @main is a tensor of numbers of known size.
static LogicalResult checkType(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    return emitError(loc) << "expected a tensor of numbers and of static shape, got " << type;
  return success();
}

LogicalResult BufferPlan::findRoots() {
  for (BlockArgument argument : main.getArguments()) {
    if (failed(checkType(argument.getLoc(), argument.getType())))
      return failure();
    roots[argument] = addStorage({Storage::Kind::Input, argument.getArgNumber()});
  }
  for (Operation &op : main.getBody().front()) {
    for (Value result : op.getResults()) {
      if (isa<NoneType>(result.getType()))
        continue; // an absent optional input that no task reads
      if (failed(checkType(op.getLoc(), result.getType())))
        return failure();
      ElementsAttr constant;
      if (auto view = dyn_cast<task::ViewOp>(op))
        roots[result] = roots.lookup(view.getInput());
      else if (matchPattern(result, m_Constant(&constant)))
        roots[result] = addStorage({Storage::Kind::Constant, 0, constant});
      else if (isa<task::CallOp>(op))
        roots[result] = addStorage({Storage::Kind::Arena});
      else
        return op.emitError("expected only constants, task calls and views in @main");
    }
  }
  return success();
}

/// A value that the model returns lives in the caller's buffer from the start; inputs, constants and what is returned
/// twice must be copied.
void BufferPlan::placeOutputs() {
  for (OpOperand &operand : main.getBody().front().getTerminator()->getOpOperands()) {
    Storage &storage = storages[rootOf(operand.get())];
    unsigned output = operand.getOperandNumber();
    if (storage.kind == Storage::Kind::Arena)
      storage = {Storage::Kind::Output, output};
    else
      copies.push_back({operand.get(), output});
  }
}

void BufferPlan::findLifetimes() {
  lifetimes.assign(storages.size(), {-1, -1});
  bytes.assign(storages.size(), 0);
  int64_t step = 0;
  for (Operation &op : main.getBody().front()) {
    ++step;
    // A view does nothing at its place; its users do.
    if (!isa<task::ViewOp>(op))
      for (Value operand : op.getOperands())
        lifetimes[rootOf(operand)].second = step;
    if (!isa<task::CallOp>(op))
      continue;
    for (Value result : op.getResults()) {
      unsigned root = rootOf(result);
      lifetimes[root] = {step, step};
      bytes[root] = storedBytes(cast<ShapedType>(result.getType()));
    }
  }
}

/// Lets `call` write results over inputs that nobody reads later, where the task says it may.
void BufferPlan::shareDyingInputs(task::CallOp call, task::DefOp def, int64_t step) {
  auto usesOf = [&](ValueRange values, unsigned root) {
    return llvm::count_if(values, [&](Value value) { return rootOf(value) == root; });
  };
  for (unsigned number = 0; number < call.getInputs().size(); ++number) {
    std::optional<unsigned> result = def.getInplaceResult(number);
    if (!result)
      continue;
    unsigned from = rootOf(call.getInputs()[number]), to = rootOf(call.getOutputs()[*result]);
    bool isPlanned = storages[from].kind == Storage::Kind::Arena && storages[to].kind == Storage::Kind::Arena;
    // A result that lies over one input already must not pull a second one into the same memory.
    bool isShared = usesOf(call.getInputs(), to) != 0;
    if (!isPlanned || isShared || lifetimes[from].second != step || bytes[from] != bytes[to] ||
        usesOf(call.getInputs(), from) != 1 || usesOf(call.getOutputs(), to) != 1 || usesOf(call.getOutputs(), from) != 0)
      continue;
    lifetimes[from].second = lifetimes[to].second;
    merged[to] = from;
  }
}

void BufferPlan::placeBlocks() {
  int64_t step = 0;
  SymbolTableCollection symbols;
  for (Operation &op : main.getBody().front()) {
    ++step;
    auto call = dyn_cast<task::CallOp>(op);
    if (!call)
      continue;
    auto def = symbols.lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
    shareDyingInputs(call, def, step);
    for (auto scratch : def.getBody().getOps<task::ScratchOp>()) {
      scratchBlocks[{call, scratch}] = blocks.size();
      blocks.push_back({storedBytes(cast<ShapedType>(scratch.getType())), step, step});
    }
  }
  for (unsigned root = 0; root < storages.size(); ++root)
    if (storages[root].kind == Storage::Kind::Arena && merged[root] == root) {
      storages[root].index = blocks.size();
      blocks.push_back({bytes[root], lifetimes[root].first, lifetimes[root].second});
    }
  arenaBytes = assignOffsets(blocks, arenaAlignment);
  liveBytes = mostLiveBytes(blocks, arenaAlignment);
}

FailureOr<BufferPlan> BufferPlan::create(func::FuncOp main) {
  BufferPlan plan(main);
  if (failed(plan.findRoots()))
    return failure();
  plan.placeOutputs();
  plan.findLifetimes();
  plan.placeBlocks();
  return plan;
}

} // namespace cameo

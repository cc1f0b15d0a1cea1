// Roots, lifetimes and sharing.
#include "passes/Memory/BufferPlan.h"

#include "dialects/Task/TaskStringOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cameo {

Dim storedBytes(RankedTensorType type) {
  return mulDims(productOf(*onnx::getDims(type)), task::getElementBytes(type.getElementType()));
}

static Dim storedBytes(task::ScratchOp scratch) {
  MemRefType type = scratch.getMemory().getType();
  Dim elements = type.hasStaticShape() ? Dim(type.getNumElements()) : Dim(scratch.getElementsAttr());
  return mulDims(elements, task::getElementBytes(type.getElementType()));
}

/// Fails unless `type` is a tensor of numbers whose dimensions all have sizes or names.
static LogicalResult checkType(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat() || storedBytes(tensor).isUnknown())
    return emitError(loc) << "expected a tensor of numbers whose dimensions have sizes or names, got " << type;
  return success();
}

/// Records that the first dimension of the result is at most that of the operand.
LogicalResult BufferPlan::bindSize(task::PrefixOp prefix) {
  StringAttr name = onnx::getDims(prefix.getOutput())->front().getName();
  Dim most = mostOf(onnx::getDims(prefix.getInput())->front());
  auto [it, added] = bounds.try_emplace(name, most);
  if (!added && !it->second.equals(most))
    return prefix.emitError("expected prefixes of size '") << name.strref() << "' to have inputs of equal size";
  return success();
}

/// Merges the storages of all parts into that of the first part. Another join may have some of the parts, at the same
/// offsets.
LogicalResult BufferPlan::joinParts(task::JoinOp join) {
  unsigned whole = rootOf(join.getParts().front());
  int64_t elementBytes = task::getElementBytes(join.getWhole().getType().getElementType());
  for (auto [part, offset] : llvm::zip_equal(join.getParts(), join.getOffsets())) {
    auto isJoin = [](Operation *user) { return isa<task::JoinOp>(user); };
    auto [shift, isNew] = shifts.try_emplace(part, offset * elementBytes);
    if (!part.getDefiningOp<task::CallOp>() || !llvm::all_of(part.getUsers(), isJoin) ||
        shift->second != offset * elementBytes)
      return join.emitError("expected parts that are results of tasks, used only by joins, and at one offset");
    merged[rootOf(part)] = whole;
  }
  joined.insert(whole);
  roots[join.getWhole()] = whole;
  return success();
}

/// Gives the result of `choose` a storage. A task that computes an operand writes it there in place if nothing else
/// reads the operand and the task runs only in that branch.
void BufferPlan::joinBranches(task::ChooseOp choose) {
  unsigned whole = addStorage({Storage::Kind::Arena});
  roots[choose.getChosen()] = whole;
  chosen.insert(whole);
  const task::Predicates &needed = predicatesOf(*choose->getBlock());
  auto isReadOnce = [&](Value value) {
    return llvm::count_if(value.getUses(), [&](OpOperand &use) { return needed.isRead(use); }) == 1;
  };
  for (bool isTrue : {true, false}) {
    Value made = isTrue ? choose.getWhenTrue() : choose.getWhenFalse();
    while (isReadOnce(made) && made.getDefiningOp<task::ViewOp>())
      made = made.getDefiningOp<task::ViewOp>().getInput();
    Operation *maker = made.getDefiningOp();
    bool isMade = isa_and_nonnull<task::CallOp, task::ChooseOp>(maker) && isReadOnce(made);
    if (isMade && llvm::is_contained(needed.of(maker), task::Predicate{choose.getCondition(), isTrue}))
      merged[rootOf(made)] = whole;
  }
}

SmallVector<OpOperand *, 2> BufferPlan::copiesOf(task::ChooseOp choose) const {
  SmallVector<OpOperand *, 2> copied;
  for (OpOperand *operand : {&choose.getWhenTrueMutable(), &choose.getWhenFalseMutable()})
    if (rootOf(operand->get()) != rootOf(choose.getChosen()))
      copied.push_back(operand);
  return copied;
}

BlockPlace BufferPlan::placeOf(Value value) const {
  BlockPlace place = places[storageOf(value).index];
  place.offset += shifts.lookup(value);
  return place;
}

void BufferPlan::findSteps(func::FuncOp function) {
  for (Operation &op : function.getBody().front()) {
    steps.push_back(&op);
    auto loop = dyn_cast<task::LoopOp>(op);
    if (!loop)
      continue;
    int64_t begin = steps.size() - 1;
    findSteps(bodyOf(loop));
    loops.push_back({loop, begin, static_cast<int64_t>(steps.size()) - 1});
  }
}

LogicalResult BufferPlan::findRoots() {
  for (BlockArgument argument : main.getArguments()) {
    if (failed(checkType(argument.getLoc(), argument.getType())))
      return failure();
    roots[argument] = addStorage({Storage::Kind::Input, argument.getArgNumber()});
  }
  for (Operation *op : steps)
    if (failed(findRoots(*op)))
      return failure();
  return success();
}

LogicalResult BufferPlan::findRoots(Operation &op) {
  for (Value result : op.getResults()) {
    if (isa<NoneType>(result.getType()))
      continue; // an absent optional input that no task reads
    if (failed(checkType(op.getLoc(), result.getType())))
      return failure();
    ElementsAttr constant;
    auto prefix = dyn_cast<task::PrefixOp>(op);
    if (prefix && failed(bindSize(prefix)))
      return failure();
    if (mostOf(storedBytes(cast<RankedTensorType>(result.getType()))).isUnknown())
      return op.emitError("expected sizes with known upper bounds, got ") << result.getType();
    if (prefix)
      roots[result] = roots.lookup(prefix.getInput());
    else if (auto view = dyn_cast<task::ViewOp>(op))
      roots[result] = roots.lookup(view.getInput());
    else if (auto join = dyn_cast<task::JoinOp>(op)) {
      if (failed(joinParts(join)))
        return failure();
    } else if (auto choose = dyn_cast<task::ChooseOp>(op))
      joinBranches(choose);
    else if (auto strings = dyn_cast<task::StringsOp>(op))
      roots[result] = addStorage({Storage::Kind::Strings, 0, strings.getValue()});
    else if (matchPattern(result, m_Constant(&constant)))
      roots[result] = addStorage({Storage::Kind::Constant, 0, constant});
    else if (isa<task::CallOp, task::LoopOp, task::UpdateOp>(op))
      roots[result] = addStorage({Storage::Kind::Arena});
    else
      return op.emitError(
          "expected only constants, task calls, loops, choices, updates, views, joins and prefixes in @main");
  }
  if (auto loop = dyn_cast<task::LoopOp>(op))
    findLoopRoots(loop);
  return success();
}

/// Gives the results of the model the caller's buffers as storage, if the type of the result is as large as the storage
/// needs to be. Other results are copied: inputs, constants, values that are returned twice and values joined from
/// parts.
void BufferPlan::placeOutputs() {
  for (OpOperand &operand : main.getBody().front().getTerminator()->getOpOperands()) {
    Storage &storage = storages[rootOf(operand.get())];
    unsigned output = operand.getOperandNumber();
    bool isWhole =
        mostOf(storedBytes(cast<RankedTensorType>(operand.get().getType()))).equals(bytes[rootOf(operand.get())]);
    if (storage.kind == Storage::Kind::Arena && isWhole && !joined.contains(rootOf(operand.get())))
      storage = {Storage::Kind::Output, output};
    else
      copies.push_back({operand.get(), output});
  }
}

/// Checks the task.update operations. The caller may pass one buffer for input and output, so nothing else may read the
/// input or write the output.
LogicalResult BufferPlan::checkUpdates() {
  for (Operation *op : steps)
    if (auto update = dyn_cast<task::UpdateOp>(op)) {
      auto past = dyn_cast<BlockArgument>(update.getPast());
      if (!past || past.getOwner() != &main.getBody().front() || !past.hasOneUse() ||
          storageOf(update.getPresent()).kind != Storage::Kind::Output)
        return update.emitError(
            "expected an input of @main without other uses, and a result that is an output of @main");
    }
  return success();
}

/// Computes the size of every storage from the values that operations write.
void BufferPlan::findBytes() {
  bytes.assign(storages.size(), Dim(0));
  for (Operation *op : steps)
    if (isa<task::CallOp, task::LoopOp, task::ChooseOp, task::UpdateOp>(op))
      for (Value result : op->getResults())
        bytes[rootOf(result)] = mostOf(storedBytes(cast<RankedTensorType>(result.getType())));
}

void BufferPlan::useOperands(Operation &op, int64_t step) {
  // A view or join does not access memory; its users do. A prefix reads only its count.
  if (auto prefix = dyn_cast<task::PrefixOp>(op))
    lifetimes[rootOf(prefix.getCount())].second = step;
  else if (!isa<task::ViewOp, task::JoinOp>(op))
    for (Value operand : op.getOperands())
      lifetimes[rootOf(operand)].second = step;
}

void BufferPlan::findLifetimes() {
  lifetimes.assign(storages.size(), {-1, -1});
  for (auto [step, op] : llvm::enumerate(steps)) {
    useOperands(*op, step);
    if (isa<task::CallOp, task::LoopOp, task::ChooseOp, task::UpdateOp>(op))
      for (Value result : op->getResults()) {
        auto &[first, last] = lifetimes[rootOf(result)];
        first = first < 0 ? step : first;
        last = step;
      }
  }
  keepThroughLoops();
}

/// Lets `call` write results in place of inputs that are not read later, where the definition allows it.
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
    // A result that already shares the memory of an input must not be merged with a second one, and neither must
    // results of joins and choices.
    bool isShared = usesOf(call.getInputs(), to) != 0 || joined.contains(to) || chosen.contains(to);
    if (!isPlanned || isShared || lifetimes[from].second != step || !bytes[from].equals(bytes[to]) ||
        usesOf(call.getInputs(), from) != 1 || usesOf(call.getOutputs(), to) != 1 ||
        usesOf(call.getOutputs(), from) != 0)
      continue;
    lifetimes[from].second = lifetimes[to].second;
    merged[to] = from;
  }
}

unsigned BufferPlan::addBlock(const Dim &size, int64_t first, int64_t last) {
  blocks.push_back({size, first, last});
  return blocks.size() - 1;
}

void BufferPlan::findBlocks() {
  SymbolTableCollection symbols;
  auto range = loops.begin();
  for (auto [step, op] : llvm::enumerate(steps)) {
    if (auto loop = dyn_cast<task::LoopOp>(op))
      startInPlace(loop, step);
    if (range != loops.end() && range->end == static_cast<int64_t>(step))
      continueInPlace(*range++);
    auto call = dyn_cast<task::CallOp>(op);
    if (!call)
      continue;
    auto def = symbols.lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
    shareDyingInputs(call, def, step);
    for (auto scratch : def.getBody().getOps<task::ScratchOp>())
      scratchBlocks[{call, scratch}] = addBlock(mostOf(storedBytes(scratch)), step, step);
  }
  for (const LoopRange &each : loops)
    saveCrossing(each);
  for (unsigned root = 0; root < storages.size(); ++root)
    if (storages[root].kind == Storage::Kind::Arena && merged[root] == root)
      storages[root].index = addBlock(bytes[root], lifetimes[root].first, lifetimes[root].second);
}

/// Assigns offsets in the arena to blocks of static size, and slots to the others.
void BufferPlan::placeBlocks() {
  places.resize(blocks.size());
  std::vector<ArenaBlock> arena;
  std::vector<SlotBlock> behind;
  for (const SlotBlock &block : blocks) {
    if (block.bytes.isStatic())
      arena.push_back({block.bytes.getSize(), block.first, block.last});
    else
      behind.push_back(block);
  }
  arenaBytes = assignOffsets(arena, arenaAlignment);
  liveBytes = mostLiveBytes(arena, arenaAlignment);
  slots = assignSlots(behind);
  auto nextInArena = arena.begin();
  auto nextBehind = behind.begin();
  for (auto [place, block] : llvm::zip_equal(places, blocks)) {
    if (block.bytes.isStatic())
      place.offset = (nextInArena++)->offset;
    else
      place.slot = (nextBehind++)->slot;
  }
}

std::vector<ArenaBuffer> BufferPlan::getBuffers() const {
  std::vector<ArenaBuffer> buffers;
  for (auto [block, place] : llvm::zip_equal(blocks, places))
    buffers.push_back({block.bytes, place, block.first, block.last});
  for (Operation *op : steps)
    for (Value result : op->getResults())
      if (isa<task::CallOp, task::LoopOp>(op) && storageOf(result).kind == Storage::Kind::Arena)
        if (ArenaBuffer &buffer = buffers[storageOf(result).index]; !buffer.owner)
          buffer.owner = op;
  auto addScratch = [&](Operation *owner, unsigned block) {
    buffers[block].owner = owner;
    buffers[block].isScratch = true;
  };
  for (const auto &[key, block] : scratchBlocks)
    addScratch(key.first, block);
  for (const auto &[key, block] : savedBlocks)
    addScratch(key.first, block);
  return buffers;
}

FailureOr<BufferPlan> BufferPlan::create(func::FuncOp main) {
  BufferPlan plan(main);
  plan.findSteps(main);
  if (failed(plan.findRoots()))
    return failure();
  plan.findBytes();
  plan.placeOutputs();
  if (failed(plan.checkUpdates()))
    return failure();
  plan.findLifetimes();
  plan.findBlocks();
  plan.placeBlocks();
  return plan;
}

} // namespace cameo

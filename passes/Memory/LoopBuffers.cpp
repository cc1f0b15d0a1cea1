// The memory of loops. A loop-carried value has the same buffer from before the first iteration to the end of the last.
#include "passes/Memory/BufferPlan.h"

using namespace mlir;

namespace cameo {

func::FuncOp BufferPlan::bodyOf(task::LoopOp loop) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(loop, loop.getBodyAttr());
}

/// Gives the arguments of the loop's body (iteration number, carried values, captured values) the storages of the
/// corresponding values outside.
void BufferPlan::findLoopRoots(task::LoopOp loop) {
  Block &body = bodyOf(loop).getBody().front();
  unsigned next = 0;
  roots[body.getArgument(next++)] = roots.lookup(loop.getCount());
  for (Value value : loop.getLast())
    roots[body.getArgument(next++)] = roots.lookup(value);
  for (Value value : loop.getCaptured())
    roots[body.getArgument(next++)] = roots.lookup(value);
}

/// Extends lifetimes over whole loops: of results of a loop, and of values that were computed before it and are read in
/// it.
void BufferPlan::keepThroughLoops() {
  for (LoopRange &range : loops) {
    if (range.loop.getTripCount())
      lifetimes[rootOf(range.loop.getTripCount())].second =
          std::max(lifetimes[rootOf(range.loop.getTripCount())].second, range.end);
    for (Value result : range.loop.getResults())
      lifetimes[rootOf(result)].second = std::max(lifetimes[rootOf(result)].second, range.end);
    for (auto &[first, last] : lifetimes)
      if (first < range.begin && last > range.begin)
        last = std::max(last, range.end);
  }
}

/// Merges the initial value of a carried value with its later ones if nothing else reads the initial value.
void BufferPlan::startInPlace(task::LoopOp loop, int64_t step) {
  for (auto [initial, last] : llvm::zip_equal(loop.getCarried(), loop.getLast())) {
    unsigned from = rootOf(initial), to = rootOf(last);
    bool isPlanned = storages[from].kind == Storage::Kind::Arena && storages[to].kind == Storage::Kind::Arena;
    bool isAlone = llvm::count_if(loop.getOperands(), [&](Value value) { return rootOf(value) == from; }) == 1;
    if (!isPlanned || !isAlone || lifetimes[from].second != step || !bytes[from].equals(bytes[to]))
      continue;
    lifetimes[from].second = lifetimes[to].second;
    merged[to] = from;
  }
}

/// Whether the next iteration's value `value` may be written in place of `carried`, the value of this iteration.
bool BufferPlan::mayReplace(unsigned value, unsigned carried, const LoopRange &range) const {
  int64_t first = lifetimes[value].first;
  bool isPlanned =
      storages[value].kind == Storage::Kind::Arena && value != carried && bytes[value].equals(bytes[carried]);
  if (!isPlanned || first <= range.begin || storages[carried].kind == Storage::Kind::Input ||
      storages[carried].kind == Storage::Kind::Constant)
    return false;
  auto isCarried = [&](Value operand) { return rootOf(operand) == carried; };
  for (int64_t step = first + 1; step <= range.end; ++step)
    if (!isa<task::ViewOp>(steps[step]) && llvm::any_of(steps[step]->getOperands(), isCarried))
      return false;
  if (llvm::none_of(steps[first]->getOperands(), isCarried))
    return true;
  // The task that computes the new value reads the old one, so it must be able to work in place.
  auto call = dyn_cast<task::CallOp>(steps[first]);
  if (!call || llvm::count_if(call.getInputs(), isCarried) != 1)
    return false;
  auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
  unsigned input = llvm::find_if(call.getInputs(), isCarried) - call.getInputs().begin();
  std::optional<unsigned> result = def.getInplaceResult(input);
  return result && rootOf(call.getOutputs()[*result]) == value;
}

void BufferPlan::continueInPlace(const LoopRange &range) {
  task::LoopOp loop = range.loop;
  for (auto [last, next] : llvm::zip(loop.getLast(), steps[range.end]->getOperands()))
    if (unsigned value = rootOf(next), carried = rootOf(last); mayReplace(value, carried, range))
      merged[value] = carried;
}

/// Reserves buffers for carried values that are assigned to other carried values, as in a swap: all are saved before
/// one of them is overwritten.
void BufferPlan::saveCrossing(const LoopRange &range) {
  task::LoopOp loop = range.loop;
  for (auto [number, last] : llvm::enumerate(loop.getLast())) {
    Value next = steps[range.end]->getOperand(number);
    bool isMoved = rootOf(next) != rootOf(last);
    if (isMoved && llvm::any_of(loop.getLast(), [&](Value other) { return rootOf(other) == rootOf(next); }))
      savedBlocks[{loop, number}] = addBlock(bytes[rootOf(next)], range.end, range.end);
  }
}

LoopCopies BufferPlan::copiesOf(task::LoopOp loop) const {
  LoopCopies copies;
  Operation *end = bodyOf(loop).getBody().front().getTerminator();
  for (auto [number, last] : llvm::enumerate(loop.getLast())) {
    Value initial = loop.getCarried()[number], next = end->getOperand(number);
    if (rootOf(initial) != rootOf(last))
      copies.before.emplace_back(initial, last);
    if (rootOf(next) == rootOf(last))
      continue;
    if (auto saved = savedBlocks.find({loop, number}); saved != savedBlocks.end())
      copies.saved.emplace_back(copies.after.size(), places[saved->second]);
    copies.after.emplace_back(next, last);
  }
  return copies;
}

} // namespace cameo

// --order-tasks: a list schedule that always runs the task that frees the most memory. It replaces the given order if
// its plan needs a smaller arena.
#include "passes/Memory/BufferPlan.h"
#include "passes/Memory/Passes.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_ORDERTASKSPASS
#include "passes/Memory/Passes.h.inc"
namespace {

/// The operations of @main with their dependences and the memory that they allocate and free.
class ListSchedule {
public:
  explicit ListSchedule(func::FuncOp main) : symbols(main->getParentOfType<ModuleOp>()), main(main) { describe(); }

  std::vector<Operation *> find();

private:
  /// Values that share one piece of memory.
  struct Memory {
    int64_t bytes = 0;
    unsigned unread = 0; ///< operands that are not read yet
    bool isAlive = false;
  };
  struct Entry {
    unsigned waitsFor = 0; ///< operands and conditions that are not computed yet
    SmallVector<Memory *, 2> makes;
    llvm::SmallMapVector<Memory *, unsigned, 4> reads;
    int64_t scratchBytes = 0;
  };
  void describe();
  Memory &memoryOf(Value value) { return memories[classes.getOrInsertLeaderValue(value.getAsOpaquePointer())]; }
  int64_t scratchOf(task::CallOp call);
  std::tuple<int64_t, int64_t> costOf(const Entry &entry) const;
  void take(Entry &entry);

  SymbolTable symbols;
  func::FuncOp main;
  llvm::EquivalenceClasses<const void *> classes;
  std::map<const void *, Memory> memories; ///< by leader; addresses are stable
  llvm::MapVector<Operation *, Entry> entries;
  llvm::DenseMap<Operation *, SmallVector<Operation *>>
      guarded; ///< by the operation that computes a condition: operations that depend on it
};

int64_t ListSchedule::scratchOf(task::CallOp call) {
  int64_t bytes = 0;
  symbols.lookup<task::DefOp>(call.getCallee()).walk([&](task::ScratchOp scratch) {
    MemRefType type = scratch.getMemory().getType();
    bytes += type.getNumElements() * task::getElementBytes(type.getElementType());
  });
  return bytes;
}

void ListSchedule::describe() {
  Block &block = main.getBody().front();
  for (Operation &op : block)
    if (isa<task::ViewOp, task::JoinOp>(op))
      for (Value operand : op.getOperands())
        classes.unionSets(operand.getAsOpaquePointer(), op.getResult(0).getAsOpaquePointer());
  task::Predicates predicates(block);
  for (Operation &op : block.without_terminator()) {
    Entry &entry = entries[&op];
    for (const task::Predicate &predicate : predicates.of(&op))
      if (Operation *maker = predicate.condition.getDefiningOp()) {
        guarded[maker].push_back(&op);
        ++entry.waitsFor;
      }
    for (Value operand : op.getOperands()) {
      entry.waitsFor += operand.getDefiningOp() != nullptr;
      if (!isa<task::ViewOp, task::JoinOp>(op)) {
        ++entry.reads[&memoryOf(operand)];
        ++memoryOf(operand).unread;
      }
    }
    auto call = dyn_cast<task::CallOp>(op);
    if (!call)
      continue;
    entry.scratchBytes = scratchOf(call);
    for (Value result : call.getResults()) {
      Memory &memory = memoryOf(result);
      memory.bytes = std::max(memory.bytes, storedBytes(cast<RankedTensorType>(result.getType())).getSize());
      entry.makes.push_back(&memory);
    }
  }
  // Results are in buffers of the caller.
  for (Value result : block.getTerminator()->getOperands())
    memoryOf(result).bytes = 0;
}

/// Returns by how many bytes the live memory grows after the operation, and by how many at most while it runs.
std::tuple<int64_t, int64_t> ListSchedule::costOf(const Entry &entry) const {
  int64_t made = 0, freed = 0;
  SmallPtrSet<Memory *, 2> seen;
  for (Memory *memory : entry.makes)
    if (!memory->isAlive && seen.insert(memory).second)
      made += memory->bytes;
  for (auto [memory, operands] : entry.reads)
    if (memory->isAlive && memory->unread == operands)
      freed += memory->bytes;
  return {made - freed, made + entry.scratchBytes};
}

void ListSchedule::take(Entry &entry) {
  for (Memory *memory : entry.makes)
    memory->isAlive = true;
  for (auto [memory, operands] : entry.reads)
    if ((memory->unread -= operands) == 0)
      memory->isAlive = false;
}

std::vector<Operation *> ListSchedule::find() {
  std::vector<Operation *> order, ready;
  auto release = [&](Operation *op) {
    auto waiting = llvm::to_vector(op->getUsers());
    llvm::append_range(waiting, guarded.lookup(op));
    for (Operation *user : waiting)
      if (auto entry = entries.find(user); entry != entries.end() && --entry->second.waitsFor == 0)
        ready.push_back(user);
  };
  for (auto &[op, entry] : entries)
    if (entry.waitsFor == 0)
      ready.push_back(op);
  while (!ready.empty()) {
    // Ties go to the first in the model, so that the order is deterministic.
    auto best = llvm::min_element(ready, [&](Operation *a, Operation *b) {
      auto left = costOf(entries[a]), right = costOf(entries[b]);
      return left != right ? left < right : a->isBeforeInBlock(b);
    });
    Operation *op = *best;
    ready.erase(best);
    take(entries[op]);
    order.push_back(op);
    release(op);
  }
  return order;
}

struct OrderTasks : impl::OrderTasksPassBase<OrderTasks> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || !hasKnownSizes(main))
      return;
    FailureOr<BufferPlan> before = BufferPlan::create(main);
    if (failed(before))
      return signalPassFailure();
    Block &block = main.getBody().front();
    auto given = llvm::map_to_vector(block.without_terminator(), [](Operation &op) { return &op; });
    auto arrange = [&](ArrayRef<Operation *> order) {
      for (Operation *op : order)
        op->moveBefore(block.getTerminator());
    };
    arrange(ListSchedule(main).find());
    FailureOr<BufferPlan> after = BufferPlan::create(main);
    if (failed(after) || after->arenaBytes >= before->arenaBytes)
      arrange(given);
  }

private:
  /// Whether all sizes are static and there are no loops. A dynamic size computed by a task is no operand, so the
  /// dependences would miss it; the steps of a loop's body have their own order.
  static bool hasKnownSizes(func::FuncOp main) {
    return llvm::all_of(main.getBody().front().without_terminator(), [](Operation &op) {
      return !isa<task::LoopOp, task::PrefixOp>(op) && llvm::all_of(op.getResultTypes(), [](Type type) {
        return isa<NoneType>(type) || cast<ShapedType>(type).hasStaticShape();
      });
    });
  }
};

} // namespace
} // namespace cameo

// An order of independent tasks in which less is alive at once: a list schedule that takes what frees the most, kept
// where the plan of it is smaller.
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

/// The operations of @main, what they wait for, and the memory that they take and free.
class ListSchedule {
public:
  explicit ListSchedule(func::FuncOp main) : symbols(main->getParentOfType<ModuleOp>()), main(main) { describe(); }

  std::vector<Operation *> find();

private:
  /// Values in one piece of memory.
  struct Memory {
    int64_t bytes = 0;
    unsigned unread = 0; ///< operands that are still to be read
    bool isAlive = false;
  };
  struct Entry {
    unsigned waitsFor = 0; ///< results that are not there yet
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
  std::map<const void *, Memory> memories; ///< by leader; never moved
  llvm::MapVector<Operation *, Entry> entries;
  llvm::DenseMap<Operation *, SmallVector<Operation *>>
      guarded; ///< by what makes a condition: what is computed only under it
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
  // The caller has room for what is returned.
  for (Value result : block.getTerminator()->getOperands())
    memoryOf(result).bytes = 0;
}

/// The bytes that more are alive behind it than before, and the most while it runs.
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
    // Of equals the first in the model: the same module has one order.
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
  /// Names of sizes are no operands, so nothing would say what must come first; and a loop has an order of its own.
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

// --deduplicate-tasks: one definition per distinct computation, with its key.
#include "passes/Partition/CanonicalTask.h"
#include "passes/Partition/Passes.h"

#include "dialects/Task/TaskDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace cameo::partition;

namespace cameo {

#define GEN_PASS_DEF_DEDUPLICATETASKSPASS
#include "passes/Partition/Passes.h.inc"

namespace {

using Calls = SmallVector<task::CallOp>;

template <typename Range> auto permute(const Range &values, ArrayRef<unsigned> order) {
  SmallVector<std::decay_t<decltype(values[0])>> permuted;
  for (unsigned index : order)
    permuted.push_back(values[index]);
  return permuted;
}

/// Puts ops, arguments and results of the definition into the canonical order, and adapts all calls.
void reorder(task::DefOp def, const CanonicalOrder &order, Calls &calls) {
  Block &body = def.getBody().front();
  Operation *terminator = body.getTerminator();
  for (Operation *op : order.ops)
    op->moveBefore(terminator);
  SmallVector<Value> returned = permute(SmallVector<Value>(terminator->getOperands()), order.results);
  terminator->setOperands(returned);

  SmallVector<BlockArgument> old(body.getArguments());
  for (unsigned index : order.arguments)
    old[index].replaceAllUsesWith(body.addArgument(old[index].getType(), old[index].getLoc()));
  body.eraseArguments(0, old.size());
  def.setType(FunctionType::get(def.getContext(), body.getArgumentTypes(), terminator->getOperandTypes()));

  for (task::CallOp &call : calls) {
    OpBuilder builder(call);
    SmallVector<Value> inputs = permute(SmallVector<Value>(call.getInputs()), order.arguments);
    auto moved = task::CallOp::create(builder, call.getLoc(), def.getResultTypes(), call.getCallee(), inputs);
    for (auto [index, place] : llvm::enumerate(order.results))
      call.getResult(place).replaceAllUsesWith(moved.getResult(index));
    call.erase();
    call = moved;
  }
}

/// Returns `conv_relu` for `conv_relu_12`.
StringRef getBaseName(StringRef name) {
  StringRef base = name.rtrim("0123456789");
  return base.size() < name.size() && base.ends_with("_") ? base.drop_back() : name;
}

struct DeduplicateTasksPass : impl::DeduplicateTasksPassBase<DeduplicateTasksPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::MapVector<Operation *, Calls> callsOf;
    SymbolTable symbols(module);
    module.walk([&](task::CallOp call) {
      if (auto def = symbols.lookup<task::DefOp>(call.getCallee()))
        callsOf[def].push_back(call);
    });
    for (auto def : llvm::make_early_inc_range(module.getOps<task::DefOp>()))
      if (!callsOf.contains(def))
        symbols.erase(def);
    // In the order of first calls.
    SmallVector<std::pair<task::DefOp, Calls>> kept;
    llvm::StringMap<unsigned> keptIndex; // text -> place in `kept`
    for (auto &[op, calls] : callsOf) {
      auto def = cast<task::DefOp>(op);
      CanonicalOrder order = canonicalizeBody(def.getBody().front());
      reorder(def, order, calls);
      auto [entry, isNew] = keptIndex.try_emplace(order.text, kept.size());
      if (isNew) {
        def->setAttr("key", StringAttr::get(&getContext(), hashText(order.text)));
        kept.emplace_back(def, calls);
        continue;
      }
      for (task::CallOp call : calls)
        call.setCallee(kept[entry->second].first.getSymName());
      llvm::append_range(kept[entry->second].second, calls);
      symbols.erase(def);
    }
    rename(symbols, kept);
  }

private:
  /// Numbers the tasks of each base name in the order of first calls, so that names do not depend on which tasks were
  /// merged.
  void rename(SymbolTable &symbols, SmallVectorImpl<std::pair<task::DefOp, Calls>> &kept) {
    llvm::StringMap<unsigned> counts;
    Builder builder(&getContext());
    SmallVector<std::string> names;
    for (auto &[def, calls] : kept) {
      std::string base = getBaseName(def.getSymName()).str();
      names.push_back(base + "_" + std::to_string(counts[base]++));
      symbols.remove(def);
    }
    for (auto &&[entry, name] : llvm::zip(kept, names)) {
      auto &[def, calls] = entry;
      def.setSymName(name);
      def->setAttr("weight", builder.getI64IntegerAttr(calls.size()));
      for (task::CallOp call : calls)
        call.setCallee(name);
    }
  }
};

} // namespace
} // namespace cameo

// --merge-tasks: merges independent GPU tasks into one whose pieces share kernel launches. At batch 1 a launch takes as
// long as many tasks do, and a single task leaves multiprocessors idle: queries, keys and values of attention, branches
// of an inception block, parts of a split.
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Predicates.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/MergedCalls.h"
#include "passes/Schedule/MergedForm.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_MERGETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// For each member of a merged task, the numbers of its inputs.
using InputNumbers = SmallVector<SmallVector<unsigned>>;

class CallMerger {
public:
  CallMerger(ModuleOp module, const GpuMachine &gpu) : symbols(module), gpu(gpu) {}

  void mergeIn(Block &block);

private:
  void merge(ArrayRef<task::CallOp> calls);
  task::DefOp mergedDef(ArrayRef<task::DefOp> defs, const InputNumbers &inputs, TypeRange inputTypes);
  task::DefOp defOf(task::CallOp call) { return symbols.lookup<task::DefOp>(call.getCallee()); }

  SymbolTable symbols;
  const GpuMachine &gpu;
  /// By the names of the members and the inputs of each.
  std::map<std::pair<std::vector<std::string>, std::vector<std::vector<unsigned>>>, task::DefOp> known;
};

void CallMerger::mergeIn(Block &block) {
  auto merged = findMergedCalls(block, gpu, [&](task::CallOp call) { return defOf(call); });
  for (ArrayRef<task::CallOp> calls : merged)
    merge(calls);
  // Users of a call's results may be before the merged call.
  if (!merged.empty())
    task::sortWithConditions(block);
}

void CallMerger::merge(ArrayRef<task::CallOp> calls) {
  SmallVector<task::DefOp> defs = llvm::map_to_vector(calls, [&](task::CallOp call) { return defOf(call); });
  SmallVector<Value> operands;
  SmallVector<Type> results;
  InputNumbers inputs;
  SmallVector<Location> locations;
  DenseMap<Value, unsigned> shared; // of computed inputs only, because a constant may have a layout for each member
  for (task::CallOp call : calls) {
    SmallVector<unsigned> &numbers = inputs.emplace_back();
    for (Value input : call.getInputs()) {
      auto [place, isNew] = shared.try_emplace(input, operands.size());
      bool isConstant = matchPattern(input, m_Constant());
      numbers.push_back(isNew || isConstant ? operands.size() : place->second);
      if (isNew || isConstant)
        operands.push_back(input);
    }
    llvm::append_range(results, call.getResultTypes());
    locations.push_back(call.getLoc());
  }
  task::DefOp def = mergedDef(defs, inputs, ValueRange(operands).getTypes());
  OpBuilder builder(calls.back());
  auto merged = task::CallOp::create(builder, builder.getFusedLoc(locations), results, def.getSymName(), operands);
  unsigned first = 0;
  for (task::CallOp call : calls) {
    call.replaceAllUsesWith(merged.getOutputs().slice(first, call.getNumResults()));
    first += call.getNumResults();
    call.erase();
  }
}

task::DefOp CallMerger::mergedDef(ArrayRef<task::DefOp> defs, const InputNumbers &inputs, TypeRange inputTypes) {
  std::vector<std::string> names;
  for (task::DefOp def : defs)
    names.push_back(def.getSymName().str());
  std::vector<std::vector<unsigned>> numbers;
  for (ArrayRef<unsigned> each : inputs)
    numbers.push_back(each.vec());
  task::DefOp &def = known[{names, numbers}];
  if (def)
    return def;
  SmallVector<Type> resultTypes;
  std::vector<schedule::LoopForm> forms;
  for (task::DefOp each : defs) {
    llvm::append_range(resultTypes, each.getResultTypes());
    forms.push_back(schedule::readLoops(each));
  }
  schedule::FormMerger merger;
  for (auto [form, numbers] : llvm::zip_equal(forms, inputs))
    merger.add(form, llvm::map_to_vector(numbers, [](unsigned number) { return schedule::MemberInput{number}; }));
  def = schedule::createMergedDef(defs, inputTypes, resultTypes, symbols);
  schedule::writeLoops(def, merger.merged);
  return def;
}

struct MergeTasks : impl::MergeTasksPassBase<MergeTasks> {
  using Base::Base;

  void runOnOperation() override {
    const GpuMachine *gpu = gpuOf(getOperation());
    if (!gpu)
      return;
    CallMerger merger(getOperation(), *gpu);
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Block *block) { merger.mergeIn(*block); });
    schedule::eraseUncalled(getOperation());
  }
};

} // namespace
} // namespace cameo

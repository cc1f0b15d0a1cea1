// --chain-tasks: merges a product and the product that reads its result where blocks can compute both, and then with
// the one that reads the result of these. What passes between them stays in shared memory, and a launch is saved.
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Predicates.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/MergedCalls.h"
#include "passes/Schedule/MergedForm.h"
#include "passes/Schedule/Nests/AlikeDimensions.h"
#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Rules/Gpu/ChooseChain.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_CHAINTASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// A call whose input number `input` is result number `result` of an earlier call; `isStored` says whether others read
/// that result, too.
struct CallPair {
  task::CallOp first, second;
  unsigned result, input;
  bool isStored;
};

/// Divides the dimensions of the nest that writes `buffer` and of the product that reads it as its left operand.
/// Returns the number of the latter; nothing if these nests cannot be a chain.
std::optional<unsigned> alignChain(schedule::TaskProgram &program, unsigned buffer) {
  schedule::LoopNest *writer = nullptr, *reader = nullptr;
  unsigned number = 0, found = 0;
  for (schedule::NestGroup &group : program.groups)
    for (schedule::LoopNest &nest : group.nests) {
      for (const schedule::Output &output : nest.outputs)
        if (output.buffer == buffer) {
          if (writer)
            return std::nullopt;
          writer = &nest;
        }
      if (llvm::any_of(nest.nodes, [&](const schedule::Node &node) { return node.reads(buffer); })) {
        if (reader || !isAlone(group))
          return std::nullopt;
        reader = &nest;
        found = number;
      }
      ++number;
    }
  if (!writer || !reader || !writer->hasKnownSizes() || !reader->hasKnownSizes())
    return std::nullopt;
  std::optional<schedule::Contraction> product = schedule::findContraction(*reader);
  if (!product || reader->nodes[product->left].buffer != buffer || writer->outputs.size() != 1 ||
      !schedule::divideAlike(*writer, *reader, product->left))
    return std::nullopt;
  return found;
}

class TaskChainer {
public:
  TaskChainer(ModuleOp module, const GpuMachine &gpu) : symbols(module), gpu(gpu) {}

  bool chainOne(Block &block);

private:
  task::DefOp defOf(task::CallOp call) { return symbols.lookup<task::DefOp>(call.getCallee()); }
  bool isFree(task::CallOp call);
  bool canBeFirst(task::CallOp call);
  std::vector<CallPair> findPairs(Block &block);
  task::DefOp chainedDef(CallPair pair);
  task::DefOp makeDef(const CallPair &pair);
  void merge(const CallPair &pair, task::DefOp def);

  SymbolTable symbols;
  const GpuMachine &gpu;
  /// By both tasks, the numbers of result and input, and whether the result is stored; null: two launches are faster.
  std::map<std::tuple<std::string, std::string, unsigned, unsigned, bool>, task::DefOp> known;
  /// By merged task, the numbers of its nests that are chained.
  std::map<std::string, SmallVector<unsigned>> chained;
};

bool TaskChainer::isFree(task::CallOp call) {
  task::DefOp def = defOf(call);
  return def && !def->hasAttr("schedule") && canBeMember(def);
}

bool TaskChainer::canBeFirst(task::CallOp call) {
  auto found = chained.find(call.getCallee().str());
  return found == chained.end() ? isFree(call) : found->second.size() < schedule::mostChains;
}

/// Whether `second` depends on `first` other than by reading its result.
bool dependsOtherwise(task::CallOp second, task::CallOp first) {
  llvm::SmallDenseSet<Operation *> seen;
  SmallVector<Operation *> waiting;
  auto visit = [&](Operation *op) {
    bool reaches = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == first->getBlock()) {
          reaches |= def == first && op != second;
          if (first->isBeforeInBlock(def) && seen.insert(def).second)
            waiting.push_back(def);
        }
    });
    return reaches;
  };
  bool reaches = visit(second);
  while (!waiting.empty() && !reaches)
    reaches = visit(waiting.pop_back_val());
  return reaches;
}

std::vector<CallPair> TaskChainer::findPairs(Block &block) {
  llvm::SmallDenseSet<Operation *> beside; // calls that share launches
  for (ArrayRef<task::CallOp> calls : findMergedCalls(block, gpu, [&](task::CallOp call) { return defOf(call); }))
    beside.insert_range(calls);
  task::Predicates predicates(block);
  std::vector<CallPair> pairs;
  for (auto second : block.getOps<task::CallOp>()) {
    if (beside.contains(second) || !isFree(second))
      continue;
    for (auto [number, input] : llvm::enumerate(second.getInputs())) {
      auto first = input.getDefiningOp<task::CallOp>();
      if (!first || first->getBlock() != &block || beside.contains(first) || !canBeFirst(first) ||
          llvm::count(second.getInputs(), input) > 1 || predicates.of(first) != predicates.of(second))
        continue;
      if (!dependsOtherwise(second, first))
        pairs.push_back({first, second, cast<OpResult>(input).getResultNumber(), static_cast<unsigned>(number),
                         /*isStored=*/!input.hasOneUse()});
    }
  }
  return pairs;
}

task::DefOp TaskChainer::makeDef(const CallPair &pair) {
  task::DefOp defs[] = {defOf(pair.first), defOf(pair.second)};
  schedule::LoopForm forms[] = {schedule::readLoops(defs[0]), schedule::readLoops(defs[1])};
  SmallVector<schedule::MemberInput> inputs[2];
  SmallVector<Type> operands(defs[0].getArgumentTypes()), results;
  for (unsigned number = 0; number < defs[0].getNumArguments(); ++number)
    inputs[0].push_back({number});
  for (auto [number, type] : llvm::enumerate(defs[1].getArgumentTypes())) {
    bool isPassed = number == pair.input;
    inputs[1].push_back({isPassed ? pair.result : static_cast<unsigned>(operands.size()), isPassed});
    if (!isPassed)
      operands.push_back(type);
  }
  auto isKept = [&](unsigned result) { return result != pair.result || pair.isStored; };
  for (auto [number, type] : llvm::enumerate(defs[0].getResultTypes()))
    if (isKept(number))
      results.push_back(type);
  llvm::append_range(results, defs[1].getResultTypes());
  schedule::FormMerger merger;
  merger.add(forms[0], inputs[0]);
  merger.add(forms[1], inputs[1]);
  merger.keepResults(isKept);
  schedule::TaskProgram &program = merger.merged.program;
  std::optional<unsigned> second = alignChain(program, merger.bufferOf(pair.result));
  if (!second)
    return {};
  // Nests of the first task have the same numbers as in that.
  auto before = chained.find(defs[0].getSymName().str());
  SmallVector<unsigned> ofChains = before == chained.end() ? SmallVector<unsigned>() : before->second;
  ofChains.push_back(*second);
  schedule::Chains chains;
  for (unsigned nest : ofChains) {
    std::optional<schedule::Chain> chain = schedule::findChain(program, nest);
    if (!chain || (!chains.empty() && chain->firstNest != chains.back().secondNest))
      return {};
    chains.push_back(std::move(*chain));
  }
  std::optional<schedule::ChainOption> chosen = schedule::chooseChain(program, chains, gpu);
  if (!chosen)
    return {};
  std::map<unsigned, schedule::ThreadSchedule> ofProducts{{chains[0].firstNest, chosen->products[0]}};
  for (auto [chain, product] : llvm::zip_equal(chains, ArrayRef(chosen->products).drop_front()))
    ofProducts[chain.secondNest] = product;
  std::vector<schedule::NestSchedule> loops;
  std::vector<schedule::GpuSchedule> threads;
  for (const schedule::NestGroup &group : program.groups)
    for (const schedule::LoopNest &nest : group.nests) {
      auto product = ofProducts.find(loops.size());
      schedule::ThreadSchedule own =
          product != ofProducts.end() ? product->second : defaultSchedule(program, group, nest, gpu);
      loops.push_back(std::move(own.loops));
      threads.push_back(std::move(own.threads));
    }
  task::DefOp def = schedule::createMergedDef(defs, operands, results, symbols);
  schedule::writeLoops(def, merger.merged);
  def->setAttr("schedule", schedule::toSteps(def.getContext(), loops, threads));
  chained[def.getSymName().str()] = std::move(ofChains);
  return def;
}

task::DefOp TaskChainer::chainedDef(CallPair pair) {
  auto [place, isNew] = known.try_emplace(
      {pair.first.getCallee().str(), pair.second.getCallee().str(), pair.result, pair.input, pair.isStored});
  if (isNew)
    place->second = makeDef(pair);
  return place->second;
}

void TaskChainer::merge(const CallPair &pair, task::DefOp def) {
  auto [first, second, result, input, isStored] = pair;
  SmallVector<Value> operands(first.getInputs());
  for (auto [number, value] : llvm::enumerate(second.getInputs()))
    if (number != input)
      operands.push_back(value);
  OpBuilder builder(second);
  auto merged = task::CallOp::create(builder, builder.getFusedLoc({first.getLoc(), second.getLoc()}),
                                     def.getResultTypes(), def.getSymName(), operands);
  unsigned next = 0;
  for (auto [number, value] : llvm::enumerate(first.getOutputs()))
    if (number != result || isStored)
      value.replaceAllUsesWith(merged.getOutputs()[next++]);
  second.replaceAllUsesWith(merged.getOutputs().drop_front(next));
  second.erase();
  first.erase();
}

/// Merges the first pair of the block that is faster as one.
bool TaskChainer::chainOne(Block &block) {
  for (const CallPair &pair : findPairs(block))
    if (task::DefOp def = chainedDef(pair)) {
      merge(pair, def);
      // Users of the first result may be before the merged call.
      task::sortWithConditions(block);
      return true;
    }
  return false;
}

struct ChainTasks : impl::ChainTasksPassBase<ChainTasks> {
  using Base::Base;

  void runOnOperation() override {
    const GpuMachine *gpu = gpuOf(getOperation());
    if (!gpu)
      return;
    TaskChainer chainer(getOperation(), *gpu);
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Block *block) {
        while (chainer.chainOne(*block))
          ;
      });
    schedule::eraseUncalled(getOperation());
  }
};

} // namespace
} // namespace cameo

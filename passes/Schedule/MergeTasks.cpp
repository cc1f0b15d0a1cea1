// --merge-tasks: merges independent GPU tasks into one whose pieces share kernel launches. At batch 1 a launch takes as
// long as many tasks do, and a single task leaves multiprocessors idle: queries, keys and values of attention, branches
// of an inception block, parts of a split.
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/Predicates.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/MergedCalls.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_MERGETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// For each member of a merged task, the numbers of its inputs.
using InputNumbers = SmallVector<SmallVector<unsigned>>;

/// Merges the loop forms of several tasks. The nodes of the result point to operations of all of them.
class FormMerger {
public:
  void add(const schedule::LoopForm &form, ArrayRef<unsigned> inputs);

  schedule::LoopForm merged;

private:
  unsigned mergeBuffer(const schedule::LoopForm &form, schedule::Buffer buffer, ArrayRef<unsigned> inputs);

  unsigned results = 0;
};

/// Returns the number of `buffer`, which belongs to `form`, in the merged program; each input has one buffer.
unsigned FormMerger::mergeBuffer(const schedule::LoopForm &form, schedule::Buffer buffer, ArrayRef<unsigned> inputs) {
  std::vector<schedule::Buffer> &buffers = merged.program.buffers;
  if (buffer.isArgument()) {
    if (auto packing = form.packings.find(buffer.index); packing != form.packings.end())
      merged.packings[inputs[buffer.index]] = packing->second;
    buffer.index = inputs[buffer.index];
    for (auto [number, other] : llvm::enumerate(buffers))
      if (other.isArgument() && other.index == buffer.index)
        return number;
  } else if (buffer.isResult()) {
    buffer.index += results;
  }
  buffers.push_back(std::move(buffer));
  return buffers.size() - 1;
}

void FormMerger::add(const schedule::LoopForm &form, ArrayRef<unsigned> inputs) {
  SmallVector<unsigned> numbers;
  unsigned ownResults = 0;
  for (const schedule::Buffer &buffer : form.program.buffers) {
    numbers.push_back(mergeBuffer(form, buffer, inputs));
    ownResults += buffer.isResult();
  }
  results += ownResults;
  auto renumber = [&](auto &buffers) {
    for (unsigned &buffer : buffers)
      buffer = numbers[buffer];
  };
  for (schedule::NestGroup group : form.program.groups) {
    for (schedule::LoopNest &nest : group.nests) {
      for (schedule::Node &node : nest.nodes)
        if (node.isRead())
          node.buffer = numbers[node.buffer];
      for (schedule::Output &output : nest.outputs)
        output.buffer = numbers[output.buffer];
    }
    merged.program.groups.push_back(std::move(group));
  }
  for (schedule::NestSchedule each : form.schedules) {
    renumber(each.packedBuffers);
    renumber(each.prefetchedBuffers);
    merged.schedules.push_back(std::move(each));
  }
  for (schedule::GpuSchedule each : form.gpuSchedules) {
    renumber(each.cachedBuffers);
    merged.gpuSchedules.push_back(std::move(each));
  }
}

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
  SmallVector<std::string> keys, descriptions;
  double flops = 0, bytes = 0;
  for (task::DefOp each : defs) {
    llvm::append_range(resultTypes, each.getResultTypes());
    auto text = [&](StringRef name) {
      auto attribute = each->getAttrOfType<StringAttr>(name);
      return attribute ? attribute.str() : "";
    };
    keys.push_back(text("key"));
    descriptions.push_back(text("description"));
    flops += each->getAttrOfType<FloatAttr>("flops").getValueAsDouble();
    bytes += each->getAttrOfType<FloatAttr>("bytes").getValueAsDouble();
  }
  task::DefOp first = defs.front();
  OpBuilder builder(first);
  SmallVector<Location> locations =
      llvm::map_to_vector(defs, [](task::DefOp each) -> Location { return each->getLoc(); });
  def = task::DefOp::create(builder, builder.getFusedLoc(locations), first.getSymName(),
                            builder.getFunctionType(inputTypes, resultTypes));
  symbols.insert(def);
  def->setAttr("key", builder.getStringAttr(llvm::join(keys, "+")));
  def->setAttr("description", builder.getStringAttr(llvm::join(descriptions, " | ")));
  def->setAttr("flops", builder.getF64FloatAttr(flops));
  def->setAttr("bytes", builder.getF64FloatAttr(bytes));
  Block *body =
      builder.createBlock(&def.getBody(), {}, inputTypes, SmallVector<Location>(inputTypes.size(), def.getLoc()));
  builder.setInsertionPointToEnd(body);
  task::ReturnOp::create(builder, def.getLoc(), ValueRange());
  std::vector<schedule::LoopForm> forms;
  for (task::DefOp each : defs)
    forms.push_back(schedule::readLoops(each));
  FormMerger merger;
  for (auto [form, numbers] : llvm::zip_equal(forms, inputs))
    merger.add(form, numbers);
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
    // Erase members without calls.
    llvm::StringSet<> called;
    getOperation().walk([&](task::CallOp call) { called.insert(call.getCallee()); });
    for (auto def : llvm::make_early_inc_range(getOperation().getOps<task::DefOp>()))
      if (!called.contains(def.getSymName()))
        def.erase();
  }
};

} // namespace
} // namespace cameo

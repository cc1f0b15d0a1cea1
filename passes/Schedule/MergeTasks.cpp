// --merge-tasks: merges independent GPU tasks into one whose pieces share kernel launches. At batch 1 a launch takes as
// long as many tasks do, and a single task leaves multiprocessors idle: queries, keys and values of attention, branches
// of an inception block, parts of a split.
#include "dialects/Task/Predicates.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_MERGETASKSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// A task with more work occupies a device by itself: about 30 us on a large one.
constexpr double mostFlops = 1e9, mostBytes = 64e6;
/// More tasks make the code of a kernel long and gain little.
constexpr size_t mostMerged = 8;

/// For each member of a merged task, the numbers of its inputs.
using InputNumbers = SmallVector<SmallVector<unsigned>>;

/// Whether `def` is in loop form with a single program that computes all results in order.
bool isMergeable(task::DefOp def) {
  loop::ProgramOp program = schedule::programOf(def);
  if (!program || !llvm::equal(program.getInputs(), def.getBody().getArguments()) ||
      !llvm::equal(program.getOutputs(), def.getBody().front().getTerminator()->getOperands()))
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasStaticShape();
  };
  auto below = [&](StringRef name, double most) {
    auto number = def->getAttrOfType<FloatAttr>(name);
    return number && number.getValueAsDouble() <= most;
  };
  return llvm::all_of(def.getArgumentTypes(), isStatic) && llvm::all_of(def.getResultTypes(), isStatic) &&
         below("flops", mostFlops) && below("bytes", mostBytes);
}

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
        if (node.kind == schedule::Node::Kind::Load || node.kind == schedule::Node::Kind::Gather)
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
  CallMerger(ModuleOp module) : symbols(module) {}

  void mergeIn(Block &block);

private:
  void merge(ArrayRef<task::CallOp> calls);
  task::DefOp mergedDef(ArrayRef<task::DefOp> defs, const InputNumbers &inputs, TypeRange inputTypes);
  task::DefOp defOf(task::CallOp call) { return symbols.lookup<task::DefOp>(call.getCallee()); }

  SymbolTable symbols;
  /// By the names of the members and the inputs of each.
  std::map<std::pair<std::vector<std::string>, std::vector<std::vector<unsigned>>>, task::DefOp> known;
};

/// Independent calls that the same runs execute.
struct CallGroup {
  SmallVector<task::Predicate> branch;
  SmallVector<task::CallOp> calls;
};

/// Groups the calls of a block by the length of the longest chain of calls and loops before them: calls of equal depth
/// are independent, also by the conditions of their branches. A task of a branch and one outside of it are not merged,
/// because all that the branch checks would be checked in every run.
std::vector<CallGroup> groupCalls(Block &block) {
  std::vector<CallGroup> groups;
  DenseMap<Value, unsigned> depths;
  task::Predicates predicates(block);
  DenseMap<unsigned, SmallVector<size_t, 1>> groupsOfDepth;
  auto groupOf = [&](unsigned depth, ArrayRef<task::Predicate> branch) -> CallGroup & {
    SmallVector<size_t, 1> &candidates = groupsOfDepth[depth];
    auto found = llvm::find_if(candidates, [&](size_t each) { return ArrayRef(groups[each].branch) == branch; });
    if (found != candidates.end())
      return groups[*found];
    candidates.push_back(groups.size());
    return groups.emplace_back(CallGroup{SmallVector<task::Predicate>(branch), {}});
  };
  for (Operation &op : block) {
    unsigned depth = 0;
    auto meet = [&](Value value) { depth = std::max(depth, depths.lookup(value)); };
    llvm::for_each(op.getOperands(), meet);
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    llvm::for_each(captured, meet);
    for (const task::Predicate &predicate : predicates.of(&op))
      meet(predicate.condition);
    auto call = dyn_cast<task::CallOp>(op);
    if (call)
      groupOf(depth, predicates.of(&op)).calls.push_back(call);
    for (Value result : op.getResults())
      depths[result] = depth + (call || op.getNumRegions() > 0);
  }
  return groups;
}

void CallMerger::mergeIn(Block &block) {
  bool isChanged = false;
  for (CallGroup &group : groupCalls(block)) {
    llvm::erase_if(group.calls, [&](task::CallOp call) {
      task::DefOp def = defOf(call);
      return !def || !isMergeable(def);
    });
    for (ArrayRef<task::CallOp> left = group.calls; left.size() > 1;) {
      size_t count = std::min(left.size(), mostMerged);
      merge(left.take_front(count));
      left = left.drop_front(count);
      isChanged = true;
    }
  }
  // Users of a call's results may be before the merged call.
  if (isChanged)
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
    CallMerger merger(getOperation());
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

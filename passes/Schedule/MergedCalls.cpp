#include "passes/Schedule/MergedCalls.h"

#include "dialects/Task/Predicates.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Rules/Gpu/TensorModel.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace cameo {
namespace {

/// A task that takes longer by the rates of the device occupies it by itself, and gains next to nothing.
constexpr double mostSeconds = 30e-6;
/// More tasks make the code of a kernel long and gain little.
constexpr size_t mostMerged = 8;

double asDouble(int64_t number) { return static_cast<double>(number); }

/// Returns the multiply-adds of a multiprocessor per cycle for the products of `program`.
double productsPerCycle(const schedule::TaskProgram &program, const GpuMachine &gpu) {
  for (const schedule::NestGroup &group : program.groups)
    for (const schedule::LoopNest &nest : group.nests)
      if (std::optional<schedule::TensorProduct> product = schedule::findTensorProduct(nest, gpu))
        return schedule::productsPerCycle(gpu, product->shape);
  return asDouble(gpu.threadProducts);
}

/// Whether `def` can be merged, and takes a short time.
bool isMergeable(task::DefOp def, const GpuMachine &gpu) {
  if (!canBeMember(def))
    return false;
  auto flops = def->getAttrOfType<FloatAttr>("flops"), bytes = def->getAttrOfType<FloatAttr>("bytes");
  if (bytes.getValueAsDouble() > mostSeconds * 1e9 * asDouble(gpu.memoryGigabytes))
    return false;
  double cycles = mostSeconds * 1e6 * asDouble(gpu.megahertz * gpu.processors),
         least = 2 * asDouble(gpu.threadProducts);
  return flops.getValueAsDouble() <= cycles * least ||
         flops.getValueAsDouble() <= cycles * 2 * productsPerCycle(schedule::readNests(def), gpu);
}

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

} // namespace

bool canBeMember(task::DefOp def) {
  loop::ProgramOp program = schedule::programOf(def);
  if (!program || !llvm::equal(program.getInputs(), def.getBody().getArguments()) ||
      !llvm::equal(program.getOutputs(), def.getBody().front().getTerminator()->getOperands()))
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasStaticShape();
  };
  return llvm::all_of(def.getArgumentTypes(), isStatic) && llvm::all_of(def.getResultTypes(), isStatic) &&
         def->getAttrOfType<FloatAttr>("flops") && def->getAttrOfType<FloatAttr>("bytes");
}

std::vector<SmallVector<task::CallOp>> findMergedCalls(Block &block, const GpuMachine &gpu,
                                                       function_ref<task::DefOp(task::CallOp)> defOf) {
  std::vector<SmallVector<task::CallOp>> merged;
  for (CallGroup &group : groupCalls(block)) {
    llvm::erase_if(group.calls, [&](task::CallOp call) {
      task::DefOp def = defOf(call);
      return !def || !isMergeable(def, gpu);
    });
    for (ArrayRef<task::CallOp> left = group.calls; left.size() > 1;) {
      size_t count = std::min(left.size(), mostMerged);
      merged.emplace_back(left.take_front(count));
      left = left.drop_front(count);
    }
  }
  return merged;
}

} // namespace cameo

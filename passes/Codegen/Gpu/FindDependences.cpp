#include "passes/Codegen/Gpu/FindDependences.h"

#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/Gpu/EmitGpuNumbers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace cameo {
namespace {

constexpr BufferUse both{true, true};

void add(BufferUse &into, BufferUse other) {
  into.isRead |= other.isRead;
  into.isWritten |= other.isWritten;
}

/// Returns how `op` accesses the memory of its operand `value`, a buffer or an address in it. Returns nothing if `op`
/// computes another address from it.
std::optional<BufferUse> useBy(Operation *op, Value value) {
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    return BufferUse{copy.getSrc() == value, copy.getDst() == value};
  if (op->getNumRegions() > 0 || isa<BranchOpInterface>(op))
    return both;
  if (isPure(op) && op->getNumResults() > 0)
    return std::nullopt;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return both;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  BufferUse use;
  for (const MemoryEffects::EffectInstance &effect : found)
    if (!effect.getValue() || effect.getValue() == value)
      add(use, {isa<MemoryEffects::Read>(effect.getEffect()), isa<MemoryEffects::Write>(effect.getEffect())});
  // If the address itself is stored, other code may access the buffer.
  return use.isRead || use.isWritten ? use : both;
}

BufferUse useOf(Value buffer) {
  BufferUse all;
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> reached = {buffer};
  while (!reached.empty()) {
    Value value = reached.pop_back_val();
    for (Operation *op : value.getUsers()) {
      std::optional<BufferUse> use = useBy(op, value);
      if (use)
        add(all, *use);
      else if (seen.insert(op).second)
        llvm::append_range(reached, op->getResults());
    }
  }
  return all;
}

/// A buffer of a run, and how a step accesses it.
struct Touched {
  BufferPlace place;
  BufferUse use;
};

bool overlap(const BufferPlace &one, const BufferPlace &other) {
  if (one.base != other.base || one.index != other.index)
    return false;
  auto ends = [](const BufferPlace &place, int64_t at) { return place.bytes && place.offset + *place.bytes <= at; };
  return !ends(one, other.offset) && !ends(other, one.offset);
}

bool conflict(ArrayRef<Touched> one, ArrayRef<Touched> other) {
  return llvm::any_of(one, [&](const Touched &left) {
    return llvm::any_of(other, [&](const Touched &right) {
      return (left.use.isWritten || right.use.isWritten) && overlap(left.place, right.place);
    });
  });
}

/// An output that may be in the memory of an input counts as that input.
BufferPlace memoryOf(const ModelPlan &plan, BufferPlace place) {
  if (place.base == BufferPlace::Base::Output)
    if (std::optional<unsigned> shared = plan.outputs[place.index].sharedInput) {
      place.base = BufferPlace::Base::Input;
      place.index = *shared;
    }
  return place;
}

SmallVector<Touched> touchedBy(const ModelPlan &plan, const PlannedStep &step, const BufferUses &uses) {
  SmallVector<Touched> all;
  if (step.kind == PlannedStep::Kind::Copy) {
    all = {{memoryOf(plan, step.buffers[0]), {/*isRead=*/true, false}},
           {memoryOf(plan, step.buffers[1]), {false, /*isWritten=*/true}}};
    return all;
  }
  for (auto [place, use] : llvm::zip_equal(step.buffers, uses.lookup(step.kernel)))
    if (place.base != BufferPlace::Base::Weights && place.base != BufferPlace::Base::Strings &&
        place.base != BufferPlace::Base::Sizes)
      all.push_back({memoryOf(plan, place), use});
  return all;
}

} // namespace

BufferUses findBufferUses(ModuleOp module) {
  BufferUses uses;
  for (auto kernel : module.getOps<func::FuncOp>())
    // The last argument is the number of the block.
    if (kernel->hasAttr(task::TaskDialect::getBlockName()) && !kernel.isExternal())
      uses[kernel.getSymName()] = llvm::map_to_vector(kernel.getArguments().drop_back(), useOf);
  return uses;
}

std::vector<SmallVector<unsigned>> findDependences(const ModelPlan &plan, const BufferUses &uses) {
  std::vector<SmallVector<unsigned>> all;
  std::vector<SmallVector<Touched>> touched;
  std::vector<llvm::BitVector> known; ///< for each step, the steps that are done when it is done
  for (const PlannedStep &step : plan.steps) {
    SmallVector<Touched> own = touchedBy(plan, step, uses);
    SmallVector<unsigned> waits;
    llvm::BitVector done(plan.steps.size());
    for (unsigned earlier = touched.size(); earlier-- > 0;) {
      if (done.test(earlier) || !conflict(own, touched[earlier]))
        continue;
      waits.push_back(earlier);
      done.set(earlier);
      if (Dim count = countOf(plan.steps[earlier]); count.isStatic() && count.getSize() > 0)
        done |= known[earlier];
    }
    std::reverse(waits.begin(), waits.end());
    all.push_back(std::move(waits));
    known.push_back(std::move(done));
    touched.push_back(std::move(own));
  }
  return all;
}

} // namespace cameo

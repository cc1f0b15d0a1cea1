#include "passes/Codegen/Gpu/EmitGpuNumbers.h"

#include "passes/Codegen/Entry/EmitSizes.h"
#include "runtime/include/cameo/gpu.h"

#include <limits>

using namespace llvm;

namespace cameo {

Dim countOf(const PlannedStep &step) {
  if (step.kind == PlannedStep::Kind::Copy)
    return step.bytes;
  if (step.kind == PlannedStep::Kind::Repeat)
    return step.maxTripCount.value_or(std::numeric_limits<int64_t>::max());
  return step.extent;
}

/// Assigns the numbers. Collects in `dimensions` the data-dependent dimensions of outputs, and in `counts` the dynamic
/// counts and sizes of steps; equal ones share one number.
static void placeNumbers(const ModelPlan &plan, GpuNumbers &numbers, SmallVectorImpl<Dim> &dimensions,
                         SmallVectorImpl<Dim> &counts) {
  numbers.firstSize = plan.slots.size();
  numbers.firstDimension = numbers.firstSize + plan.sizes.size();
  for (const PlannedTensor &output : plan.outputs)
    append_range(dimensions, output.dims);
  numbers.count = numbers.firstDimension + dimensions.size();
  auto place = [&](const Dim &count) {
    if (count.isStatic() || !numbers.counts.try_emplace(count.getExpr(), numbers.count).second)
      return;
    counts.push_back(count);
    ++numbers.count;
  };
  for (const PlannedStep &step : plan.steps) {
    place(countOf(step));
    for (const HostOperand &operand : step.operands)
      place(operand.bytes);
    if (!step.call)
      continue;
    for (const std::vector<ExternTensor> *tensors : {&step.call->inputs, &step.call->outputs})
      for (const ExternTensor &tensor : *tensors) {
        for_each(tensor.dims, place);
        place(productOf(tensor.dims));
      }
  }
}

uint64_t GpuNumbers::encode(const Dim &count, uint32_t first) const {
  return count.isStatic() ? count.getSize() : CAMEO_GPU_COUNTED | (counts.at(count.getExpr()) - first);
}

GpuNumbers placeGpuNumbers(const ModelPlan &plan) {
  GpuNumbers numbers;
  SmallVector<Dim> dimensions, counts;
  if (plan.hasSizes())
    placeNumbers(plan, numbers, dimensions, counts);
  return numbers;
}

GpuNumbers emitGpuNumbers(Module &module, const ModelPlan &plan, StringRef prefix, bool refusesManyBlocks) {
  GpuNumbers numbers;
  if (!plan.hasSizes())
    return numbers;
  SmallVector<Dim> dimensions, counts;
  placeNumbers(plan, numbers, dimensions, counts);

  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(i32, {pointer, pointer, pointer}, false);
  numbers.function = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".numbers", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", numbers.function));
  BasicBlock *refused = BasicBlock::Create(context, "refused", numbers.function);
  ReturnInst::Create(context, builder.getInt32(CAMEO_INVALID_ARGUMENT), refused);
  SizeEmitter sizes(builder, plan, numbers.function->getArg(0), refused);
  sizes.checkAll();
  Value *table = numbers.function->getArg(2);
  // A size that no step has counted yet is negative here. It becomes 0, and no expression of it is refused.
  for (auto [number, name] : enumerate(plan.counted)) {
    Value *found =
        builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, numbers.function->getArg(1), number));
    Value *isFound = builder.CreateICmpSGE(found, builder.getInt64(0));
    sizes.define(name, builder.CreateSelect(isFound, found, builder.getInt64(0)), isFound);
  }
  uint32_t next = 0;
  auto store = [&](Value *number) {
    builder.CreateStore(number, builder.CreateConstInBoundsGEP1_64(i64, table, next++));
  };
  for (unsigned slot = 0; slot < plan.slots.size(); ++slot)
    store(sizes.slotOffset(slot));
  for (ArrayRef<Dim> all : {ArrayRef<Dim>(plan.sizes), ArrayRef<Dim>(dimensions), ArrayRef<Dim>(counts)})
    for (const Dim &number : all)
      store(sizes.number(number));
  for (const PlannedStep &step : plan.steps)
    if (refusesManyBlocks && step.kind == PlannedStep::Kind::Kernel && !step.extent.isStatic())
      sizes.rejectIf(
          builder.CreateICmpSGT(sizes.number(step.extent), builder.getInt64(std::numeric_limits<int32_t>::max())));
  sizes.leave();
  builder.CreateRet(builder.getInt32(CAMEO_OK));
  leaveLongUnoptimized(*numbers.function);
  return numbers;
}

} // namespace cameo

#include "passes/Codegen/Gpu/EmitGpuNumbers.h"

#include "passes/Codegen/Entry/EmitSizes.h"
#include "runtime/include/cameo/abi.h"

#include <limits>

using namespace llvm;

namespace cameo {

Dim countOf(const PlannedStep &step) {
  if (step.kind == PlannedStep::Kind::Copy)
    return step.bytes;
  if (step.kind == PlannedStep::Kind::Repeat)
    return step.most.value_or(std::numeric_limits<int64_t>::max());
  return step.extent;
}

/// Equal counts are one number.
static void placeCounts(const ModelPlan &plan, GpuNumbers &numbers, SmallVectorImpl<Dim> &counts) {
  DenseMap<DimExprAttr, uint32_t> known;
  for (const PlannedStep &step : plan.steps) {
    Dim count = countOf(step);
    if (count.isStatic())
      continue;
    auto [place, isNew] = known.try_emplace(count.getExpr(), numbers.count);
    if (isNew) {
      counts.push_back(count);
      ++numbers.count;
    }
    numbers.steps[&step] = place->second;
  }
}

GpuNumbers emitGpuNumbers(Module &module, const ModelPlan &plan, StringRef prefix) {
  GpuNumbers numbers;
  if (!plan.hasSizes())
    return numbers;
  numbers.firstSize = plan.slots.size();
  numbers.firstDimension = numbers.firstSize + plan.sizes.size();
  SmallVector<Dim> dimensions, counts;
  for (const PlannedTensor &output : plan.outputs)
    append_range(dimensions, output.dims);
  numbers.count = numbers.firstDimension + dimensions.size();
  placeCounts(plan, numbers, counts);

  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(i32, {pointer, pointer, pointer}, false);
  numbers.function = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".numbers", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", numbers.function));
  SizeEmitter sizes(builder, plan, numbers.function->getArg(0));
  sizes.checkAll();
  Value *isInvalid = sizes.takeInvalid(), *table = numbers.function->getArg(2);
  // What no step has found yet is a number that no expression of it can be refused for.
  for (auto [number, name] : enumerate(plan.counted)) {
    Value *found =
        builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(i64, numbers.function->getArg(1), number));
    Value *isFound = builder.CreateICmpSGE(found, builder.getInt64(0));
    sizes.define(name, builder.CreateSelect(isFound, found, builder.getInt64(0)));
    isInvalid = builder.CreateOr(isInvalid, builder.CreateAnd(isFound, sizes.takeInvalid()));
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
  builder.CreateRet(
      builder.CreateSelect(isInvalid, builder.getInt32(CAMEO_INVALID_ARGUMENT), builder.getInt32(CAMEO_OK)));
  return numbers;
}

} // namespace cameo

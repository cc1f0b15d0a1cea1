#include "passes/Codegen/Gpu/EmitGpuNumbers.h"

#include "passes/Codegen/Entry/EmitSizes.h"
#include "runtime/include/cameo/abi.h"

using namespace llvm;

namespace cameo {

const Dim &countOf(const PlannedStep &step) {
  return step.kind == PlannedStep::Kind::Kernel ? step.extent : step.bytes;
}

/// Equal counts are one number.
static void placeCounts(const ModelPlan &plan, GpuNumbers &numbers, SmallVectorImpl<Dim> &counts) {
  DenseMap<DimExprAttr, uint32_t> known;
  for (const PlannedStep &step : plan.steps) {
    if (countOf(step).isStatic())
      continue;
    auto [place, isNew] = known.try_emplace(countOf(step).getExpr(), numbers.count);
    if (isNew) {
      counts.push_back(countOf(step));
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
  numbers.count = numbers.firstSize + plan.sizes.size();
  SmallVector<Dim> counts;
  placeCounts(plan, numbers, counts);

  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(i32, {pointer, pointer}, false);
  numbers.function = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".numbers", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", numbers.function));
  SizeEmitter sizes(builder, plan, numbers.function->getArg(0));
  sizes.checkAll();
  Value *table = numbers.function->getArg(1);
  uint32_t next = 0;
  auto store = [&](Value *number) {
    builder.CreateStore(number, builder.CreateConstInBoundsGEP1_64(i64, table, next++));
  };
  for (unsigned slot = 0; slot < plan.slots.size(); ++slot)
    store(sizes.slotOffset(slot));
  for (const Dim &size : plan.sizes)
    store(sizes.number(size));
  for (const Dim &count : counts)
    store(sizes.size(count));
  builder.CreateRet(
      builder.CreateSelect(sizes.isInvalid(), builder.getInt32(CAMEO_INVALID_ARGUMENT), builder.getInt32(CAMEO_OK)));
  return numbers;
}

} // namespace cameo

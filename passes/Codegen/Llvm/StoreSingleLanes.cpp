#include "passes/Codegen/Llvm/StoreSingleLanes.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace cameo {
namespace {

/// Returns the lanes that a mask selects, or nothing if the mask is not constant.
std::optional<SmallVector<unsigned>> selectedLanes(Value *mask, const DataLayout &layout) {
  if (auto *operation = dyn_cast<Instruction>(mask))
    if (Value *simpler = simplifyInstruction(operation, SimplifyQuery(layout, operation)))
      mask = simpler;
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  auto *constant = dyn_cast<Constant>(mask);
  if (!type || !constant)
    return std::nullopt;
  SmallVector<unsigned> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    Constant *isSelected = constant->getAggregateElement(lane);
    if (!isSelected || !isa<ConstantInt, UndefValue>(isSelected))
      return std::nullopt;
    if (isSelected->isOneValue())
      lanes.push_back(lane);
  }
  return lanes;
}

/// Replaces `masked` by a store of one lane if its mask selects only one.
bool storeSingleLane(IntrinsicInst &masked, const DataLayout &layout) {
  Value *value = masked.getArgOperand(0), *to = masked.getArgOperand(1);
  std::optional<SmallVector<unsigned>> lanes = selectedLanes(masked.getArgOperand(masked.arg_size() - 1), layout);
  Type *element = value->getType()->getScalarType();
  if (!lanes || lanes->size() != 1 || !layout.typeSizeEqualsStoreSize(element))
    return false;
  IRBuilder<> builder(&masked);
  uint64_t offset = lanes->front() * layout.getTypeStoreSize(element).getFixedValue();
  StoreInst *store = builder.CreateAlignedStore(builder.CreateExtractElement(value, lanes->front()),
                                                builder.CreatePtrAdd(to, builder.getInt64(offset)),
                                                commonAlignment(masked.getParamAlign(1).valueOrOne(), offset));
  store->setAAMetadata(masked.getAAMetadata());
  return true;
}

} // namespace

PreservedAnalyses StoreSingleLanesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *> replaced;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && call->getIntrinsicID() == Intrinsic::masked_store)
        if (storeSingleLane(*call, function.getDataLayout()))
          replaced.push_back(call);
  for (IntrinsicInst *call : replaced)
    call->eraseFromParent();
  if (replaced.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace cameo

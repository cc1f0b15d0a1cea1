#include "passes/Codegen/Llvm/HideStarts.h"

#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cameo {
namespace {

/// An innermost loop whose induction variable starts at 0.
class CountedLoop {
public:
  CountedLoop(Loop &loop, const DataLayout &layout)
      : loop(loop), layout(layout), counter(loop.getCanonicalInductionVariable()), preheader(loop.getLoopPreheader()) {}

  bool hideStarts();

private:
  std::optional<APInt> slopeOf(Value *value) const;
  std::optional<APInt> slopeOf(GetElementPtrInst &address) const;
  Value *atStart(Value *value, IRBuilderBase &builder) const;
  void hide(GetElementPtrInst &address, const APInt &slope);

  Loop &loop;
  const DataLayout &layout;
  PHINode *counter;
  BasicBlock *preheader;
};

} // namespace

/// Returns the increment of `value` per iteration, or nothing if it is not constant.
std::optional<APInt> CountedLoop::slopeOf(Value *value) const {
  unsigned bits = value->getType()->getIntegerBitWidth();
  if (loop.isLoopInvariant(value))
    return APInt(bits, 0);
  if (value == counter)
    return APInt(bits, 1);
  Value *left, *right;
  const APInt *number;
  if (match(value, m_AddLike(m_Value(left), m_Value(right)))) {
    std::optional<APInt> a = slopeOf(left), b = slopeOf(right);
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }
  if (match(value, m_Mul(m_Value(left), m_APInt(number)))) {
    std::optional<APInt> a = slopeOf(left);
    return a ? std::optional(*a * *number) : std::nullopt;
  }
  if (match(value, m_Shl(m_Value(left), m_APInt(number)))) {
    std::optional<APInt> a = slopeOf(left);
    return a ? std::optional(a->shl(*number)) : std::nullopt;
  }
  return std::nullopt;
}

/// Returns the increment of the address in bytes.
std::optional<APInt> CountedLoop::slopeOf(GetElementPtrInst &address) const {
  if (!address.getType()->isPointerTy() || address.getNumIndices() != 1 ||
      !loop.isLoopInvariant(address.getPointerOperand()))
    return std::nullopt;
  Value *index = address.getOperand(1);
  TypeSize bytes = layout.getTypeAllocSize(address.getSourceElementType());
  if (bytes.isScalable() || index->getType() != counter->getType() ||
      counter->getType() != layout.getIndexType(address.getType()))
    return std::nullopt;
  std::optional<APInt> slope = slopeOf(index);
  return slope ? std::optional(*slope * bytes.getFixedValue()) : std::nullopt;
}

/// Returns `value` in the first iteration, where the induction variable is 0. slopeOf must have a result for `value`.
Value *CountedLoop::atStart(Value *value, IRBuilderBase &builder) const {
  if (loop.isLoopInvariant(value))
    return value;
  if (value == counter)
    return ConstantInt::get(value->getType(), 0);
  auto *operation = cast<BinaryOperator>(value);
  Value *left = atStart(operation->getOperand(0), builder), *right = atStart(operation->getOperand(1), builder);
  unsigned opcode = operation->getOpcode();
  return builder.CreateBinOp(opcode == Instruction::Or ? Instruction::Add : static_cast<Instruction::BinaryOps>(opcode),
                             left, right);
}

void CountedLoop::hide(GetElementPtrInst &address, const APInt &slope) {
  IRBuilder<InstSimplifyFolder> before(preheader, preheader->getTerminator()->getIterator(),
                                       InstSimplifyFolder(layout));
  Value *start = before.CreateGEP(address.getSourceElementType(), address.getPointerOperand(),
                                  atStart(address.getOperand(1), before));
  // Alias analysis looks through strip.invariant.group, scalar evolution does not. The intrinsic is removed before
  // instruction selection.
  start = before.CreateStripInvariantGroup(start);
  IRBuilder<> inside(&address);
  Value *offset = inside.CreateMul(counter, ConstantInt::get(counter->getType(), slope));
  Value *replacement = inside.CreateGEP(inside.getInt8Ty(), start, offset);
  replacement->takeName(&address);
  address.replaceAllUsesWith(replacement);
}

bool CountedLoop::hideStarts() {
  if (!counter || !preheader)
    return false;
  SmallVector<std::pair<GetElementPtrInst *, APInt>> found;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
        if (std::optional<APInt> slope = slopeOf(*address); slope && !slope->isZero())
          found.emplace_back(address, *slope);
  for (auto &[address, slope] : found)
    hide(*address, slope);
  for (auto &[address, slope] : found)
    RecursivelyDeleteTriviallyDeadInstructions(address);
  return !found.empty();
}

PreservedAnalyses HideStartsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool hasChanged = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost())
      hasChanged |= CountedLoop(*loop, function.getDataLayout()).hideStarts();
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace cameo

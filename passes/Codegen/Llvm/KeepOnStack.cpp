#include "passes/Codegen/Llvm/KeepOnStack.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace cameo {
namespace {

/// Number of instructions between a definition and a use from which on the value is spilled.
constexpr unsigned mostBetween = 64;

using Places = DenseMap<const Instruction *, unsigned>;

/// Returns the instruction that reads the value: for a phi, the terminator of the incoming block.
Instruction *readerOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi ? phi->getIncomingBlock(use)->getTerminator() : user;
}

bool isReadFarAway(const Value &value, unsigned place, const Places &places) {
  return any_of(value.uses(), [&](const Use &use) {
    unsigned read = places.lookup(readerOf(use));
    return read < place || read - place > mostBetween;
  });
}

void keepArgument(Argument &argument, BasicBlock &entry) {
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *kept = builder.CreateAlloca(argument.getType(), nullptr, argument.getName() + ".kept");
  SmallVector<Use *> uses(make_pointer_range(argument.uses()));
  builder.CreateStore(&argument, kept);
  for (Use *use : uses)
    use->set(IRBuilder<>(readerOf(*use)).CreateLoad(argument.getType(), kept));
}

} // namespace

PreservedAnalyses KeepOnStackPass::run(Function &function, FunctionAnalysisManager &) {
  if (!function.hasOptNone())
    return PreservedAnalyses::all();
  Places places;
  for (Instruction &instruction : instructions(function))
    places[&instruction] = places.size();
  SmallVector<Instruction *> kept;
  for (Instruction &instruction : instructions(function))
    if (!isa<AllocaInst, PHINode>(instruction) && isReadFarAway(instruction, places.lookup(&instruction), places))
      kept.push_back(&instruction);
  BasicBlock &entry = function.getEntryBlock();
  for (Argument &argument : function.args())
    if (isReadFarAway(argument, 0, places))
      keepArgument(argument, entry);
  for (Instruction *instruction : kept)
    DemoteRegToStack(*instruction, /*VolatileLoads=*/false, entry.begin());
  return PreservedAnalyses::none();
}

} // namespace cameo

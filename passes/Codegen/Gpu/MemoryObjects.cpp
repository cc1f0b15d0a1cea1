#include "passes/Codegen/Gpu/MemoryObjects.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cameo {

Value *objectOf(Value *address) {
  Value *object = getUnderlyingObject(address, /*MaxLookup=*/0);
  while (auto *part = dyn_cast<ExtractValueInst>(object)) {
    Value *inserted = FindInsertedValue(part->getAggregateOperand(), part->getIndices());
    if (!inserted)
      break;
    object = getUnderlyingObject(inserted, /*MaxLookup=*/0);
  }
  return object;
}

} // namespace cameo

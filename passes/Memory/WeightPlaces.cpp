#include "passes/Memory/WeightPlaces.h"

#include "passes/Memory/AssignOffsets.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo {

int64_t WeightPlaces::offsetOf(ElementsAttr constant, task::PackingAttr packing) {
  auto [it, added] = known.try_emplace({constant, packing}, places.size());
  if (!added)
    return places[it->second].offset;
  int64_t elements = packing ? packing.getElements() : constant.getNumElements();
  Type stored = task::storedElementType(constant.getElementType(), packing);
  task::Weight weight = task::makeWeight(constant, packing, elements * task::getElementBytes(stored));
  SmallVector<unsigned, 1> &candidates = similar[task::hashSample(weight)];
  for (unsigned candidate : candidates)
    if (task::isSame(weights[candidate], weight)) {
      it->second = candidate;
      return places[candidate].offset;
    }
  candidates.push_back(places.size());
  places.push_back({constant, packing, bytes, weight.bytes});
  weights.push_back(weight);
  bytes += llvm::alignTo(weight.bytes, arenaAlignment);
  return places.back().offset;
}

} // namespace cameo

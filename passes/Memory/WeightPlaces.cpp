// Most weights differ in their first bytes, so comparing them all costs next to nothing; those that agree in a sample are
// compared in full.
#include "passes/Memory/WeightPlaces.h"

#include "dialects/Onnx/ConstantData.h"
#include "passes/Memory/AssignOffsets.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace cameo {

static uint64_t hashSample(const WeightPlace &place) {
  constexpr size_t sampleBytes = 256;
  uint64_t hash = 0;
  if (std::optional<ArrayRef<char>> raw = onnx::getRawConstant(place.constant)) {
    for (ArrayRef<char> sample : {raw->take_front(sampleBytes), raw->take_back(sampleBytes)})
      hash = hash * 31 + llvm::xxh3_64bits(StringRef(sample.data(), sample.size()));
  }
  return llvm::hash_combine(hash, place.bytes, place.constant.getNumElements(), place.relayout.getAsOpaquePointer());
}

static bool isEqual(const WeightPlace &a, const WeightPlace &b) {
  if (a.bytes != b.bytes || a.relayout != b.relayout || a.constant.getNumElements() != b.constant.getNumElements())
    return false;
  std::optional<ArrayRef<char>> left = onnx::getRawConstant(a.constant), right = onnx::getRawConstant(b.constant);
  return left && right && *left == *right;
}

int64_t WeightPlaces::offsetOf(ElementsAttr constant, task::RelayoutAttr relayout) {
  auto [it, added] = known.try_emplace({constant, relayout}, places.size());
  if (!added)
    return places[it->second].offset;
  int64_t elements = relayout ? relayout.getElements() : constant.getNumElements();
  WeightPlace place = {constant, relayout, bytes, elements * task::getElementBytes(constant.getElementType())};
  SmallVector<unsigned, 1> &candidates = similar[hashSample(place)];
  for (unsigned candidate : candidates)
    if (isEqual(places[candidate], place)) {
      it->second = candidate;
      return places[candidate].offset;
    }
  candidates.push_back(places.size());
  places.push_back(place);
  bytes += llvm::alignTo(place.bytes, arenaAlignment);
  return place.offset;
}

} // namespace cameo

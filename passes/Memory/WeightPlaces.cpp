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

/// The bytes that `constant` refers to, whatever their order.
static std::optional<ArrayRef<char>> getStoredBytes(ElementsAttr constant) {
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(constant);
  return transposed ? transposed->bytes : onnx::getRawConstant(constant);
}

/// Of each dimension, how far apart its elements are stored; empty for those that are stored in order.
static SmallVector<int64_t> getStoredOrder(ElementsAttr constant) {
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(constant);
  if (!transposed)
    return {};
  transposed->read.collapse();
  return llvm::to_vector(llvm::concat<int64_t>(transposed->read.shape, transposed->read.strides));
}

static uint64_t hashSample(const WeightPlace &place) {
  constexpr size_t sampleBytes = 256;
  uint64_t hash = 0;
  if (std::optional<ArrayRef<char>> raw = getStoredBytes(place.constant)) {
    for (ArrayRef<char> sample : {raw->take_front(sampleBytes), raw->take_back(sampleBytes)})
      hash = hash * 31 + llvm::xxh3_64bits(StringRef(sample.data(), sample.size()));
  }
  return llvm::hash_combine(hash, place.bytes, place.constant.getNumElements(), place.relayout.getAsOpaquePointer());
}

static bool isEqual(const WeightPlace &a, const WeightPlace &b) {
  if (a.bytes != b.bytes || a.relayout != b.relayout || a.constant.getNumElements() != b.constant.getNumElements())
    return false;
  std::optional<ArrayRef<char>> left = getStoredBytes(a.constant), right = getStoredBytes(b.constant);
  return left && right && getStoredOrder(a.constant) == getStoredOrder(b.constant) && *left == *right;
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

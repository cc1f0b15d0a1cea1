#include "dialects/Task/SameWeights.h"

#include "dialects/Onnx/ConstantData.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace cameo::task {
namespace {

struct Loop {
  int64_t size, targetStride, sourceStride;
  const PackingAttr::Matrix *matrix; ///< may be null
};

/// Returns the loops of a nest with more than one iteration or a matrix, outer loops first, with contiguous loops
/// merged.
SmallVector<Loop> simplify(const PackingAttr::Nest &nest) {
  SmallVector<Loop> loops;
  for (auto [dim, size] : llvm::enumerate(nest.sizes)) {
    const auto *matrix = llvm::find_if(
        nest.matrices, [dim = dim](const PackingAttr::Matrix &each) { return each.dim == static_cast<int64_t>(dim); });
    if (bool hasMatrix = matrix != nest.matrices.end(); size > 1 || hasMatrix)
      loops.push_back({size, nest.targetStrides[dim], nest.sourceStrides[dim], hasMatrix ? matrix : nullptr});
  }
  llvm::sort(loops, [](const Loop &a, const Loop &b) {
    return std::pair(a.targetStride, a.sourceStride) > std::pair(b.targetStride, b.sourceStride);
  });
  SmallVector<Loop> merged;
  for (const Loop &loop : loops) {
    if (!merged.empty()) {
      Loop &outer = merged.back();
      if (!outer.matrix && !loop.matrix && outer.targetStride == loop.size * loop.targetStride &&
          outer.sourceStride == loop.size * loop.sourceStride) {
        outer = {outer.size * loop.size, loop.targetStride, loop.sourceStride, nullptr};
        continue;
      }
    }
    merged.push_back(loop);
  }
  return merged;
}

void append(const PackingAttr::Nest &nest, ArrayRef<Loop> loops, SmallVectorImpl<int64_t> &flat) {
  flat.append({nest.target, nest.source, static_cast<int64_t>(loops.size())});
  for (int64_t Loop::*part : {&Loop::size, &Loop::targetStride, &Loop::sourceStride})
    for (const Loop &loop : loops)
      flat.push_back(loop.*part);
  flat.push_back(nest.matrices.size());
  for (auto [dim, loop] : llvm::enumerate(loops)) {
    if (!loop.matrix)
      continue;
    flat.append({static_cast<int64_t>(dim), loop.matrix->columns, loop.matrix->denominator});
    llvm::append_range(flat, loop.matrix->entries);
  }
}

/// Returns the bytes that `constant` refers to, in the order in which they are stored.
std::optional<ArrayRef<char>> getStoredBytes(ElementsAttr constant) {
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(constant);
  return transposed ? transposed->bytes : onnx::getRawConstant(constant);
}

/// Returns sizes and strides in which the elements are stored; empty if they are stored in order.
SmallVector<int64_t> getStoredOrder(ElementsAttr constant) {
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(constant);
  if (!transposed)
    return {};
  transposed->read.collapse();
  return llvm::to_vector(llvm::concat<int64_t>(transposed->read.shape, transposed->read.strides));
}

} // namespace

PackingAttr simplifyPacking(PackingAttr packing) {
  if (!packing)
    return packing;
  SmallVector<int64_t> nests;
  for (const PackingAttr::Nest &nest : packing.getNestList())
    append(nest, simplify(nest), nests);
  return PackingAttr::get(packing.getContext(), packing.getElements(), nests);
}

uint64_t hashSample(const Weight &weight) {
  constexpr size_t sampleBytes = 256;
  uint64_t hash = 0;
  if (std::optional<ArrayRef<char>> raw = getStoredBytes(weight.constant))
    for (ArrayRef<char> sample : {raw->take_front(sampleBytes), raw->take_back(sampleBytes)})
      hash = hash * 31 + llvm::xxh3_64bits(StringRef(sample.data(), sample.size()));
  return llvm::hash_combine(hash, weight.bytes, weight.constant.getNumElements(), weight.packing.getAsOpaquePointer());
}

bool isSame(const Weight &a, const Weight &b) {
  if (a.bytes != b.bytes || a.packing != b.packing || a.constant.getNumElements() != b.constant.getNumElements())
    return false;
  // Equal contents are usually one attribute, whose bytes need not be compared.
  if (a.constant == b.constant)
    return true;
  std::optional<ArrayRef<char>> left = getStoredBytes(a.constant), right = getStoredBytes(b.constant);
  return left && right && getStoredOrder(a.constant) == getStoredOrder(b.constant) && *left == *right;
}

} // namespace cameo::task

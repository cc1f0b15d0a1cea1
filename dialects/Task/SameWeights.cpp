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

Type storedElementType(Type type, PackingAttr packing) {
  return packing && packing.hasMatrices() ? Float32Type::get(type.getContext()) : type;
}

ElementsAttr storedConstant(ElementsAttr constant) {
  return onnx::getTransposedConstant(constant) ? ElementsAttr(onnx::getResource(constant)) : constant;
}

PackingAttr packingOfStored(ElementsAttr constant, PackingAttr packing) {
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(constant);
  if (!transposed)
    return packing;
  if (packing && packing.hasMatrices())
    return nullptr;
  ArrayRef<int64_t> shape = transposed->read.shape, strides = transposed->read.strides;
  SmallVector<int64_t> rowMajor(shape.size(), 1);
  for (size_t dim = shape.size() - 1; dim-- > 0;)
    rowMajor[dim] = rowMajor[dim + 1] * shape[dim + 1];
  int64_t elements = constant.getNumElements();
  SmallVector<int64_t> flat;
  auto add = [&](int64_t target, int64_t source, ArrayRef<int64_t> sizes, ArrayRef<int64_t> targets,
                 ArrayRef<int64_t> sources) {
    flat.append({target, source, static_cast<int64_t>(sizes.size())});
    for (ArrayRef<int64_t> part : {sizes, targets, sources})
      llvm::append_range(flat, part);
    flat.push_back(0);
  };
  if (!packing) {
    add(/*target=*/0, transposed->read.offset, shape, rowMajor, strides);
    return PackingAttr::get(constant.getContext(), elements, flat);
  }
  auto indicesOf = [&](int64_t element) {
    return llvm::map_to_vector(llvm::zip_equal(rowMajor, shape),
                               [&](auto dim) { return element / std::get<0>(dim) % std::get<1>(dim); });
  };
  auto storedAt = [&](ArrayRef<int64_t> indices) {
    int64_t at = 0;
    for (auto [index, stride] : llvm::zip_equal(indices, strides))
      at += index * stride;
    return at;
  };
  for (const PackingAttr::Nest &nest : packing.getNestList()) {
    SmallVector<int64_t> last = indicesOf(nest.source), sources;
    int64_t first = transposed->read.offset + storedAt(last);
    for (auto [size, stride] : llvm::zip_equal(nest.sizes, nest.sourceStrides)) {
      SmallVector<int64_t> step = indicesOf(stride);
      sources.push_back(size > 1 ? storedAt(step) : 0);
      for (auto [index, each] : llvm::zip_equal(last, step))
        index += (size - 1) * each;
    }
    // A loop that leaves its dimension goes on in another one, at another distance.
    if (llvm::any_of(llvm::zip_equal(last, shape), [](auto pair) { return std::get<0>(pair) >= std::get<1>(pair); }))
      return nullptr;
    add(nest.target, first, nest.sizes, nest.targetStrides, sources);
  }
  return PackingAttr::get(packing.getContext(), packing.getElements(), flat);
}

Weight makeWeight(ElementsAttr constant, PackingAttr packing, int64_t bytes) {
  if (PackingAttr stored = packingOfStored(constant, packing))
    return {storedConstant(constant), simplifyPacking(stored), bytes};
  return {constant, simplifyPacking(packing), bytes};
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
  // Equal bytes of f16 and bf16 are other numbers.
  if (a.packing && a.packing.hasMatrices() && a.constant.getElementType() != b.constant.getElementType())
    return false;
  // Equal contents are usually one attribute, whose bytes need not be compared.
  if (a.constant == b.constant)
    return true;
  std::optional<ArrayRef<char>> left = getStoredBytes(a.constant), right = getStoredBytes(b.constant);
  return left && right && getStoredOrder(a.constant) == getStoredOrder(b.constant) && *left == *right;
}

} // namespace cameo::task

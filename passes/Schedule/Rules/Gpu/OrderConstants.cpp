#include "passes/Schedule/Rules/Gpu/OrderConstants.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"
#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

using namespace mlir;

namespace cameo::schedule {

static unsigned countAccesses(const TaskProgram &program, unsigned buffer) {
  unsigned count = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned accessed, const LinearForm &, bool) { count += accessed == buffer; });
  return count;
}

/// Whether `node` reads each of `elements` once, in some order of `dims`, the nearest neighbours first.
static bool readsInSomeOrder(const Node &node, const LoopNest &nest, ArrayRef<unsigned> dims, const Size &elements) {
  int64_t stride = 1;
  for (unsigned dim : dims) {
    if (node.address.coefficients[dim] != stride)
      return false;
    stride *= nest.dims[dim].extent;
  }
  return node.address.constant == 0 && elements == stride;
}

/// The dimensions of `node`, outermost first: its points, then the depth, where `other` moves least last.
static SmallVector<unsigned> orderFor(const Node &node, const Node &other, const LoopNest &nest) {
  SmallVector<unsigned> order;
  for (bool isDepth : {false, true})
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      if (nest.dims[dim].reduction == isDepth && node.address.dependsOn(dim))
        order.push_back(dim);
  auto *depth = llvm::find_if(order, [&](unsigned dim) { return nest.dims[dim].reduction; });
  auto key = [&](unsigned dim) { return std::pair(-std::abs(int64_t(other.address.coefficients[dim])), dim); };
  llvm::sort(depth, order.end(), [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return order;
}

/// Gives `node` the address by that order, and the copy that makes it.
static Relayout layOut(Node &node, const LoopNest &nest, ArrayRef<unsigned> order) {
  Relayout relayout;
  SmallVector<int64_t> sizes, targets, sources;
  int64_t stride = 1;
  for (unsigned dim : llvm::reverse(order)) {
    sizes.insert(sizes.begin(), nest.dims[dim].extent);
    targets.insert(targets.begin(), stride);
    sources.insert(sources.begin(), node.address.coefficients[dim]);
    node.address.coefficients[dim] = stride;
    stride *= nest.dims[dim].extent;
  }
  relayout.elements = stride;
  relayout.nests = {/*target=*/0, /*source=*/0, static_cast<int64_t>(order.size())};
  for (ArrayRef<int64_t> list : {sizes, targets, sources})
    relayout.nests.append(list.begin(), list.end());
  relayout.nests.push_back(/*matrices=*/0);
  return relayout;
}

std::map<unsigned, Relayout> orderConstants(TaskProgram &program, const GpuMachine &gpu) {
  constexpr int64_t accessBytes = 16;
  std::map<unsigned, Relayout> relayouts;
  for (NestGroup &group : program.groups)
    for (LoopNest &nest : group.nests) {
      std::optional<Contraction> product = findTensorProduct(nest, gpu);
      if (!product)
        continue;
      for (auto [id, otherId] : {std::pair(product->left, product->right), std::pair(product->right, product->left)}) {
        Node &node = nest.nodes[id];
        const Buffer &buffer = program.buffers[node.buffer];
        SmallVector<unsigned> dims = fetchedDims(node, nest);
        bool isInOrder = int64_t(nest.dims[dims.front()].extent) * bytesOf(node.type) >= accessBytes;
        if (!buffer.packable || isInOrder || !readsInSomeOrder(node, nest, dims, buffer.elements) ||
            countAccesses(program, node.buffer) > 1)
          continue;
        SmallVector<unsigned> order = orderFor(node, nest.nodes[otherId], nest);
        if (order.back() != dims.front())
          relayouts[buffer.index] = layOut(node, nest, order);
      }
    }
  return relayouts;
}

} // namespace cameo::schedule

#include "passes/Schedule/Rules/Gpu/PackConstants.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/TileSizes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Returns the load of `buffer` in `nest` if it is the only access and inside of the reduction.
std::optional<NodeId> findLoad(const LoopNest &nest, unsigned buffer) {
  std::optional<NodeId> found;
  for (auto [id, node] : llvm::enumerate(nest.nodes)) {
    if (!node.reads(buffer))
      continue;
    if (found || node.kind != Node::Kind::Load)
      return std::nullopt;
    found = id;
  }
  return found && llvm::is_contained(nest.loads(/*insideReduction=*/true), *found) ? found : std::nullopt;
}

bool isReadElsewhere(const TaskProgram &program, const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(program.groups, [&](const NestGroup &group) {
    return llvm::any_of(group.nests, [&](const LoopNest &other) {
      return &other != &nest && llvm::any_of(other.nodes, [&](const Node &node) { return node.reads(buffer); });
    });
  });
}

/// Whether the points of `node` enumerate `elements` elements, each of them once.
bool readsEachOnce(const LoopNest &nest, const Node &node, int64_t elements) {
  if (!hasKnownRange(nest, node) || !node.transforms.empty() || node.address.constant != 0)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> strides;
  for (auto [coefficient, dim] : llvm::zip_equal(node.address.coefficients, nest.dims))
    if (coefficient != 0 && dim.extent != 1)
      strides.emplace_back(int64_t(coefficient), int64_t(dim.extent));
  llvm::sort(strides);
  int64_t below = 1;
  for (auto [stride, extent] : strides) {
    if (stride != below)
      return false;
    below *= extent;
  }
  return below == elements;
}

/// Returns the dimensions along which `node` varies in packed order. Those of the depth are in the order in which tiles
/// divide them.
SmallVector<unsigned> packedOrder(const LoopNest &nest, const Node &node, PackedOrder packed) {
  SmallVector<unsigned> order;
  auto add = [&](unsigned dim) {
    if (node.address.dependsOn(dim))
      order.push_back(dim);
  };
  auto addPoints = [&] {
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (!dimension.reduction)
        add(dim);
  };
  if (packed == PackedOrder::DepthInner) {
    addPoints();
    if (std::optional<Contraction> contraction = findContraction(nest)) {
      SmallVector<size_t> depth = depthOrder(nest, *contraction);
      for (size_t number : llvm::reverse(depth))
        add(contraction->depth[number]);
    }
    return order;
  }
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction)
      add(dim);
  addPoints();
  return order;
}

LinearForm packedForm(const LoopNest &nest, const Node &node, PackedOrder packed) {
  LinearForm form(nest.dims.size());
  int64_t elements = 1;
  SmallVector<unsigned> order = packedOrder(nest, node, packed);
  for (unsigned dim : llvm::reverse(order)) {
    form.coefficients[dim] = elements;
    elements *= int64_t(nest.dims[dim].extent);
  }
  return form;
}

/// Whether the operand is not contiguous along the innermost dimension of the packed order, and can be packed.
bool isWorthPacking(const TaskProgram &program, const LoopNest &nest, NodeId load, PackedOrder packed) {
  const Node &node = nest.nodes[load];
  SmallVector<unsigned> order = packedOrder(nest, node, packed);
  return !order.empty() && nest.dims[order.back()].reduction == (packed == PackedOrder::DepthInner) &&
         node.address.coefficients[order.back()] != 1 && findPackingFault(program, nest, node.buffer).empty();
}

} // namespace

std::string findPackingFault(const TaskProgram &program, const LoopNest &nest, unsigned buffer) {
  const Buffer &source = program.buffers[buffer];
  std::optional<NodeId> load = findLoad(nest, buffer);
  if (!source.isArgument() || !source.packable || !source.elements.isKnown() || !load ||
      isReadElsewhere(program, nest, buffer) || !readsEachOnce(nest, nest.nodes[*load], int64_t(source.elements)))
    return llvm::formatv("expected to pack a constant whose elements are read by one load inside of a reduction, each "
                         "at one point, got buffer {0}",
                         buffer);
  return "";
}

PackedOrder packedOrderFor(const LoopNest &nest, const Contraction &contraction, bool evenPoints) {
  constexpr int64_t turnedBytes = 2;
  return evenPoints && bytesOf(nest.nodes[contraction.left].type) == turnedBytes ? PackedOrder::PointsInner
                                                                                 : PackedOrder::DepthInner;
}

PackedOrder packedOrderOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu) {
  std::optional<Contraction> contraction = gpu.tensor && nest.hasKnownSizes() ? findContraction(nest) : std::nullopt;
  return contraction ? packedOrderFor(nest, *contraction, tileOf(nest, schedule, gpu).hasEvenPoints(nest))
                     : PackedOrder::PointsInner;
}

LoopNest packLoads(const TaskProgram &program, const LoopNest &nest, PackedOrder order) {
  SmallVector<unsigned> packed;
  for (NodeId load : nest.loads(/*insideReduction=*/true))
    if (isWorthPacking(program, nest, load, order))
      packed.push_back(nest.nodes[load].buffer);
  return packLoads(nest, packed, order);
}

LoopNest packLoads(const LoopNest &nest, ArrayRef<unsigned> packedBuffers, PackedOrder order) {
  LoopNest packed = nest;
  for (unsigned buffer : packedBuffers)
    if (std::optional<NodeId> load = findLoad(nest, buffer))
      packed.nodes[*load].address = packedForm(nest, nest.nodes[*load], order);
  return packed;
}

void packConstants(const TaskProgram &program, const LoopNest &nest, ThreadSchedule &chosen) {
  for (NodeId load : cachedLoads(nest, chosen.threads))
    if (isWorthPacking(program, nest, load, packedOrderOf(nest, chosen.loops, chosen.threads)))
      chosen.loops.packedBuffers.push_back(nest.nodes[load].buffer);
}

std::map<unsigned, ConstantPacking> layOutConstants(TaskProgram &program, ArrayRef<NestSchedule> schedules,
                                                    ArrayRef<GpuSchedule> gpuSchedules) {
  std::map<unsigned, ConstantPacking> packings;
  for (NestGroup &group : program.groups)
    for (LoopNest &nest : group.nests) {
      LoopNest before = nest;
      for (unsigned buffer : schedules.front().packedBuffers) {
        Node &node = nest.nodes[*findLoad(nest, buffer)];
        PackedOrder order = packedOrderOf(before, schedules.front(), gpuSchedules.front());
        LinearForm packed = packedForm(before, node, order);
        SmallVector<int64_t> sizes, targets, sources;
        for (unsigned dim : packedOrder(before, node, order)) {
          sizes.push_back(int64_t(nest.dims[dim].extent));
          targets.push_back(int64_t(packed.coefficients[dim]));
          sources.push_back(int64_t(node.address.coefficients[dim]));
        }
        node.address = std::move(packed);
        ConstantPacking &packing = packings[program.buffers[buffer].index];
        packing.elements = int64_t(program.buffers[buffer].elements);
        packing.add(/*target=*/0, /*source=*/0, sizes, targets, sources);
      }
      schedules = schedules.drop_front();
      gpuSchedules = gpuSchedules.drop_front();
    }
  return packings;
}

} // namespace cameo::schedule

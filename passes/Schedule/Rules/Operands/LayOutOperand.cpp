#include "passes/Schedule/Rules/Operands/LayOutOperand.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Adds `region` with the groups of a dot schedule: the full ones, and the rest as a partial group.
void addGroups(Packing &packing, const PackedRegion &region, int64_t extent, int64_t groupStride,
               const Size &sourceStride) {
  int64_t whole = extent / dotGroup, rest = extent % dotGroup;
  if (whole > 0) {
    PackedRegion groups = region;
    groups.add(whole, groupStride, dotGroup * sourceStride);
    groups.add(dotGroup, 1, sourceStride);
    packing.regions.push_back(std::move(groups));
  }
  if (rest > 0) {
    PackedRegion last = region;
    last.target += whole * groupStride;
    last.source += whole * dotGroup * sourceStride;
    last.add(rest, 1, sourceStride);
    packing.regions.push_back(std::move(last));
  }
}

/// Whether elements of `node` along the dot dimension are stored in groups. Scales do not vary along it.
bool liesInGroups(const NestSchedule &schedule, const Node &node) {
  return schedule.dotDim && node.address.dependsOn(*schedule.dotDim);
}

/// Whether the loops read every element of `node` once.
bool isReadOnce(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  return llvm::none_of(schedule.loops, [&](const Loop &loop) {
    return !nest.dims[loop.dim].reduction && node.address.coefficients[loop.dim] == 0 &&
           loop.size < mostPoints(nest.dims[loop.dim]);
  });
}

/// Returns the reductions along which `node` varies, except the vector dimension, in the order of their outermost
/// loops.
SmallVector<unsigned> stepsOf(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  SmallVector<unsigned> steps;
  auto add = [&](unsigned dim) {
    if (nest.dims[dim].reduction && schedule.vectorDim != dim && node.address.dependsOn(dim) &&
        !llvm::is_contained(steps, dim))
      steps.push_back(dim);
  };
  for (const Loop &loop : schedule.loops)
    add(loop.dim);
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    add(dim);
  return steps;
}

/// Returns the padded number of elements along the vector dimension in each block of `segment`.
int64_t paddedWidth(const PackedLayout &layout, const NestSchedule &schedule, const Segment &segment) {
  return layout.width > 0 ? layout.width : llvm::alignTo(segment.size, schedule.lanes);
}

/// Adds the copies of the blocks in `segment` to the addresses of the packing's layout.
void addBlocks(Packing &packing, const LoopNest &nest, const NestSchedule &schedule, const Node &node,
               ArrayRef<unsigned> steps, const Segment &segment) {
  const PackedLayout &layout = packing.layout;
  int64_t unit = layout.blockStride, width = paddedWidth(layout, schedule, segment);
  const Size &vectorStride = node.address.coefficients[*schedule.vectorDim];
  PackedRegion region{segment.begin * unit, node.address.constant + segment.begin * vectorStride};
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (layout.fixed[dim] != 0) {
      for (const DimensionTransform &transform : node.transforms)
        if (transform.dim == dim)
          region.transforms.push_back({static_cast<unsigned>(region.sizes.size()), transform.matrix});
      region.add(nest.dims[dim].extent, layout.fixed[dim], node.address.coefficients[dim]);
    }
  region.add(segment.count, segment.size * unit, segment.size * vectorStride);
  for (unsigned dim : steps)
    if (schedule.dotDim != dim)
      region.add(nest.dims[dim].extent, layout.perWidth[dim] * width, node.address.coefficients[dim]);
  region.add(segment.size, layout.group, vectorStride);
  if (liesInGroups(schedule, node))
    addGroups(packing, region, nest.dims[*schedule.dotDim].extent,
              layout.perWidth[*schedule.dotDim] * width * layout.group, node.address.coefficients[*schedule.dotDim]);
  else
    packing.regions.push_back(std::move(region));
}

} // namespace

/// Whether each vector of a block is a separate stream, which the hardware prefetcher recognises.
static bool liesInStreams(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  return llvm::is_contained(schedule.prefetchedBuffers, node.buffer) && nest.hasReduction() &&
         schedule.packedWidth == 0 && isReadOnce(nest, schedule, node);
}

bool canPackTransformed(const Node &node, unsigned vectorDim) {
  auto isAlong = [&](const DimensionTransform &transform) { return transform.dim == vectorDim; };
  return node.transforms.empty() ||
         (node.address.coefficients[vectorDim] != 0 && llvm::none_of(node.transforms, isAlong));
}

bool isFetchedInBlocks(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  return llvm::is_contained(schedule.prefetchedBuffers, node.buffer) && !liesInStreams(nest, schedule, node);
}

Packing layOut(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, ArrayRef<const Node *> loads) {
  const Node &node = *loads.front();
  unsigned vectorDim = *schedule.vectorDim, dimCount = nest.dims.size();
  SmallVector<unsigned> steps = stepsOf(nest, schedule, node);
  Loop block{vectorDim, nest.dims[vectorDim].extent};
  for (const Loop &loop : schedule.loops)
    block.size = loop.dim == vectorDim ? std::min(block.size, loop.size) : block.size;
  Packing packing;
  packing.layout.width = liesInStreams(nest, schedule, node) ? schedule.lanes : schedule.packedWidth;
  if (packing.layout.width > 0)
    block.size = packing.layout.width;
  packing.layout.prefetched = isFetchedInBlocks(nest, schedule, node);
  packing.layout.fixed.assign(dimCount, 0);
  packing.layout.perWidth.assign(dimCount, 0);
  int64_t group = packing.layout.group = liesInGroups(schedule, node) ? dotGroup : 1, unit = group;
  for (unsigned dim : llvm::reverse(steps)) {
    bool isDot = schedule.dotDim == dim;
    packing.layout.perWidth[dim] = isDot ? unit / group : unit;
    unit *= isDot ? llvm::divideCeil(int64_t(nest.dims[dim].extent), group) : int64_t(nest.dims[dim].extent);
  }
  packing.layout.blockStride = unit;
  SmallVector<Segment, 2> blocks = segmentsOf(nest, schedule, block, nest.dims[vectorDim].extent);
  int64_t total = 0;
  for (const Segment &segment : blocks)
    total += segment.count * paddedWidth(packing.layout, schedule, segment) * unit;
  auto place = [&](unsigned begin, unsigned end) {
    for (unsigned dim = end; dim-- > begin;)
      if (!nest.dims[dim].reduction && dim != vectorDim && node.address.dependsOn(dim)) {
        packing.layout.fixed[dim] = total;
        total *= nest.dims[dim].extent;
      }
  };
  place(rowDims, dimCount);
  packing.apart = total;
  total *= static_cast<int64_t>(loads.size());
  place(0, rowDims);
  packing.elements = total;
  for (const Segment &segment : blocks)
    addBlocks(packing, nest, schedule, node, steps, segment);
  for (size_t number = 1, count = packing.regions.size(); number < loads.size(); ++number)
    for (size_t first = 0; first < count; ++first) {
      PackedRegion region = packing.regions[first];
      region.target += static_cast<int64_t>(number) * packing.apart;
      region.source += loads[number]->address.constant - node.address.constant;
      packing.regions.push_back(std::move(region));
    }
  return packing;
}

Packing layOutWhole(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  unsigned vectorDim = *schedule.vectorDim;
  Packing packing;
  packing.layout.blockStride = 1;
  packing.layout.fixed.assign(nest.dims.size(), 0);
  packing.layout.perWidth.assign(nest.dims.size(), 0);
  PackedRegion region{0, node.address.constant};
  Size total = nest.dims[vectorDim].extent;
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (const Size &stride = node.address.coefficients[dim]; stride != 0 && dim != vectorDim) {
      packing.layout.fixed[dim] = total;
      region.add(nest.dims[dim].extent, total, stride);
      total *= nest.dims[dim].extent;
    }
  region.add(nest.dims[vectorDim].extent, 1, node.address.coefficients[vectorDim]);
  int64_t block = mostPoints(nest.dims[vectorDim]);
  for (const Loop &loop : schedule.loops)
    block = loop.dim == vectorDim ? std::min(block, loop.size) : block;
  packing.elements = total + llvm::alignTo(block, schedule.lanes);
  packing.regions.push_back(std::move(region));
  return packing;
}

} // namespace cameo::schedule

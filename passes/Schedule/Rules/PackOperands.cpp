// Packing: blocks of the vector dimension, in each of them the reduction in loop order, innermost one block of vectors. Blocks of what is read
// once are of one vector.
#include "passes/Schedule/Rules/PackOperands.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// A strided copy of one region.
struct Region {
  Size target, source;
  SmallVector<Size> sizes, targetStrides, sourceStrides;
  SmallVector<DimensionTransform, 0> transforms; ///< their dimensions are those of the region

  bool operator==(const Region &other) const = default;

  void add(const Size &size, const Size &targetStride, const Size &sourceStride) {
    sizes.push_back(size);
    targetStrides.push_back(targetStride);
    sourceStrides.push_back(sourceStride);
  }
};

struct Packing {
  PackedLayout layout;
  std::vector<Region> regions;
  Size elements = 0; ///< up to the end of this packing

  bool operator==(const Packing &other) const = default;
};

/// What was laid out anew for a nest, and serves others that read the same: those of bands at the edges.
struct PackedOperand {
  unsigned source;
  Packing packing; ///< from element 0 on
  unsigned target; ///< the buffer that holds it
  int64_t offset;
};

/// Adds `region` with the groups of a dot schedule: the whole ones, and what is left of the last.
void addGroups(Packing &packing, const Region &region, int64_t extent, int64_t groupStride, const Size &sourceStride) {
  int64_t whole = extent / dotGroup, rest = extent % dotGroup;
  if (whole > 0) {
    Region groups = region;
    groups.add(whole, groupStride, dotGroup * sourceStride);
    groups.add(dotGroup, 1, sourceStride);
    packing.regions.push_back(std::move(groups));
  }
  if (rest > 0) {
    Region last = region;
    last.target += whole * groupStride;
    last.source += whole * dotGroup * sourceStride;
    last.add(rest, 1, sourceStride);
    packing.regions.push_back(std::move(last));
  }
}

/// Whether the loops run through what `node` reads once.
bool isReadOnce(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  return llvm::none_of(schedule.loops, [&](const Loop &loop) {
    return !nest.dims[loop.dim].reduction && node.address.coefficients[loop.dim] == 0 && loop.size < mostPoints(nest.dims[loop.dim]);
  });
}

/// Lays out what `node` reads where only the run knows how much that is: the vector dimension whole, innermost, and in front of it the others as
/// they are. Behind all of it a block may load what it does not use.
Packing layOutWhole(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  unsigned vectorDim = *schedule.vectorDim;
  Packing packing;
  packing.layout.blockStride = 1;
  packing.layout.fixed.assign(nest.dims.size(), 0);
  packing.layout.perWidth.assign(nest.dims.size(), 0);
  Region region{0, node.address.constant};
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

/// Lays out what `node` reads.
Packing layOut(const LoopNest &nest, const NestSchedule &schedule, const Node &node) {
  unsigned vectorDim = *schedule.vectorDim, dimCount = nest.dims.size();
  auto reads = [&](unsigned dim) { return node.address.coefficients[dim] != 0; };
  Loop block{vectorDim, nest.dims[vectorDim].extent};
  SmallVector<unsigned> steps;
  for (const Loop &loop : schedule.loops) {
    if (loop.dim == vectorDim)
      block.size = std::min(block.size, loop.size);
    if (nest.dims[loop.dim].reduction && reads(loop.dim) && !llvm::is_contained(steps, loop.dim))
      steps.push_back(loop.dim);
  }
  for (unsigned dim = 0; dim < dimCount; ++dim)
    if (nest.dims[dim].reduction && reads(dim) && !llvm::is_contained(steps, dim))
      steps.push_back(dim);

  bool isFetched = llvm::is_contained(schedule.prefetchedBuffers, node.buffer);
  // Each vector of the loops' block walks a stream of its own, which the processor fetches ahead by itself.
  bool inStreams = isFetched && !schedule.dotDim && isReadOnce(nest, schedule, node);
  if (inStreams)
    block.size = schedule.lanes;
  Packing packing;
  packing.layout.prefetched = isFetched && !inStreams;
  packing.layout.fixed.assign(dimCount, 0);
  packing.layout.perWidth.assign(dimCount, 0);
  int64_t group = packing.layout.group = schedule.dotDim ? dotGroup : 1, unit = group;
  for (unsigned dim : llvm::reverse(steps)) {
    bool isDot = schedule.dotDim == dim;
    packing.layout.perWidth[dim] = isDot ? unit / group : unit;
    unit *= isDot ? llvm::divideCeil(int64_t(nest.dims[dim].extent), group) : int64_t(nest.dims[dim].extent);
  }
  packing.layout.blockStride = unit;
  SmallVector<Segment, 2> blocks = segmentsOf(nest, schedule, block, nest.dims[vectorDim].extent);
  int64_t total = 0;
  for (const Segment &segment : blocks)
    total += segment.count * llvm::alignTo(segment.size, schedule.lanes) * unit;
  for (unsigned dim = dimCount; dim-- > 0;)
    if (!nest.dims[dim].reduction && dim != vectorDim && reads(dim)) {
      packing.layout.fixed[dim] = total;
      total *= nest.dims[dim].extent;
    }
  packing.elements = total;
  for (const Segment &segment : blocks) {
    int64_t width = llvm::alignTo(segment.size, schedule.lanes);
    const Size &vectorStride = node.address.coefficients[vectorDim];
    Region region{segment.begin * unit, node.address.constant + segment.begin * vectorStride};
    for (unsigned dim = 0; dim < dimCount; ++dim)
      if (packing.layout.fixed[dim] != 0) {
        for (const DimensionTransform &transform : node.transforms)
          if (transform.dim == dim)
            region.transforms.push_back({static_cast<unsigned>(region.sizes.size()), transform.matrix});
        region.add(nest.dims[dim].extent, packing.layout.fixed[dim], node.address.coefficients[dim]);
      }
    region.add(segment.count, segment.size * unit, segment.size * vectorStride);
    for (unsigned dim : steps)
      if (schedule.dotDim != dim)
        region.add(nest.dims[dim].extent, packing.layout.perWidth[dim] * width, node.address.coefficients[dim]);
    region.add(segment.size, group, vectorStride);
    if (schedule.dotDim)
      addGroups(packing, region, nest.dims[*schedule.dotDim].extent,
                packing.layout.perWidth[*schedule.dotDim] * width * group, node.address.coefficients[*schedule.dotDim]);
    else
      packing.regions.push_back(std::move(region));
  }
  if (inStreams) { // the vectors of a block are as far apart as blocks
    packing.layout.group = unit;
    for (unsigned dim : steps)
      packing.layout.fixed[dim] = schedule.lanes * std::exchange(packing.layout.perWidth[dim], 0);
  }
  return packing;
}

LoopNest copyNest(const Region &region, unsigned from, unsigned to, const LoopNest &reader, Type type) {
  LoopNest nest(reader.loc);
  nest.name = reader.name + ".pack";
  for (const Size &size : region.sizes)
    nest.dims.push_back({size, false});
  Node load{Node::Kind::Load, type};
  load.buffer = from;
  load.address.coefficients.assign(region.sourceStrides.begin(), region.sourceStrides.end());
  load.address.constant = region.source;
  LinearForm target;
  target.coefficients.assign(region.targetStrides.begin(), region.targetStrides.end());
  target.constant = region.target;
  nest.nodes.push_back(std::move(load));
  nest.outputs.push_back({0, to, std::move(target)});
  collapseDimensions(nest, 0);
  return nest;
}

void append(Relayout &relayout, const Region &region) {
  assert(llvm::all_of(region.sizes, [](const Size &size) { return size.isKnown(); }) && "only what is known is laid out anew");
  relayout.nests.append({int64_t(region.target), int64_t(region.source), static_cast<int64_t>(region.sizes.size())});
  relayout.nests.append(region.sizes.begin(), region.sizes.end());
  relayout.nests.append(region.targetStrides.begin(), region.targetStrides.end());
  relayout.nests.append(region.sourceStrides.begin(), region.sourceStrides.end());
  relayout.nests.push_back(region.transforms.size());
  for (const DimensionTransform &transform : region.transforms) {
    const RationalMatrix &matrix = *transform.matrix;
    relayout.nests.append({transform.dim, matrix.columns, matrix.denominator});
    relayout.nests.append(matrix.entries.begin(), matrix.entries.end());
  }
}

/// A constant that is also read as it was keeps a plain copy behind its packed ones.
void keepPlainReads(TaskProgram &program, std::map<unsigned, Relayout> &relayouts) {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind != Buffer::Kind::Argument || !relayouts.contains(buffer.index))
      continue;
    Relayout &relayout = relayouts[buffer.index];
    bool kept = false;
    int64_t offset = relayout.elements;
    for (NestGroup &group : program.groups)
      for (LoopNest &nest : group.nests)
        for (Node &node : nest.nodes)
          if (node.buffer == number && !node.packed &&
              (node.kind == Node::Kind::Load || node.kind == Node::Kind::Gather)) {
            node.address.constant += offset;
            kept = true;
          }
    if (!kept)
      continue;
    Region plain{offset, 0};
    plain.add(buffer.elements, 1, 1);
    append(relayout, plain);
    relayout.elements += buffer.elements;
  }
}

class Packer {
public:
  Packer(TaskProgram &program, llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy)
      : program(program), scheduleCopy(scheduleCopy) {}

  std::map<unsigned, Relayout> run(std::vector<NestSchedule> &schedules) {
    unsigned next = 0;
    for (NestGroup &group : program.groups) {
      ArrayRef<NestSchedule> own = ArrayRef(schedules).slice(next, group.nests.size());
      next += group.nests.size();
      // What continues a range stays behind the group before. Behind a range, what was copied may have been overwritten.
      if (!group.continues) {
        copiesEnd = {groups.size(), all.size()};
        llvm::erase_if(packed, [](const PackedOperand &operand) { return operand.target != operand.source; });
      }
      for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
        for (NodeId id : nest.loads(/*insideReduction=*/true))
          if (isPacked(schedule, nest.nodes[id]))
            pack(nest, schedule, nest.nodes[id]);
      groups.push_back(std::move(group));
      all.insert(all.end(), own.begin(), own.end());
    }
    program.groups = std::move(groups);
    schedules = std::move(all);
    keepPlainReads(program, relayouts);
    return std::move(relayouts);
  }

private:
  static bool isPacked(const NestSchedule &schedule, const Node &node) {
    return node.kind == Node::Kind::Load && !node.shared && llvm::is_contained(schedule.packedBuffers, node.buffer) && schedule.vectorDim &&
           node.address.coefficients[*schedule.vectorDim] != 0;
  }

  void pack(const LoopNest &nest, const NestSchedule &schedule, Node &node) {
    Packing packing = hasKnownRange(nest, node) || program.buffers[node.buffer].packable ? layOut(nest, schedule, node)
                                                                                       : layOutWhole(nest, schedule, node);
    auto it = llvm::find_if(packed, [&](const PackedOperand &other) { return other.source == node.buffer && other.packing == packing; });
    if (it == packed.end()) {
      packed.push_back(program.buffers[node.buffer].packable ? layOutConstant(packing, node) : copyBefore(packing, nest, node));
      it = std::prev(packed.end());
    }
    node.packed = packing.layout;
    node.packed->offset += it->offset;
    node.buffer = it->target;
  }

  PackedOperand layOutConstant(const Packing &packing, const Node &node) {
    Relayout &relayout = relayouts[program.buffers[node.buffer].index];
    int64_t offset = relayout.elements;
    for (Region region : packing.regions) {
      region.target += offset;
      append(relayout, region);
    }
    relayout.elements += packing.elements;
    return {node.buffer, packing, node.buffer, offset};
  }

  PackedOperand copyBefore(const Packing &packing, const LoopNest &nest, const Node &node) {
    unsigned target = program.buffers.size();
    program.buffers.push_back({Buffer::Kind::Scratch, 0, packing.elements, program.buffers[node.buffer].elementType, {}, false});
    for (const Region &region : packing.regions) {
      NestGroup copy;
      copy.nests.push_back(copyNest(region, node.buffer, target, nest, node.type));
      all.insert(all.begin() + copiesEnd.second++, scheduleCopy(copy.nests.front()));
      groups.insert(groups.begin() + copiesEnd.first++, std::move(copy));
    }
    return {node.buffer, packing, target, 0};
  }

  TaskProgram &program;
  llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy;
  std::map<unsigned, Relayout> relayouts;
  std::vector<PackedOperand> packed;
  std::vector<NestGroup> groups;
  std::vector<NestSchedule> all;
  /// Where the next copy goes: groups and schedules before it.
  std::pair<size_t, size_t> copiesEnd;
};

} // namespace

std::map<unsigned, Relayout> packOperands(TaskProgram &program, std::vector<NestSchedule> &schedules,
                                          llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy) {
  return Packer(program, scheduleCopy).run(schedules);
}

} // namespace cameo::schedule

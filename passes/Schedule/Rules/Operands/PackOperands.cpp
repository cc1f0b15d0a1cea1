// Packs operands in the layout that their nest reads: constants at compile time, others by copies before the parallel
// range of their nest.
#include "passes/Schedule/Rules/Operands/PackOperands.h"

#include "passes/Schedule/Rules/Operands/LayOutOperand.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// A packed operand. Other nests that read the same elements reuse it, such as those of overlapped tiles at the edges.
struct PackedOperand {
  unsigned source;
  Packing packing; ///< with addresses relative to element 0
  unsigned target; ///< the buffer that holds it
  int64_t offset;
};

LoopNest copyNest(const PackedRegion &region, unsigned from, unsigned to, const LoopNest &reader, Type type) {
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

void append(ConstantPacking &packing, const PackedRegion &region) {
  assert(llvm::all_of(region.sizes, [](const Size &size) { return size.isKnown(); }) &&
         "only what is known is laid out anew");
  auto numbers = [](ArrayRef<Size> sizes) {
    return llvm::map_to_vector(sizes, [](const Size &size) { return int64_t(size); });
  };
  packing.add(int64_t(region.target), int64_t(region.source), numbers(region.sizes), numbers(region.targetStrides),
              numbers(region.sourceStrides), region.transforms);
}

/// Adds a plain copy after the packed layouts of a constant if it is also read without packing.
void keepPlainReads(TaskProgram &program, std::map<unsigned, ConstantPacking> &packings) {
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (!buffer.isArgument() || !packings.contains(buffer.index))
      continue;
    ConstantPacking &packing = packings[buffer.index];
    bool kept = false;
    int64_t offset = packing.elements;
    for (NestGroup &group : program.groups)
      for (LoopNest &nest : group.nests)
        for (Node &node : nest.nodes)
          if (node.reads(number) && !node.packed) {
            node.address.constant += offset;
            kept = true;
          }
    if (!kept)
      continue;
    PackedRegion plain{offset, 0};
    plain.add(buffer.elements, 1, 1);
    append(packing, plain);
    packing.elements += buffer.elements;
  }
}

class Packer {
public:
  Packer(TaskProgram &program, llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy)
      : program(program), scheduleCopy(scheduleCopy) {}

  std::map<unsigned, ConstantPacking> run(std::vector<NestSchedule> &schedules) {
    unsigned next = 0;
    for (NestGroup &group : program.groups) {
      ArrayRef<NestSchedule> own = ArrayRef(schedules).slice(next, group.nests.size());
      next += group.nests.size();
      // Groups that continue a range must follow the previous group directly. After a range, copied operands may have
      // been overwritten.
      if (!group.continues) {
        copiesEnd = {groups.size(), all.size()};
        llvm::erase_if(packed, [](const PackedOperand &operand) { return operand.target != operand.source; });
      }
      for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
        for (SmallVector<Node *> &loads : packedTogether(nest, schedule))
          pack(nest, schedule, group.rowDims, loads);
      groups.push_back(std::move(group));
      all.insert(all.end(), own.begin(), own.end());
    }
    program.groups = std::move(groups);
    schedules = std::move(all);
    keepPlainReads(program, packings);
    return std::move(packings);
  }

private:
  /// Returns the loads of `nest` to be packed. Without a reduction, loads that differ in constants only form one
  /// operand.
  static std::vector<SmallVector<Node *>> packedTogether(LoopNest &nest, const NestSchedule &schedule) {
    std::vector<SmallVector<Node *>> operands;
    for (NodeId id : nest.loads(/*insideReduction=*/nest.hasReduction())) {
      Node &node = nest.nodes[id];
      if (!isPacked(schedule, node))
        continue;
      auto alike = llvm::find_if(operands, [&](ArrayRef<Node *> loads) {
        return loads.front()->buffer == node.buffer && loads.front()->address.coefficients == node.address.coefficients;
      });
      if (nest.hasReduction() || alike == operands.end())
        operands.push_back({&node});
      else
        alike->push_back(&node);
    }
    return operands;
  }

  void pack(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, ArrayRef<Node *> loads) {
    const Node &node = *loads.front();
    bool isKnown = hasKnownRange(nest, node) || program.buffers[node.buffer].packable;
    Packing packing =
        isKnown ? layOut(nest, schedule, rowDims, SmallVector<const Node *>(loads)) : layOutWhole(nest, schedule, node);
    auto it = llvm::find_if(
        packed, [&](const PackedOperand &other) { return other.source == node.buffer && other.packing == packing; });
    if (it == packed.end()) {
      packed.push_back(program.buffers[node.buffer].packable ? layOutConstant(packing, node)
                                                             : copyBefore(packing, nest, node));
      it = std::prev(packed.end());
    }
    for (auto [number, load] : llvm::enumerate(loads)) {
      load->packed = packing.layout;
      load->packed->offset += it->offset + static_cast<int64_t>(number) * packing.apart;
      load->buffer = it->target;
    }
  }

  PackedOperand layOutConstant(const Packing &packing, const Node &node) {
    ConstantPacking &whole = packings[program.buffers[node.buffer].index];
    int64_t offset = whole.elements;
    for (PackedRegion region : packing.regions) {
      region.target += offset;
      append(whole, region);
    }
    whole.elements += packing.elements;
    return {node.buffer, packing, node.buffer, offset};
  }

  PackedOperand copyBefore(const Packing &packing, const LoopNest &nest, const Node &node) {
    unsigned target = program.buffers.size();
    program.buffers.push_back(Buffer::scratch(packing.elements, program.buffers[node.buffer].elementType));
    for (const PackedRegion &region : packing.regions) {
      NestGroup copy;
      copy.nests.push_back(copyNest(region, node.buffer, target, nest, node.type));
      all.insert(all.begin() + copiesEnd.second++, scheduleCopy(copy.nests.front()));
      groups.insert(groups.begin() + copiesEnd.first++, std::move(copy));
    }
    return {node.buffer, packing, target, 0};
  }

  TaskProgram &program;
  llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy;
  std::map<unsigned, ConstantPacking> packings;
  std::vector<PackedOperand> packed;
  std::vector<NestGroup> groups;
  std::vector<NestSchedule> all;
  /// The position of the next copy: the number of groups and of schedules before it.
  std::pair<size_t, size_t> copiesEnd;
};

} // namespace

void ConstantPacking::add(int64_t target, int64_t source, ArrayRef<int64_t> sizes, ArrayRef<int64_t> targetStrides,
                          ArrayRef<int64_t> sourceStrides, ArrayRef<DimensionTransform> transforms) {
  nests.append({target, source, static_cast<int64_t>(sizes.size())});
  nests.append(sizes.begin(), sizes.end());
  nests.append(targetStrides.begin(), targetStrides.end());
  nests.append(sourceStrides.begin(), sourceStrides.end());
  nests.push_back(static_cast<int64_t>(transforms.size()));
  for (const DimensionTransform &transform : transforms) {
    const RationalMatrix &matrix = *transform.matrix;
    nests.append({transform.dim, matrix.columns, matrix.denominator});
    nests.append(matrix.entries.begin(), matrix.entries.end());
  }
}

std::map<unsigned, ConstantPacking> packOperands(TaskProgram &program, std::vector<NestSchedule> &schedules,
                                                 llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy) {
  return Packer(program, scheduleCopy).run(schedules);
}

} // namespace cameo::schedule

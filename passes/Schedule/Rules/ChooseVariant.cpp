#include "passes/Schedule/Rules/ChooseVariant.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/LayOutOperand.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Vectors that one row is multiplied with at once: as many sums, and a register for the row's number.
constexpr int64_t mostVectors = 12;

/// Rows by which each element of an operand may be multiplied in a step that is of a single row: heads that share keys.
constexpr int64_t mostHeads = 8;

/// Whether a size may well be 1: the caller's own, as lengths and batches are. Planes are computed from those of
/// images, and have many points.
bool mayBeOne(const Size &size) {
  SmallVector<DimTerm, 2> terms = getTerms(size.exact());
  return terms.size() == 1 && terms.front().coefficient == 1 &&
         llvm::all_of(terms.front().getAtoms(), llvm::IsaPred<StringAttr>);
}

/// The rows that share what `schedule` reads along the vector dimension, where there may be few: constants that come
/// from memory, and what is computed, of which copies are made for many rows, or parts of lines read.
SmallVector<unsigned> rowsOf(const TaskProgram &program, const LoopNest &nest, const NestSchedule &schedule,
                             const Machine &machine) {
  if (!nest.hasReduction() || !schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
    return {};
  SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  if (loads.size() < 2)
    return {};
  SmallVector<unsigned> dims;
  for (NodeId id : loads) {
    const Node &node = nest.nodes[id];
    if (!node.address.dependsOn(*schedule.vectorDim))
      continue;
    const Buffer &buffer = program.buffers[node.buffer];
    bool isConstant = buffer.packable;
    // As small as the weights that stay in the cache.
    if (!isConstant && buffer.elements.isKnown() && buffer.elements * bytesOf(node.type) <= machine.l2Bytes / 16)
      return {};
    if (isConstant && !llvm::is_contained(schedule.prefetchedBuffers, node.buffer))
      return {};
    int64_t others = 1; // by which each element is multiplied whatever the run is
    for (auto [number, dimension] : llvm::enumerate(nest.dims)) {
      unsigned dim = number;
      if (dimension.reduction || node.address.dependsOn(dim))
        continue;
      if (dimension.extent.isKnown())
        others *= dimension.extent;
      else if (!mayBeOne(dimension.extent))
        return {};
      else if (!llvm::is_contained(dims, dim))
        dims.push_back(dim);
    }
    if (others > (isConstant ? 1 : mostHeads))
      return {};
  }
  return dims;
}

/// The size of the innermost loop over the vector dimension.
int64_t *blockOf(NestSchedule &schedule) {
  for (Loop &loop : llvm::reverse(schedule.loops))
    if (loop.dim == schedule.vectorDim)
      return &loop.size;
  return nullptr;
}

/// Whether both schedules have the elements that `node` reads of a constant at the same places.
bool layOutAlike(const LoopNest &nest, const NestSchedule &one, const NestSchedule &other, const Node &node) {
  Packing packing = layOut(nest, one, /*rowDims=*/0, &node), same = layOut(nest, other, /*rowDims=*/0, &node);
  // How the loops fetch them is their own.
  same.layout.prefetched = packing.layout.prefetched;
  return packing == same;
}

/// Has `single` read the constants that `schedule` packs in its layout; false where it cannot.
bool shareLayout(const TaskProgram &program, const LoopNest &nest, NestSchedule &schedule, NestSchedule &single) {
  auto constants = [&](const NestSchedule &of) {
    return llvm::to_vector(
        llvm::make_filter_range(of.packedBuffers, [&](unsigned buffer) { return program.buffers[buffer].packable; }));
  };
  SmallVector<unsigned> buffers = constants(schedule);
  if (buffers != constants(single))
    return false;
  if (buffers.empty())
    return true;
  int64_t *all = blockOf(schedule), *one = blockOf(single);
  if (!all || !one || schedule.vectorDim != single.vectorDim || *all % schedule.lanes != 0 || *all % single.lanes != 0)
    return false;
  NestSchedule packed = schedule;
  packed.packedWidth = single.packedWidth = *all;
  // Blocks side by side are streams of their own, which the processor fetches ahead by itself.
  single.prefetchedBuffers.clear();
  int64_t blocks = std::max<int64_t>(1, mostVectors * single.lanes / *all);
  *one = std::min<int64_t>(blocks, llvm::divideCeil(int64_t(nest.dims[*single.vectorDim].extent), *all)) * *all;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (llvm::is_contained(buffers, node.buffer) && !layOutAlike(nest, packed, single, node))
      return false;
  }
  schedule = std::move(packed);
  return true;
}

} // namespace

/// With one point of each of `rows`.
static NestSchedule scheduleSingle(const TaskProgram &program, const LoopNest &nest, ArrayRef<unsigned> rows,
                                   const Machine &machine) {
  LoopNest single = nest;
  for (unsigned dim : rows)
    single.dims[dim].extent = 1;
  return defaultSchedule(program, single, /*rowDims=*/0, machine);
}

std::optional<SingleRow> chooseSingleRow(const TaskProgram &program, std::vector<NestSchedule> &schedules,
                                         const Machine &machine) {
  llvm::SmallSetVector<DimExprAttr, 2> sizes;
  std::vector<NestSchedule> single = schedules;
  unsigned number = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      NestSchedule &all = schedules[number], &one = single[number];
      ++number;
      SmallVector<unsigned> rows = group.rowDims > 0 ? SmallVector<unsigned>() : rowsOf(program, nest, all, machine);
      if (rows.empty())
        continue;
      NestSchedule found = scheduleSingle(program, nest, rows, machine);
      if (!shareLayout(program, nest, all, found))
        continue;
      one = std::move(found);
      for (unsigned dim : rows)
        sizes.insert(nest.dims[dim].extent.getExpression());
    }
  if (sizes.empty())
    return std::nullopt;
  return SingleRow{llvm::to_vector<1>(sizes), std::move(single)};
}

} // namespace cameo::schedule

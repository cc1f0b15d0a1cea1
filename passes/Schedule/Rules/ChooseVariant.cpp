#include "passes/Schedule/Rules/ChooseVariant.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/LayOutOperand.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The number of vectors that are multiplied by one row at once: one accumulator each, beside a register for the
/// element of the row.
constexpr int64_t mostVectors = 12;

/// The number of rows that may share an operand in a decoder step: heads that share keys.
constexpr int64_t mostHeads = 8;

/// Whether a size may be 1 in practice: a product of named dimensions, such as a length or a batch. Sizes of planes are
/// computed from those of images and are larger.
bool mayBeOne(const Size &size) {
  SmallVector<DimTerm, 2> terms = getTerms(size.exact());
  return terms.size() == 1 && terms.front().coefficient == 1 &&
         llvm::all_of(terms.front().getAtoms(), llvm::IsaPred<StringAttr>);
}

/// Returns the row dimensions that share what `schedule` reads along the vector dimension and that may have a single
/// point. The operand is a constant read from memory, or a computed tensor that is copied for many rows or read in
/// partial cache lines.
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
    // Small enough to stay in the cache, like small weights.
    if (!isConstant && buffer.elements.isKnown() && buffer.elements * bytesOf(node.type) <= machine.l2Bytes / 16)
      return {};
    if (isConstant && !llvm::is_contained(schedule.prefetchedBuffers, node.buffer))
      return {};
    int64_t others = 1; // the points that share each element in every run
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

/// Returns the size of the innermost loop over the vector dimension.
int64_t *blockOf(NestSchedule &schedule) {
  for (Loop &loop : llvm::reverse(schedule.loops))
    if (loop.dim == schedule.vectorDim)
      return &loop.size;
  return nullptr;
}

/// Whether both schedules pack the elements that `node` reads of a constant in the same layout.
bool layOutAlike(const LoopNest &nest, const NestSchedule &one, const NestSchedule &other, const Node &node) {
  Packing packing = layOut(nest, one, /*rowDims=*/0, &node), same = layOut(nest, other, /*rowDims=*/0, &node);
  // Prefetching does not affect the layout.
  same.layout.prefetched = packing.layout.prefetched;
  return packing == same;
}

/// Makes `single` read the constants that `schedule` packs in its layout; returns false if it cannot.
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
  // Neighbouring blocks are streams, which the hardware prefetcher recognises.
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

/// Returns the default schedule of `nest` with one point in each of `rows`.
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

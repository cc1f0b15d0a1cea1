#include "passes/Schedule/Rules/ChooseVariant.h"

#include "passes/Schedule/Rules/ChooseCopyTiles.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Operands/LayOutOperand.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The number of vectors that one row is multiplied with at once if they are several streams: one accumulator each,
/// beside a register for the element of the row.
constexpr int64_t mostVectors = 12;

/// The number of rows that may share an operand in a decoder step: heads that share keys.
constexpr int64_t mostHeads = 8;

/// The number of rows that a block has where a few rows share an operand that is read where it is, or a tile of it.
constexpr int64_t rowsOfBlock = 2;

/// A dimension over rows: `points` points, such as heads that share keys, for each of `count`, such as a length.
struct Rows {
  unsigned dim;
  int64_t points;
  Size count;
};

/// Divides `size` into rows whose count may be 1 in practice: a product of named dimensions, such as a length or a
/// batch. Sizes of planes are computed from those of images and are larger.
std::optional<Rows> divideRows(unsigned dim, const Size &size) {
  SmallVector<DimTerm, 2> terms = getTerms(size.exact());
  if (terms.size() != 1 || terms.front().coefficient < 1 ||
      !llvm::all_of(terms.front().getAtoms(), llvm::IsaPred<StringAttr>))
    return std::nullopt;
  return Rows{dim, terms.front().coefficient, divideExactly(size, terms.front().coefficient)};
}

/// Returns the row dimensions that share what `schedule` reads along the vector dimension and that may have the points
/// of a single row. The operand is a constant read from memory, or a computed tensor that is copied for many rows or
/// read in partial cache lines.
SmallVector<Rows> rowsOf(const TaskProgram &program, const LoopNest &nest, const NestSchedule &schedule,
                         const Machine &machine) {
  if (!nest.hasReduction() || !schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
    return {};
  SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  if (loads.size() < 2)
    return {};
  SmallVector<Rows> all;
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
      if (dimension.extent.isKnown()) {
        others *= dimension.extent;
        continue;
      }
      std::optional<Rows> rows = divideRows(dim, dimension.extent);
      if (!rows)
        return {};
      others *= rows->points;
      if (llvm::none_of(all, [&](const Rows &known) { return known.dim == dim; }))
        all.push_back(*rows);
    }
    if (others > (isConstant ? 1 : mostHeads))
      return {};
  }
  return all;
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

/// Makes `variant` read the constants that `schedule` packs in its layout, at most `blocks` at once; returns false if
/// it cannot.
bool shareLayout(const TaskProgram &program, const LoopNest &nest, NestSchedule &schedule, NestSchedule &variant,
                 int64_t blocks) {
  auto constants = [&](const NestSchedule &of) {
    return llvm::to_vector(
        llvm::make_filter_range(of.packedBuffers, [&](unsigned buffer) { return program.buffers[buffer].packable; }));
  };
  SmallVector<unsigned> buffers = constants(schedule);
  if (buffers != constants(variant))
    return false;
  if (buffers.empty())
    return true;
  int64_t *all = blockOf(schedule), *one = blockOf(variant);
  if (!all || !one || schedule.vectorDim != variant.vectorDim || *all % schedule.lanes != 0 ||
      *all % variant.lanes != 0)
    return false;
  NestSchedule packed = schedule;
  packed.packedWidth = variant.packedWidth = *all;
  // Neighbouring blocks are streams, which the hardware prefetcher recognises.
  variant.prefetchedBuffers.clear();
  *one = std::min<int64_t>(blocks, llvm::divideCeil(int64_t(nest.dims[*variant.vectorDim].extent), *all)) * *all;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (llvm::is_contained(buffers, node.buffer) && !layOutAlike(nest, packed, variant, node))
      return false;
  }
  schedule = std::move(packed);
  return true;
}

/// Returns the default schedule of `nest` with `count` of each of `rows`.
NestSchedule scheduleRows(const TaskProgram &program, const LoopNest &nest, ArrayRef<Rows> rows, int64_t count,
                          const Machine &machine) {
  LoopNest counted = nest;
  for (const Rows &each : rows)
    counted.dims[each.dim].extent = count * each.points;
  return defaultSchedule(program, counted, /*rowDims=*/0, machine);
}

/// Whether the loops read vectors along a sum, where the operands are.
bool readsInPlace(const LoopNest &nest, const NestSchedule &schedule) {
  return schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction && schedule.packedBuffers.empty();
}

/// Returns the greatest number of rows for which the rules read the operands of `nest` in place.
int64_t mostInPlace(const TaskProgram &program, const LoopNest &nest, const Rows &row, const Machine &machine) {
  int64_t count = 0;
  while (count < mostHeads && readsInPlace(nest, scheduleRows(program, nest, row, count + 1, machine)))
    ++count;
  return count;
}

/// Returns a schedule for a few of `row`, `count` in a block, all of which a block of what they share is used for
/// before the next one.
NestSchedule scheduleFew(const TaskProgram &program, const LoopNest &nest, const Rows &row, int64_t count,
                         const Machine &machine) {
  NestSchedule few = scheduleRows(program, nest, row, count, machine);
  auto *rows = llvm::find_if(few.loops, [&](const Loop &loop) { return loop.dim == row.dim; });
  Loop moved{row.dim, count * row.points};
  if (rows != few.loops.end()) {
    few.parallelLoops -= rows - few.loops.begin() < few.parallelEnd();
    moved = *rows;
    few.loops.erase(rows);
  }
  for (Loop &loop : few.loops)
    if (!nest.dims[loop.dim].extent.isKnown())
      loop.size = llvm::bit_floor(static_cast<uint64_t>(loop.size));
  few.loops.insert(llvm::find_if(few.loops, [&](const Loop &loop) { return nest.dims[loop.dim].reduction; }), moved);
  return few;
}

/// Calls `choose` for each nest of `program` with the rows that it may have one of, its default schedule and the one in
/// `variant`.
void forEachWithRows(
    const TaskProgram &program, std::vector<NestSchedule> &schedules, std::vector<NestSchedule> &variant,
    const Machine &machine,
    llvm::function_ref<void(const LoopNest &, ArrayRef<Rows>, NestSchedule &, NestSchedule &)> choose) {
  unsigned number = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      SmallVector<Rows> rows =
          group.rowDims > 0 ? SmallVector<Rows>() : rowsOf(program, nest, schedules[number], machine);
      if (!rows.empty())
        choose(nest, rows, schedules[number], variant[number]);
      ++number;
    }
}

/// Gives each dimension over rows that `variant` counts the extent of `count` rows.
void countRows(TaskProgram &program, const RowsVariant &variant, int64_t count) {
  for (NestGroup &group : program.groups)
    for (LoopNest &nest : group.nests)
      for (auto [number, dimension] : llvm::enumerate(nest.dims)) {
        std::optional<Rows> rows = dimension.extent.isKnown() ? std::nullopt : divideRows(number, dimension.extent);
        if (rows && llvm::is_contained(variant.sizes, rows->count.getExpression()))
          dimension.extent = rows->points * count;
      }
}

/// Makes `variant` copy caches tile by tile with the products that read them.
void fuseCopiesOf(const TaskProgram &program, RowsVariant &variant, const Machine &machine) {
  // Steps name nests as they are before all replacements.
  if (!variant.replacements.empty())
    return;
  // Constants would need one layout for both programs.
  if (llvm::any_of(program.buffers, [](const Buffer &buffer) { return buffer.packable; }))
    return;
  TaskProgram counted = program;
  countRows(counted, variant, variant.most);
  std::vector<FuseStep> steps = chooseCopyTiles(counted, machine);
  if (steps.empty())
    return;
  variant.replacements.assign(steps.begin(), steps.end());
  counted = program;
  llvm::cantFail(replaceNests(variant.replacements, counted));
  countRows(counted, variant, std::min(variant.most, rowsOfBlock));
  variant.schedules = defaultSchedules(counted, machine);
}

/// Returns the variant for a single row.
std::optional<RowsVariant> chooseSingleRow(const TaskProgram &program, ArrayRef<Replacement> replacements,
                                           std::vector<NestSchedule> &schedules, const Machine &machine) {
  llvm::SmallSetVector<DimExprAttr, 2> sizes;
  std::vector<NestSchedule> single = schedules;
  forEachWithRows(program, schedules, single, machine,
                  [&](const LoopNest &nest, ArrayRef<Rows> rows, NestSchedule &all, NestSchedule &one) {
                    NestSchedule found = scheduleRows(program, nest, rows, 1, machine);
                    int64_t *block = blockOf(all);
                    bool isOne = readsOneStream(machine) || !block;
                    int64_t blocks = isOne ? 1 : std::max<int64_t>(1, mostVectors * found.lanes / *block);
                    if (!shareLayout(program, nest, all, found, blocks))
                      return;
                    one = std::move(found);
                    for (const Rows &each : rows)
                      sizes.insert(each.count.getExpression());
                  });
  if (sizes.empty())
    return std::nullopt;
  RowsVariant variant{llvm::to_vector<1>(sizes), 1, 1, std::move(single), replacements};
  fuseCopiesOf(program, variant, machine);
  return variant;
}

/// Returns the greatest number of rows for which `few` becomes a schedule, in place of `all`, or 0: those that read in
/// place what is copied for many, or that are one block, beside which nothing hides how long constants come from
/// memory.
int64_t scheduleFewRows(const TaskProgram &program, const LoopNest &nest, const Rows &row, const Machine &machine,
                        NestSchedule &all, NestSchedule &few) {
  if (int64_t most = mostInPlace(program, nest, row, machine); most > 1) {
    few = scheduleFew(program, nest, row, rowsOfBlock, machine);
    return most;
  }
  auto block = llvm::find_if(llvm::reverse(all.loops), [&](const Loop &loop) { return loop.dim == row.dim; });
  if (block == all.loops.rend() || block->size <= row.points || all.prefetchedBuffers.empty())
    return 0;
  // Two blocks of half as many rows have as many sums, and a register for each of their vectors.
  int64_t most = block->size / row.points, blocks = most > mostHeads ? 2 : 1;
  if (blocks > 1)
    most = std::min(most / 2 - 1, mostHeads);
  NestSchedule found = scheduleFew(program, nest, row, most, machine);
  if (!shareLayout(program, nest, all, found, blocks))
    return 0;
  few = std::move(found);
  return most;
}

/// Returns the variant for a few rows. All its nests have the rows of one size.
std::optional<RowsVariant> chooseFewRows(const TaskProgram &program, ArrayRef<Replacement> replacements,
                                         std::vector<NestSchedule> &schedules, const Machine &machine) {
  RowsVariant few{{}, 2, mostHeads, schedules, replacements};
  bool isOneSize = true;
  forEachWithRows(program, schedules, few.schedules, machine,
                  [&](const LoopNest &nest, ArrayRef<Rows> rows, NestSchedule &all, NestSchedule &own) {
                    if (readsInPlace(nest, all) || rows.size() != 1)
                      return;
                    int64_t most = scheduleFewRows(program, nest, rows.front(), machine, all, own);
                    if (most < few.least)
                      return;
                    DimExprAttr size = rows.front().count.getExpression();
                    isOneSize &= few.sizes.empty() || few.sizes.front() == size;
                    few.sizes = {size};
                    few.most = std::min(few.most, most);
                  });
  if (few.sizes.empty() || !isOneSize)
    return std::nullopt;
  // Tiles of copied rows stay in the cache for more rows than are worth reading them from memory again.
  for (int64_t most = mostHeads; most >= few.most; --most) {
    RowsVariant joined{few.sizes, few.least, most, few.schedules, replacements};
    fuseCopiesOf(program, joined, machine);
    if (joined.replacements.size() > replacements.size())
      return joined;
  }
  return few;
}

} // namespace

SmallVector<RowsVariant, 2> chooseVariants(const TaskProgram &program, ArrayRef<Replacement> replacements,
                                           std::vector<NestSchedule> &schedules, const Machine &machine) {
  SmallVector<RowsVariant, 2> variants;
  if (std::optional<RowsVariant> single = chooseSingleRow(program, replacements, schedules, machine)) {
    variants.push_back(std::move(*single));
    // Ranges are apart by a size that both state.
    std::optional<RowsVariant> few = chooseFewRows(program, replacements, schedules, machine);
    if (few && llvm::is_contained(variants.front().sizes, few->sizes.front()))
      variants.push_back(std::move(*few));
  }
  return variants;
}

} // namespace cameo::schedule

// The tiles become one more dimension, after the rows if there are any. Buffers between the nests are addressed
// relative to the first element of the tile, so that the result is an ordinary group of rows.
#include "passes/Schedule/Nests/Rewrite/FuseNests.h"

#include "passes/Schedule/Nests/Rewrite/FuseCopies.h"
#include "passes/Schedule/Nests/Rewrite/OverlappedTiling.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mlir;

namespace cameo::schedule {

/// Returns the part of `original` that the tiles of `run` need, with the tiles as a dimension before the divided one.
static LoopNest takeTiles(const LoopNest &original, const Advance &points, const TileRun &run,
                          const OverlappedTiling &tiling) {
  LoopNest nest = original;
  unsigned dim = tiling.dim;
  nest.dims[dim].extent = points.count;
  nest.dims.insert(nest.dims.begin() + dim, {run.tiles, false});
  forEachForm(nest, [&](LinearForm &form) {
    int64_t stride = form.coefficients[dim];
    form.constant += stride * points.begin;
    form.coefficients.insert(form.coefficients.begin() + dim, stride * points.step);
  });
  forEachAccess(nest, [&](unsigned buffer, LinearForm &address, bool) {
    for (auto [passed, elements] : llvm::zip_equal(tiling.buffers, run.buffers))
      if (passed == buffer) {
        address.coefficients[dim] = 0;
        address.constant += -elements.begin;
      }
  });
  collapseDimensions(nest, /*keep=*/dim + 1);
  return nest;
}

/// Returns `original` with `tiles` tiles of `count` rows, from row `begin` on: the rows of a tile become a dimension
/// after that of the tiles. In row buffers the elements of neighbouring rows interleave: `apart` is the stride within a
/// row, the number of rows of a full tile.
static LoopNest takeRows(const LoopNest &original, const TaskProgram &program, unsigned dim, const Size &begin,
                         const Size &tiles, const Size &count, int64_t apart) {
  LoopNest nest = original;
  nest.dims[dim].extent = tiles;
  nest.dims.insert(nest.dims.begin() + dim + 1, {count, false});
  forEachForm(nest, [&](LinearForm &form) {
    Size row = form.coefficients[dim];
    form.constant += row * begin;
    form.coefficients[dim] = row * Size(apart);
    form.coefficients.insert(form.coefficients.begin() + dim + 1, row);
  });
  forEachAccess(nest, [&](unsigned buffer, LinearForm &address, bool) {
    if (!program.buffers[buffer].perRow)
      return;
    for (Size &coefficient : address.coefficients)
      coefficient *= Size(apart);
    address.constant *= Size(apart);
    address.coefficients[dim + 1] = 1;
  });
  for (Node &node : nest.nodes)
    if (node.kind == Node::Kind::Gather && program.buffers[node.buffer].perRow)
      for (Size &stride : node.strides)
        stride *= Size(apart);
  for (Output &output : nest.outputs)
    if (program.buffers[output.buffer].perRow)
      output.stride *= apart;
  collapseDimensions(nest, /*keep=*/dim + 1);
  return nest;
}

/// Returns the position of the group of rows whose nests are exactly those of `step`, so that the step takes several of
/// its rows at a time.
static std::optional<size_t> findRows(const TaskProgram &program, const FuseStep &step) {
  unsigned number = 0;
  for (auto [position, group] : llvm::enumerate(program.groups)) {
    unsigned first = number;
    number += group.nests.size();
    if (first == step.nest && number == step.last + 1 && group.rowDims > 0 && !group.sharesMatrix &&
        group.orderedDims == 0 && !group.continues)
      return position;
  }
  return std::nullopt;
}

static llvm::Error fuseRows(TaskProgram &program, size_t position, int64_t size) {
  const NestGroup whole = program.groups[position];
  unsigned dim = whole.rowDims - 1;
  const Size &extent = whole.nests.front().dims[dim].extent;
  if (extent.isKnown() && int64_t(extent) < size)
    return llvm::createStringError(
        llvm::formatv("expected a tile of no more than {0} rows, got {1}", int64_t(extent), size));
  std::vector<NestGroup> groups;
  auto add = [&](const Size &begin, const Size &tiles, const Size &count) {
    NestGroup &group = groups.emplace_back();
    group.rowDims = whole.rowDims;
    group.continues = groups.size() > 1;
    for (const LoopNest &nest : whole.nests)
      group.nests.push_back(takeRows(nest, program, dim, begin, tiles, count, size));
  };
  Size tiles = extent.isKnown() ? Size(int64_t(extent) / size) : countPieces(extent - (size - 1), size);
  Size begin = tiles * Size(size), rest = extent - begin;
  add(0, tiles, size);
  if (!(rest == 0))
    add(begin, 1, rest);
  std::vector<bool> isKept(program.buffers.size());
  for (const LoopNest &nest : whole.nests)
    forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
      isKept[buffer] = isKept[buffer] || program.buffers[buffer].perRow;
    });
  for (auto [number, buffer] : llvm::enumerate(program.buffers))
    if (isKept[number])
      buffer.becomeRow(buffer.elements * Size(size));
  auto at = program.groups.erase(program.groups.begin() + position);
  program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  return llvm::Error::success();
}

/// Returns the position of the group of rows that share a matrix and have dynamic sizes whose nests are exactly those
/// of `step`.
static std::optional<size_t> findMatrixRows(const TaskProgram &program, const FuseStep &step) {
  unsigned number = 0;
  for (auto [position, group] : llvm::enumerate(program.groups)) {
    unsigned first = number;
    number += group.nests.size();
    if (first == step.nest && number == step.last + 1 && group.sharesMatrix &&
        !llvm::all_of(group.nests, [](const LoopNest &nest) { return nest.hasKnownSizes(); }))
      return position;
  }
  return std::nullopt;
}

/// Returns the row buffers that `group` accesses.
static std::set<unsigned> rowBuffersOf(const TaskProgram &program, const NestGroup &group) {
  std::set<unsigned> buffers;
  for (const LoopNest &nest : group.nests)
    forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
      if (program.buffers[buffer].perRow)
        buffers.insert(buffer);
    });
  return buffers;
}

/// Returns `original` with `tiles` tiles of `count` points of dimension `dim`, from point `begin` on. Row buffers hold
/// one tile.
static LoopNest takePoints(const LoopNest &original, const std::set<unsigned> &buffers, unsigned dim, const Size &begin,
                           const Size &tiles, const Size &count) {
  LoopNest nest = original;
  nest.dims[dim].extent = count;
  nest.dims.insert(nest.dims.begin() + dim, {tiles, false});
  forEachForm(nest, [&](LinearForm &form) {
    Size stride = form.coefficients[dim];
    form.constant += stride * begin;
    form.coefficients.insert(form.coefficients.begin() + dim, stride * count);
  });
  forEachAccess(nest, [&](unsigned buffer, LinearForm &address, bool) {
    if (!buffers.contains(buffer))
      return;
    address.constant += Size(-1) * address.coefficients[dim + 1] * begin;
    address.coefficients[dim] = 0;
  });
  collapseDimensions(nest, /*keep=*/dim + 1);
  return nest;
}

/// Divides a group of rows that share a matrix where sizes are dynamic: into tiles of `size` points of the dimension
/// after the rows, whose number is not known, and one tile of what is left, which may be nothing. Each point has a part
/// of its own in all row buffers, or the group would not be one (FormRowGroup).
static void fuseMatrixRows(TaskProgram &program, size_t position, int64_t size) {
  const NestGroup whole = program.groups[position];
  unsigned dim = whole.rowDims;
  std::set<unsigned> buffers = rowBuffersOf(program, whole);
  Size extent = whole.nests.front().dims[dim].extent, tiles = countPieces(extent - (size - 1), size);
  Size begin = tiles * size, rest = extent - begin;
  std::vector<NestGroup> groups;
  auto add = [&](const Size &begin, const Size &tiles, const Size &count) {
    NestGroup &group = groups.emplace_back();
    group.rowDims = dim + 1;
    group.continues = groups.size() > 1;
    for (const LoopNest &nest : whole.nests)
      group.nests.push_back(takePoints(nest, buffers, dim, begin, tiles, count));
  };
  add(0, tiles, size);
  if (!(rest == 0))
    add(begin, 1, rest);
  for (unsigned number : buffers) {
    Size part = divideExactly(program.buffers[number].elements, extent);
    assert(!part.isUnknown() && "points have no parts of their own");
    program.buffers[number].becomeRow(part * size);
  }
  auto at = program.groups.erase(program.groups.begin() + position);
  program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
}

llvm::Error fuseNests(TaskProgram &program, const FuseStep &step) {
  if (std::optional<size_t> rows = findRows(program, step))
    return fuseRows(program, *rows, step.size);
  if (std::optional<size_t> rows = findMatrixRows(program, step)) {
    fuseMatrixRows(program, *rows, step.size);
    return llvm::Error::success();
  }
  if (std::optional<CopiedRows> copied = findCopiedRows(program, step.nest, step.last))
    return fuseCopies(program, *copied, step.size);
  llvm::Expected<OverlappedTiling> tiling = tileNests(program, step.nest, step.last, step.size);
  if (!tiling)
    return tiling.takeError();
  std::vector<NestGroup> groups;
  for (const TileRun &run : tiling->runs) {
    NestGroup &group = groups.emplace_back();
    group.rowDims = tiling->dim + 1;
    group.continues = groups.size() > 1;
    for (auto [nest, points] : llvm::zip_equal(tiling->nests, run.nests))
      if (points.count > 0)
        group.nests.push_back(takeTiles(*nest, points, run, *tiling));
  }
  for (auto [position, number] : llvm::enumerate(tiling->buffers)) {
    int64_t elements = 0;
    for (const TileRun &run : tiling->runs)
      elements = std::max<int64_t>(elements, run.buffers[position].count);
    program.buffers[number].becomeRow(elements);
  }
  auto begin = program.groups.begin();
  auto at = program.groups.erase(begin + tiling->firstGroup, begin + tiling->lastGroup + 1);
  program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  return llvm::Error::success();
}

} // namespace cameo::schedule

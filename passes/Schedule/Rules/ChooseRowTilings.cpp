#include "passes/Schedule/Rules/ChooseRowTilings.h"

#include "passes/Schedule/Rules/NestCost.h"

namespace cameo::schedule {
namespace {

/// The fewest tiles with which a few threads finish together.
constexpr int64_t fewestRowTiles = 8;
/// The vectors of rows in a tile: few enough for the first-level cache, and enough to amortise the outer loops.
constexpr int64_t vectorsOfRows = 8;

/// Whether all sizes but the number of rows are known.
bool hasKnownRows(const NestGroup &group) {
  return llvm::all_of(group.nests, [&](const LoopNest &nest) {
    return llvm::all_of(llvm::ArrayRef(nest.dims).drop_front(group.rowDims),
                        [](const Dimension &dim) { return dim.extent.isKnown(); });
  });
}

/// Whether rows of `group` lie side by side and elements of a row apart, wherever nests read or write what other groups
/// do.
bool hasRowsSideBySide(const TaskProgram &program, const NestGroup &group) {
  unsigned row = group.rowDims - 1;
  bool isBeside = true, isAny = false;
  for (const LoopNest &nest : group.nests)
    forEachAccess(nest, [&](unsigned buffer, const LinearForm &address, bool) {
      if (program.buffers[buffer].perRow || !address.dependsOn(row))
        return;
      isAny = true;
      isBeside &= address.coefficients[row] == 1;
    });
  return isAny && isBeside;
}

} // namespace

std::vector<FuseStep> chooseShortRows(const TaskProgram &program, const Machine &machine) {
  std::vector<FuseStep> steps;
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    unsigned first = number, last = number += group.nests.size();
    if (group.rowDims == 0 || group.sharesMatrix || group.orderedDims > 0 || group.nests.size() < 2 ||
        !hasKnownRows(group))
      continue;
    const Size &extent = group.nests.front().dims[group.rowDims - 1].extent;
    int64_t longest = 1, lanes = machine.vectorBytes / 4;
    int64_t rows = extent.isKnown() ? int64_t(extent) : fewestRowTiles * vectorsOfRows * lanes;
    bool hasLongFunctions = false;
    for (const LoopNest &nest : group.nests) {
      hasLongFunctions |= llvm::any_of(nest.nodes, isLongFunction);
      int64_t points = 1;
      for (const Dimension &dim : llvm::ArrayRef(nest.dims).drop_front(group.rowDims))
        points *= dim.extent;
      longest = std::max(longest, points);
    }
    int64_t size =
        std::min<int64_t>(vectorsOfRows * lanes, llvm::alignTo(llvm::divideCeil(rows, fewestRowTiles), lanes));
    if (2 * longest <= lanes && (longest < 8 || hasLongFunctions) && fewestRowTiles * lanes <= rows)
      steps.push_back({first, last - 1, size});
  }
  return steps;
}

std::vector<FuseStep> chooseRowsSideBySide(const TaskProgram &program, const Machine &machine,
                                           llvm::ArrayRef<FuseStep> shortRows) {
  std::vector<FuseStep> steps;
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    unsigned first = number, last = number += group.nests.size();
    if (group.rowDims > 0 && !group.sharesMatrix && group.orderedDims == 0 && !group.continues &&
        llvm::none_of(shortRows, [&](const FuseStep &step) { return step.nest == first; }) &&
        !group.nests.front().dims[group.rowDims - 1].extent.isKnown() && hasRowsSideBySide(program, group))
      steps.push_back({first, last - 1, vectorsOfRows * machine.vectorBytes / 4});
  }
  return steps;
}

} // namespace cameo::schedule

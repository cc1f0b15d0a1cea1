// Arranges the stages in groups: stage by stage, block by block, or with the filter in parts.
#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"

#include "passes/Schedule/Nests/Rewrite/WinogradStages.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Whether `tiles` are all tiles of a side.
bool isWhole(int64_t tiles, const TiledSide &side, int64_t outputs) {
  return tiles >= (side.extent.isKnown() ? int64_t(side.tiles(outputs)) : unboundedTiles);
}

/// Whether one block of tiles covers the whole plane.
bool isWhole(const WinogradStep &step, const TiledPlane &plane) {
  return isWhole(step.rows, plane.rows, plane.outputs) && isWhole(step.columns, plane.columns, plane.outputs);
}

/// Returns `nest` without the first `count` points of `dim`.
LoopNest skipPoints(LoopNest nest, unsigned dim, const Size &count) {
  forEachForm(nest, [&](LinearForm &form) { form.constant += form.coefficients[dim] * count; });
  nest.dims[dim].extent = nest.dims[dim].extent - count;
  return nest;
}

/// Returns the convolution of what tiles do not cover of `plane`: the last columns of the rows that they cover, and the
/// last rows.
std::vector<LoopNest> uncoveredParts(const LoopNest &nest, const ConvolutionNest &roles, const TiledPlane &plane) {
  std::vector<LoopNest> parts;
  Size rows = plane.rows.covered(plane.outputs), columns = plane.columns.covered(plane.outputs);
  if (columns != plane.columns.extent) {
    parts.push_back(skipPoints(nest, roles.columns, columns));
    parts.back().dims[roles.rows].extent = rows;
    parts.back().name += ".columns";
  }
  if (rows != plane.rows.extent) {
    parts.push_back(skipPoints(nest, roles.rows, rows));
    parts.back().name += ".rows";
  }
  return parts;
}

/// Lets `part` read the filter as tiles do, which store a filter of 16 bits as f32: without a conversion.
void readStoredFilter(LoopNest &part, const ConvolutionNest &roles) {
  if (roles.filter == roles.filterFactor)
    return;
  part.nodes[roles.filter].type = part.nodes[roles.filterFactor].type;
  replaceNode(part, roles.filterFactor, roles.filter);
}

/// Returns a group whose rows are parts of the filter. Threads share the parts of the outputs; the parts of the inputs
/// run in order and accumulate.
NestGroup multiplyInParts(const WinogradStages &stages, const TileSpace &space) {
  NestGroup group;
  group.rowDims = 2;
  group.orderedDims = 1;
  group.nests = {stages.transformFilter(), stages.multiplyPart(space)};
  return group;
}

/// Returns groups in which each stage runs for all tiles before the next stage.
std::vector<NestGroup> stageByStage(WinogradStages stages, ArrayRef<TileSpace> spaces, bool isFilterInParts) {
  stages.addBuffers(spaces.front().blockTiles, /*perRow=*/false);
  std::vector<NestGroup> groups;
  auto add = [&](LoopNest stage) { groups.emplace_back().nests.push_back(std::move(stage)); };
  for (const TileSpace &space : spaces)
    add(stages.transformInput(space));
  if (isFilterInParts) {
    stages.addFilterBuffer();
    groups.push_back(multiplyInParts(stages, spaces.front()));
  } else {
    add(stages.multiply(spaces.front()));
  }
  for (const TileSpace &space : spaces)
    add(stages.transformOutput(space));
  return groups;
}

/// Returns groups in which each block goes through all stages before the next block. Blocks at the edges of a plane of
/// known extents, which have fewer tiles, form groups of their own in the same parallel range. Groups with dynamic
/// numbers of rows share no buffers, which may have memory for all rows of a group.
std::vector<NestGroup> blockByBlock(WinogradStages stages, ArrayRef<TileSpace> spaces, const TiledPlane &plane,
                                    const WinogradStep &step) {
  int64_t most = 0;
  for (const TileSpace &space : spaces)
    most = std::max<int64_t>(most, space.blockTiles);
  if (plane.isCovered())
    stages.addBuffers(most, /*perRow=*/true);
  std::vector<NestGroup> groups;
  for (const TileSpace &space : spaces) {
    if (!plane.isCovered())
      stages.addBuffers(step.rows * step.columns, /*perRow=*/true);
    NestGroup &group = groups.emplace_back();
    group.rowDims = space.blockDims;
    group.continues = groups.size() > 1 && plane.isCovered();
    group.nests = {stages.transformInput(space), stages.multiply(space), stages.transformOutput(space)};
  }
  return groups;
}

/// Fails if the filter of `nest` cannot be divided into the parts of `step`.
llvm::Error checkParts(const WinogradStep &step, const LoopNest &nest, const ConvolutionNest &roles) {
  if (step.channels == 0 && step.depth == 0)
    return llvm::Error::success();
  if (!isWhole(step, tilesOf(nest, roles, step.outputs)))
    return llvm::createStringError("expected the whole plane at once if the filter is transformed at run time");
  int64_t outputs = nest.dims[roles.channels].extent, inputs = nest.dims[roles.depth].extent;
  if (step.channels > 0 && step.depth > 0 && outputs % step.channels == 0 && inputs % step.depth == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("expected blocks of the filter that divide its {0} outputs and {1} inputs, got {2} and {3}",
                    outputs, inputs, step.channels, step.depth));
}

} // namespace

std::string tilesText(const WinogradStep &step) {
  auto text = [](int64_t tiles) { return tiles < unboundedTiles ? std::to_string(tiles) : "all"; };
  std::string rows = text(step.rows), columns = text(step.columns);
  return (rows == "all" && columns == rows ? rows : rows + "x" + columns) + " tiles";
}

TiledPlane tilesOf(const LoopNest &nest, const ConvolutionNest &roles, int64_t outputs) {
  TiledPlane plane{{},
                   {nest.dims[roles.rows].extent, roles.rowDilation},
                   {nest.dims[roles.columns].extent, roles.columnDilation},
                   outputs};
  for (unsigned dim : roles.batch)
    plane.images.push_back(nest.dims[dim].extent);
  return plane;
}

llvm::Error rewriteWinograd(TaskProgram &program, const WinogradStep &step) {
  unsigned number = 0;
  for (unsigned position = 0; position < program.groups.size(); ++position) {
    unsigned nests = program.groups[position].nests.size();
    if (step.nest >= number + nests) {
      number += nests;
      continue;
    }
    if (program.groups[position].rowDims > 0 || nests > 1)
      return llvm::createStringError("expected a nest that is alone in its group, got one of several");
    if (!winogradTransform(step.outputs))
      return llvm::createStringError("expected tiles of 2 or 4 outputs, got %d", static_cast<int>(step.outputs));
    const LoopNest &nest = program.groups[position].nests.front();
    llvm::Expected<ConvolutionNest> roles = matchConvolution(program, nest);
    if (!roles)
      return roles.takeError();
    if (!tilesOf(nest, *roles, step.outputs).fits())
      return llvm::createStringError("expected a plane of at least one tile");
    if (llvm::Error error = checkParts(step, nest, *roles))
      return error;
    WinogradStages stages(program, nest, *roles, step);
    TiledPlane plane = tilesOf(nest, *roles, step.outputs);
    std::vector<NestGroup> groups =
        isWhole(step, plane) ? stageByStage(stages, wholeSpaces(plane), step.channels > 0)
                             : blockByBlock(stages, blockSpaces(plane, step.rows, step.columns), plane, step);
    for (LoopNest &part : uncoveredParts(nest, *roles, plane)) {
      if (step.channels == 0)
        readStoredFilter(part, *roles);
      groups.emplace_back().nests.push_back(std::move(part));
    }
    auto at = program.groups.erase(program.groups.begin() + position);
    program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
    return llvm::Error::success();
  }
  return llvm::createStringError("expected a nest below %u, got %u", number, step.nest);
}

} // namespace cameo::schedule

#include "autotune/Space/WinogradVariants.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {

/// Outputs per part of a filter that is transformed at run time; the inputs per part follow from divisors and the stack
/// size.
static constexpr int64_t partChannels[] = {16, 32, 64};

/// Adds blocks of 1, 2, 4, ... whole rows of tiles of a phase, parts of one row, and the whole plane, as far as the
/// stack holds them. Adds the whole plane also with filters in parts.
static void addVariants(const LoopNest &nest, const ConvolutionNest &roles, unsigned number, const TiledPlane &plane,
                        std::vector<std::vector<WinogradStep>> &variants) {
  int64_t outputs = plane.outputs, rows = plane.rows.phaseTiles(outputs), columns = plane.columns.phaseTiles(outputs);
  int64_t tileBytes =
      4 * (outputs + 2) * (outputs + 2) * (nest.dims[roles.depth].extent + nest.dims[roles.channels].extent);
  auto add = [&](int64_t blockRows, int64_t blockColumns) {
    variants.push_back({{number, outputs, blockRows, blockColumns}});
  };
  add(plane.tileRows(), plane.tileColumns());
  int64_t outputChannels = nest.dims[roles.channels].extent, inputChannels = nest.dims[roles.depth].extent;
  for (int64_t channels : partChannels) {
    if (outputChannels % channels != 0)
      continue;
    int64_t depth = std::min(inputChannels, maxRowBytes / (4 * (outputs + 2) * (outputs + 2) * channels) / 4 * 3);
    while (inputChannels % depth != 0)
      --depth;
    variants.push_back({{number, outputs, plane.tileRows(), plane.tileColumns(), channels, depth}});
  }
  for (int64_t part = 1; part < rows; part *= 2)
    if (part * columns * tileBytes <= maxRowBytes)
      add(part, columns);
  for (int64_t pieces = 2; pieces <= columns; pieces *= 2)
    if (int64_t part = llvm::divideCeil(columns, pieces); part * tileBytes <= maxRowBytes)
      add(1, part);
}

std::vector<std::vector<WinogradStep>> winogradVariants(const TaskProgram &program) {
  std::vector<std::vector<WinogradStep>> variants(1);
  unsigned number = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      unsigned nestNumber = number++;
      if (group.rowDims > 0 || group.nests.size() > 1)
        continue;
      llvm::Expected<ConvolutionNest> roles = matchConvolution(program, nest);
      if (!roles) {
        llvm::consumeError(roles.takeError());
        continue;
      }
      for (int64_t outputs : {2, 4})
        if (TiledPlane plane = tilesOf(nest, *roles, outputs); plane.fits())
          addVariants(nest, *roles, nestNumber, plane, variants);
    }
  return variants;
}

} // namespace cameo::autotune

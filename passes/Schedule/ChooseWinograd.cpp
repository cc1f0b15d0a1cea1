// The arithmetic that is saved against the transformations and the larger filter.
#include "passes/Schedule/ChooseWinograd.h"

#include "passes/Schedule/ConvolutionNest.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The largest block whose data fit on the stack: whole rows of tiles, or a part of one.
void chooseBlock(WinogradStep &step, int64_t tileRows, int64_t tileColumns, int64_t channels) {
  int64_t tileBytes = (step.outputs + 2) * (step.outputs + 2) * channels * 4;
  int64_t tiles = std::max<int64_t>(1, maxRowBytes / tileBytes);
  step.columns = std::min(tileColumns, tiles);
  step.rows = std::max<int64_t>(1, tiles / tileColumns);
}

std::optional<WinogradStep> chooseFor(const LoopNest &nest, const ConvolutionNest &roles, llvm::StringRef mode,
                                      const Machine &machine) {
  int64_t rows = nest.dims[roles.rows].extent, columns = nest.dims[roles.columns].extent;
  int64_t depth = nest.dims[roles.depth].extent, channels = nest.dims[roles.channels].extent;
  WinogradStep step{0, mode == "f2" ? 2 : 4, 0, 0};
  if (std::min(rows, columns) < step.outputs)
    return std::nullopt;
  int64_t tileRows = llvm::divideCeil(rows, step.outputs), tileColumns = llvm::divideCeil(columns, step.outputs);
  step.rows = tileRows;
  step.columns = tileColumns;
  int64_t filterBytes = (step.outputs + 2) * (step.outputs + 2) * depth * channels * 4;
  if (filterBytes <= machine.l2Bytes / 2)
    chooseBlock(step, tileRows, tileColumns, depth + channels);
  return step;
}

} // namespace

std::vector<WinogradStep> chooseWinograd(const TaskProgram &program, llvm::StringRef mode, const Machine &machine) {
  std::vector<WinogradStep> steps;
  if (mode == "off")
    return steps;
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    for (const LoopNest &nest : group.nests) {
      unsigned nestNumber = number++;
      if (group.rowDims > 0 || group.nests.size() > 1)
        continue;
      llvm::Expected<ConvolutionNest> roles = matchConvolution(program, nest);
      if (!roles) {
        llvm::consumeError(roles.takeError());
        continue;
      }
      if (std::optional<WinogradStep> step = chooseFor(nest, *roles, mode, machine)) {
        step->nest = nestNumber;
        steps.push_back(*step);
      }
    }
  }
  return steps;
}

} // namespace cameo::schedule

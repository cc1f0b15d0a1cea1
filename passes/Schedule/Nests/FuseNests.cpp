// A band is one more dimension, behind the rows if there are any: what passes between the nests is addressed from the band's first element on, and the group is
// like any other that runs row by row.
#include "passes/Schedule/Nests/FuseNests.h"

#include "passes/Schedule/Nests/BandedNests.h"

using namespace mlir;

namespace cameo::schedule {

/// The part of `original` that the bands of `run` need, with the bands as a dimension before the divided one.
static LoopNest takeBands(const LoopNest &original, const Advance &points, const BandRun &run, const BandedNests &banded) {
  LoopNest nest = original;
  unsigned dim = banded.dim;
  nest.dims[dim].extent = points.count;
  nest.dims.insert(nest.dims.begin() + dim, {run.bands, false});
  forEachForm(nest, [&](LinearForm &form) {
    int64_t stride = form.coefficients[dim];
    form.constant += stride * points.begin;
    form.coefficients.insert(form.coefficients.begin() + dim, stride * points.step);
  });
  forEachAccess(nest, [&](unsigned buffer, LinearForm &address, bool) {
    for (auto [passed, elements] : llvm::zip_equal(banded.buffers, run.buffers))
      if (passed == buffer) {
        address.coefficients[dim] = 0;
        address.constant += -elements.begin;
      }
  });
  collapseDimensions(nest, /*keep=*/dim + 1);
  return nest;
}

llvm::Error fuseNests(TaskProgram &program, const FuseStep &step) {
  llvm::Expected<BandedNests> banded = divideIntoBands(program, step.nest, step.last, step.size);
  if (!banded)
    return banded.takeError();
  std::vector<NestGroup> groups;
  for (const BandRun &run : banded->runs) {
    NestGroup &group = groups.emplace_back();
    group.rowDims = banded->dim + 1;
    group.continues = groups.size() > 1;
    for (auto [nest, points] : llvm::zip_equal(banded->nests, run.nests))
      if (points.count > 0)
        group.nests.push_back(takeBands(*nest, points, run, *banded));
  }
  for (auto [position, number] : llvm::enumerate(banded->buffers)) {
    int64_t elements = 0;
    for (const BandRun &run : banded->runs)
      elements = std::max<int64_t>(elements, run.buffers[position].count);
    program.buffers[number].becomeRow(elements);
  }
  auto begin = program.groups.begin();
  auto at = program.groups.erase(begin + banded->firstGroup, begin + banded->lastGroup + 1);
  program.groups.insert(at, std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
  return llvm::Error::success();
}

} // namespace cameo::schedule

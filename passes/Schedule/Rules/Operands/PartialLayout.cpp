#include "passes/Schedule/Rules/Operands/PartialLayout.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

int64_t layOutPartials(const LoopNest &nest, const NestSchedule &schedule, ArrayRef<int64_t> points, LinearForm *form) {
  int64_t elements = 1;
  auto add = [&](unsigned dim, int64_t count) {
    if (form)
      form->coefficients[dim] = elements;
    elements *= count;
  };
  if (schedule.vectorDim)
    add(*schedule.vectorDim, llvm::alignTo(points[*schedule.vectorDim], schedule.lanes));
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && schedule.vectorDim != dim)
      add(dim, points[dim]);
  return elements;
}

int64_t partialBytes(const LoopNest &nest, const NestSchedule &schedule, ArrayRef<int64_t> points) {
  int64_t bytes = 0;
  for (const Reduction &reduction : nest.reductions)
    bytes = std::max(bytes, bytesOf(nest.nodes[reduction.update].type));
  return bytes * layOutPartials(nest, schedule, points);
}

} // namespace cameo::schedule

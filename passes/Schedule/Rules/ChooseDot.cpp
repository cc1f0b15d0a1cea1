// Chooses the reduction along which groups of bytes are multiplied: one factor is contiguous along it, and the other
// one is packed.
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// Shorter reductions would leave most of a group empty.
constexpr int64_t minDotExtent = 3;
/// An operand that is copied in every run must be read at least this often.
constexpr int64_t minUses = 8;

/// Returns how often each element of `load` is read.
static int64_t usesOf(const LoopNest &nest, const Node &load) {
  int64_t uses = 1;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (!dimension.reduction && !((load.dependsOn >> dim) & 1))
      uses *= dimension.extent;
  return uses;
}

void chooseDot(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
               NestSchedule &schedule) {
  std::optional<ByteDot> dot = matchByteDot(nest, schedule);
  if (!dot || !canMultiply(machine, *dot, schedule.lanes))
    return;
  const Node &varying = nest.nodes[dot->varying()];
  bool canCopy = rowDims == 0 && usesOf(nest, varying) >= minUses;
  if ((!program.buffers[varying.buffer].packable && !canCopy) || !hasKnownRange(nest, varying))
    return;
  int64_t longest = minDotExtent - 1;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (hasGroupsAlong(nest, *dot, dim) && dimension.extent.isKnown() && dimension.extent > longest) {
      longest = dimension.extent;
      schedule.dotDim = dim;
    }
  if (schedule.dotDim && !llvm::is_contained(schedule.packedBuffers, varying.buffer))
    schedule.packedBuffers.push_back(varying.buffer);
}

} // namespace cameo::schedule

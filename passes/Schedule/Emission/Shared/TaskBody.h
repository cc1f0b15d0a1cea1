// What a task is once its kernels are made: a signature of buffers, memory of its own, and the launches.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_TASKBODY_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_TASKBODY_H

#include "passes/Schedule/Emission/Shared/BufferForm.h"
#include "passes/Schedule/Nests/LoopNest.h"

#include <map>

namespace cameo::schedule {

/// How a task takes its arguments, in order.
struct TaskSignature {
  struct Argument {
    task::PackingAttr packing;             ///< the layout in which a constant is read; null: as it is
    std::optional<unsigned> inplaceResult; ///< that may share the argument's memory
  };
  llvm::SmallVector<Argument> arguments;
};

/// A kernel, the buffers of the program that it takes, and over how much it is dispatched. `points` is 0 in runs in
/// which it has nothing to do.
struct Launch {
  std::string kernel;
  llvm::SmallVector<unsigned> buffers;
  Size extent;
  Size points = 1;
};

/// How far a loop over dimension `dim` of `nest` goes: nowhere where one of the loops around or inside of it has no
/// points. `rowDims` of the parallel dimensions are no loops.
Size loopExtent(const LoopNest &nest, unsigned dim, unsigned rowDims);

/// Brings `def` into buffer form with these launches, in order. What they use of the program's scratch buffers lies in
/// the arena, and of each buffer in `scratch` so many elements; those in `counters` are counters of blocks. What
/// kernels were made from is gone then.
void writeBody(task::DefOp def, const TaskProgram &program, const TaskSignature &signature,
               llvm::ArrayRef<Launch> launches, const std::map<unsigned, Size> &scratch,
               const llvm::SmallDenseSet<unsigned> &counters = {});

/// The buffers that the nests of `groups` read and write, in order of their first use.
llvm::SmallVector<unsigned> buffersOf(llvm::ArrayRef<NestGroup> groups);

} // namespace cameo::schedule

#endif

// The body of a task after its kernels are emitted: a signature of buffers, temporary memory, and launches.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_TASKBODY_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_SHARED_TASKBODY_H

#include "passes/Schedule/Emission/Shared/BufferForm.h"
#include "passes/Schedule/Nests/LoopNest.h"

#include <map>

namespace cameo::schedule {

/// The form of a task's arguments, in order.
struct TaskSignature {
  struct Argument {
    task::PackingAttr packing;             ///< the packed layout of a constant; null: unchanged
    std::optional<unsigned> inplaceResult; ///< the result that may share the argument's memory
  };
  llvm::SmallVector<Argument> arguments;
};

/// A kernel launch: the buffers of the program that it takes, and the extent of its dispatch. `points` is 0 in runs in
/// which it has nothing to do.
struct Launch {
  std::string kernel;
  llvm::SmallVector<unsigned> buffers;
  Size extent;
  Size points = 1;
};

/// Returns the extent of the loop over dimension `dim` of `nest`; 0 if a loop around or inside of it is empty. The
/// first `rowDims` dimensions are not loops.
Size loopExtent(const LoopNest &nest, unsigned dim, unsigned rowDims);

/// Converts `def` to buffer form with these launches, in order. The program's scratch buffers in use are allocated in
/// the arena, with the number of elements in `scratch` for the buffers there; those in `counters` are counters of
/// blocks. Erases the operations that kernels were built from.
void writeBody(task::DefOp def, const TaskProgram &program, const TaskSignature &signature,
               llvm::ArrayRef<Launch> launches, const std::map<unsigned, Size> &scratch,
               const llvm::SmallDenseSet<unsigned> &counters = {});

/// Returns the buffers that the nests of `groups` access, in order of their first use.
llvm::SmallVector<unsigned> buffersOf(llvm::ArrayRef<NestGroup> groups);

} // namespace cameo::schedule

#endif

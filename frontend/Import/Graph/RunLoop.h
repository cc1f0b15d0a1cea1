// Creates loops with dynamic trip counts, which stay loops in the compiled model.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo {

/// Limits of the operations to which one loop, with all loops in it, is unrolled. Beyond the first, compilation takes
/// seconds and the code is no faster than a loop. If the body cannot be a loop, the second holds, for which compilation
/// takes minutes.
constexpr unsigned kWorthUnrolling = 1u << 8, kMaxUnrolledNodes = 1u << 13;

/// Records the end of a block, so that a tentative import can be undone. The undone operations still count: nested
/// loops are tried again and again, which the limit of all operations ends.
class Trial {
public:
  explicit Trial(mlir::OpBuilder &builder)
      : block(*builder.getBlock()), module(*block.getParentOp()->getBlock()),
        last(block.empty() ? nullptr : &block.back()), lastFunction(&module.back()) {}

  void undo() {
    while (!block.empty() && &block.back() != last)
      block.back().erase();
    while (&module.back() != lastFunction)
      module.back().erase();
  }

private:
  mlir::Block &block, &module;
  mlir::Operation *last, *lastFunction;
};

/// What is known of a trip count while importing.
struct TripBound {
  cameo::Dim most; ///< upper bound; may be unknown
  bool isExact;    ///< whether it is the trip count
};
/// A bound that is not exact follows from how the trip count is computed, for example from a minimum, and users must
/// check it.
TripBound boundTripCount(mlir::Value tripCount);

struct RunLoop {
  mlir::Value tripCount; ///< a number; null if only a condition ends the loop
  mlir::Value condition; ///< a boolean before the first iteration; null if it is true
  llvm::SmallVector<mlir::Value> carried;
  cameo::Dim maxTripCount; ///< upper bound of the trip count; may be unknown
  bool isExact = false;    ///< whether it is exact, unless the body's condition ends the loop
};

struct RunLoopResults {
  mlir::Value count; ///< number of iterations; null if it is exactly the upper bound
  llvm::SmallVector<mlir::Value> last, stacked;
};

/// Imports the body at the insertion point of the builder, with the iteration number and the carried values. Returns
/// the condition for the next iteration, which may be null, the next carried values, and the slices to stack.
using BodyMaker = llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
    mlir::Value iteration, llvm::ArrayRef<mlir::Value> carried)>;

/// Creates a function of the body and a task.loop that calls it at the insertion point. Values from outside of the body
/// become arguments; constants, and sizes that inference knows, are created again. Stacked tensors have room for
/// `maxTripCount` slices. Fails after an error.
mlir::FailureOr<RunLoopResults> makeRunLoop(mlir::OpBuilder &builder, mlir::Location loc, const RunLoop &loop,
                                            BodyMaker makeBody);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H

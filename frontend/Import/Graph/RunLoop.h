// Loops of nodes: those whose rounds are known only at run time stay loops in the compiled model.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo {

/// Nodes that one loop may become, with all loops inside of it: more are compiled for seconds, and run no faster than a
/// loop. Where a body does not fit a loop, up to what is compiled for minutes.
constexpr unsigned kWorthUnrolling = 1u << 8, kMaxUnrolledNodes = 1u << 13;

/// What is imported at the end of a block, to be taken back. The nodes count still: loops in loops are tried again and
/// again, and the bound on all nodes ends that.
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

struct RunLoop {
  mlir::Value rounds;    ///< a number; null where only a condition ends the loop
  mlir::Value condition; ///< a boolean before the first round; null where it is true
  llvm::SmallVector<mlir::Value> carried;
  cameo::Dim most;      ///< rounds; unknown where nothing tells
  bool isExact = false; ///< whether there are as many, unless the body's condition ends the loop
};

struct RunLoopResults {
  mlir::Value count; ///< of rounds; null where there are surely as many as possible
  llvm::SmallVector<mlir::Value> last, stacked;
};

/// Makes the body at its place with the values of a round: what says that there is a next one, which may be null, the
/// values that it gets, and the slices that are kept.
using BodyMaker = llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
    mlir::Value round, llvm::ArrayRef<mlir::Value> carried)>;

/// Makes a function of the module of the body, and a task.loop over it where `builder` stands. Values from around the
/// body that it uses become arguments; constants, and sizes that inference knows, are there again. Stacked tensors have
/// room for `most` slices. Fails after an error.
mlir::FailureOr<RunLoopResults> makeRunLoop(mlir::OpBuilder &builder, mlir::Location loc, const RunLoop &loop,
                                            BodyMaker makeBody);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RUNLOOP_H

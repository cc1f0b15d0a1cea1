// Where the tensors of a task's body live: each one that is stored gets a strided view of a buffer, so that results,
// concatenations and paddings are written in place by whoever computes their parts.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_TENSORPLACEMENT_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_TENSORPLACEMENT_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Element address = offset + row * rowStride + sum of index[i] * strides[i], where row counts the iterations of the
/// loop around the tensor's producer.
struct View {
  unsigned buffer;
  Size offset = 0;
  llvm::SmallVector<Size, 6> strides;
  Size rowStride = 0;

  bool operator==(const View &other) const = default;
};

/// The row-major view of all of `buffer` with this shape.
View denseView(unsigned buffer, llvm::ArrayRef<Size> shape);

/// The region of a view that starts at `offsets` (in elements of the view).
View subview(const View &view, llvm::ArrayRef<Size> offsets);

/// An index as a linear form over one dimension, the iterations of the loop around its use; nothing where it is not
/// linear, or made of what the data say.
std::optional<LinearForm> rowForm(mlir::OpFoldResult index);

class TensorPlacement {
public:
  TensorPlacement(task::DefOp def, TaskProgram &program) : def(def), program(program) {}

  /// Places the arguments, the results, what loops carry, and all that is assembled from parts (insert_slice, pad). An
  /// error says what the emitter cannot place; the task then goes the naive way.
  llvm::Error run();

  const View *lookup(mlir::Value value) const {
    auto it = views.find(value);
    return it == views.end() ? nullptr : &it->second;
  }
  /// Whether `value` must be in memory although nothing was placed for it yet (it is read by address).
  bool mustBeStored(mlir::Value value) const { return stored.contains(value); }
  /// Gives `value` its own arena memory.
  void placeInScratch(mlir::Value value);

  /// A part that someone else computes and that must be copied to `to` when `at` is reached.
  struct Copy {
    mlir::Operation *at;
    mlir::Value from;
    View to;
  };
  llvm::ArrayRef<Copy> getCopies() const { return copies; }

private:
  void placeResults();
  void place(mlir::Value value, View view);
  void placeOrCopy(mlir::Operation *at, mlir::Value value, View view, bool shared);
  void placeCarried(mlir::scf::ForOp loop, unsigned number, const View &view);
  llvm::Error placeBlock(mlir::Block &block);
  llvm::Error placeLoop(mlir::scf::ForOp loop);
  void requireStorage(mlir::Operation &op);

  task::DefOp def;
  TaskProgram &program;
  llvm::DenseMap<mlir::Value, View> views;
  llvm::DenseSet<mlir::Value> stored;
  std::vector<Copy> copies;
};

} // namespace cameo::schedule

#endif

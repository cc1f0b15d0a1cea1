// Assigns memory to the tensors of a task's body. Each stored tensor is a strided view of a buffer, so that parts of
// results, concatenations and paddings are written in place by their producers.
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

/// Returns the row-major view of all of `buffer` with this shape.
View denseView(unsigned buffer, llvm::ArrayRef<Size> shape);

/// Returns the region of a view that starts at `offsets` (in elements of the view).
View subview(const View &view, llvm::ArrayRef<Size> offsets);

/// Returns an index as a linear form over the iterations of the loop around its use; nothing if it is not linear or
/// depends on data.
std::optional<LinearForm> rowForm(mlir::OpFoldResult index);

class TensorPlacement {
public:
  TensorPlacement(task::DefOp def, TaskProgram &program) : def(def), program(program) {}

  /// Places the arguments, the results, the values that loops carry, and all tensors that are assembled from parts
  /// (insert_slice, pad). The error names what cannot be placed; the task then takes the naive path.
  llvm::Error run();

  const View *lookup(mlir::Value value) const {
    auto it = views.find(value);
    return it == views.end() ? nullptr : &it->second;
  }
  /// Whether `value` must be stored because it is read by address, although it has no place yet.
  bool mustBeStored(mlir::Value value) const { return stored.contains(value); }
  /// Gives `value` its own memory in the arena.
  void placeInScratch(mlir::Value value);

  /// A copy of `from` to `to` before operation `at`, for a part that its producer does not write in place.
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

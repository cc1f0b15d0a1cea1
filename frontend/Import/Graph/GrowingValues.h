// What a loop carries and each round makes longer, such as a cache that rows are appended to: it goes around in memory
// for all rounds, of which a round has the front.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

struct GrowingValue {
  unsigned number; ///< among what is carried
  int64_t axis, step;
  cameo::Dim first; ///< size before the first round
  mlir::Value firstSize;
};

class GrowingValues {
public:
  /// What grows by a number from one round to the next. Nothing where none does, or where a value changes otherwise.
  static llvm::SmallVector<GrowingValue> find(llvm::ArrayRef<mlir::Value> before, llvm::ArrayRef<mlir::Value> after);

  /// `most`: of the rounds, a number that inference knows.
  GrowingValues(NodeDraft &draft, llvm::SmallVector<GrowingValue> values, mlir::Value most)
      : draft(draft), w(draft), values(std::move(values)), most(most) {}

  // Each changes the values that grow, among those that are carried, and fails after an error.

  /// Before the loop: room behind them for what all rounds add.
  mlir::LogicalResult makeRoom(llvm::MutableArrayRef<mlir::Value> carried);
  /// What is there of them after as many rounds; this number gets a name.
  mlir::LogicalResult takeFronts(llvm::MutableArrayRef<mlir::Value> carried, mlir::Value rounds, llvm::StringRef name);
  /// At the end of a round.
  mlir::LogicalResult fillUp(llvm::MutableArrayRef<mlir::Value> carried);

private:
  mlir::LogicalResult result() const { return mlir::failure(w.hasFailed()); }

  NodeDraft &draft;
  NodeWriter w;
  llvm::SmallVector<GrowingValue> values;
  llvm::SmallVector<mlir::Value> fronts; ///< of this round
  mlir::Value most;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_GROWINGVALUES_H

// Sequences to which a loop appends one element per iteration, as scripted PyTorch code fills lists. They become slices
// of an output that the loop stacks.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H

#include "mlir/IR/Builders.h"

namespace onnx {
class GraphProto;
}

namespace cameo {

class AppendedSequences {
public:
  /// Finds such sequences among the values that a loop over `body` carries: empty initially, and used by the body only
  /// to append one element to its result.
  AppendedSequences(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> carried);

  bool contains(unsigned carried) const { return llvm::is_contained(numbers, carried); }
  size_t size() const { return numbers.size(); }

  /// Returns the inputs of the body: the carried values, with empty sequences inserted. `leading` values come before
  /// the carried ones.
  llvm::SmallVector<mlir::Value> addEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> values, unsigned leading) const;
  /// Returns the results of the body: the appended elements follow all other results instead of the sequences.
  llvm::SmallVector<mlir::Value> takeElements(llvm::ArrayRef<mlir::Value> results, unsigned leading) const;
  /// Returns the results of the loop: a sequence of each of the last results, which are stacked elements, in its
  /// position.
  llvm::SmallVector<mlir::Value> makeSequences(mlir::OpBuilder &builder, mlir::Location loc,
                                               llvm::ArrayRef<mlir::Value> results) const;

private:
  llvm::SmallVector<unsigned> numbers; ///< ascending
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H

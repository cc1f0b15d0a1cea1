// Sequences to which a loop appends one element in every round, as scripts in PyTorch fill lists: slices of an output
// that the loop stacks.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H

#include "mlir/IR/Builders.h"

namespace onnx {
class GraphProto;
}

namespace cameo {

class AppendedSequences {
public:
  /// Finds those among the values that a loop over `body` carries: empty at first, and of no use to the body but that
  /// its result is the sequence with an element behind it.
  AppendedSequences(const ::onnx::GraphProto &body, llvm::ArrayRef<mlir::Value> carried);

  bool contains(unsigned carried) const { return llvm::is_contained(numbers, carried); }
  size_t size() const { return numbers.size(); }

  /// What the body gets: the values without these sequences, and empty ones among them. `leading` values stand in
  /// front.
  llvm::SmallVector<mlir::Value> addEmpty(mlir::OpBuilder &builder, mlir::Location loc,
                                          llvm::ArrayRef<mlir::Value> values, unsigned leading) const;
  /// What the body makes: the element of each behind all other results, in place of the sequence.
  llvm::SmallVector<mlir::Value> takeElements(llvm::ArrayRef<mlir::Value> results, unsigned leading) const;
  /// What the loop makes: a sequence of each of the last results, which are stacked elements, at its place.
  llvm::SmallVector<mlir::Value> makeSequences(mlir::OpBuilder &builder, mlir::Location loc,
                                               llvm::ArrayRef<mlir::Value> results) const;

private:
  llvm::SmallVector<unsigned> numbers; ///< ascending
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_APPENDEDSEQUENCES_H

// Creates operations that no node states: parts of loops and of sequences.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace cameo {

/// Returns the only element of a tensor of integers or booleans if shape inference knows it.
std::optional<int64_t> getKnownScalar(mlir::Value value);

/// Returns the elements of a sequence of known length, nothing for other values. A sequence is one value of a tuple
/// type until an operator takes it apart, so that it can be bound to a name, carried by a loop and passed to a
/// function.
std::optional<llvm::SmallVector<mlir::Value>> getSequenceElements(mlir::Value value);

/// A sequence of the parts of one tensor along an axis; their number or sizes are dynamic.
struct SliceSequence {
  mlir::Value data;
  int64_t axis; ///< counted from the front
  bool keepsAxis;
  /// The sizes of the parts: a vector with one for each, a scalar for all but the last, which has the rest, or null for
  /// parts of one slice.
  mlir::Value sizes;
};
/// Returns nothing for other values.
std::optional<SliceSequence> getSliceSequence(mlir::Value value);

class OperationMaker {
public:
  OperationMaker(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// Creates an operator with one result. Fails after an error, like all functions of this class.
  mlir::FailureOr<mlir::Value> make(llvm::StringRef type, mlir::ValueRange operands,
                                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute axis(int64_t axis) { return builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)); }

  // Constants: i64, i1, a vector of i64.
  mlir::Value scalar(int64_t value);
  mlir::Value boolean(bool value);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);

  /// Returns the slice at `position` along an axis, without that dimension.
  mlir::FailureOr<mlir::Value> at(mlir::Value data, int64_t position, int64_t along) {
    return make("Gather", {data, scalar(position)}, axis(along));
  }
  /// Concatenates the values along a new dimension. `type` is that of one value, also if there are none.
  mlir::FailureOr<mlir::Value> stack(llvm::ArrayRef<mlir::Value> values, mlir::Type type, int64_t along);

  mlir::Value sequence(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value sequence(const SliceSequence &slices);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H

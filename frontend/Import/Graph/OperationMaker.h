// Operations that the importer makes where a model has none: parts of loops and of sequences.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace cameo {

/// The only element of a tensor of integers or booleans, as far as inference can tell.
std::optional<int64_t> getKnownScalar(mlir::Value value);

/// The elements of a sequence, nothing for another value. A sequence is one value of a tuple type until an operator
/// takes it apart, so that it can be bound to a name, carried by a loop and given to a function.
std::optional<llvm::SmallVector<mlir::Value>> getSequenceElements(mlir::Value value);

/// A sequence of the slices of one tensor along an axis, of a number known only at run time.
struct SliceSequence {
  mlir::Value data;
  int64_t axis; ///< counted from the front
  bool keepsAxis;
};
/// Nothing for another value.
std::optional<SliceSequence> getSliceSequence(mlir::Value value);

class OperationMaker {
public:
  OperationMaker(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// The only result of an operator. Fails after an error, as all of these do.
  mlir::FailureOr<mlir::Value> make(llvm::StringRef type, mlir::ValueRange operands,
                                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  mlir::NamedAttribute axis(int64_t axis) { return builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)); }

  // Constants: i64, i1, a vector of i64.
  mlir::Value scalar(int64_t value);
  mlir::Value boolean(bool value);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);

  /// The slice at `position` along an axis, without that dimension.
  mlir::FailureOr<mlir::Value> at(mlir::Value data, int64_t position, int64_t along) {
    return make("Gather", {data, scalar(position)}, axis(along));
  }
  /// The values along a new dimension. `type` is that of one, also where there is none.
  mlir::FailureOr<mlir::Value> stack(llvm::ArrayRef<mlir::Value> values, mlir::Type type, int64_t along);

  mlir::Value sequence(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value sequence(const SliceSequence &slices);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_OPERATIONMAKER_H

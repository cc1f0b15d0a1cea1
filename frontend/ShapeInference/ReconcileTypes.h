// What a model states about the type of a value, held against what inference finds.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H
#define CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

namespace cameo {

struct StatedType {
  /// Of the value as the model calls it, for errors.
  llvm::StringRef valueName;
  mlir::TensorType type;
  /// Whether a stated size that is not the inferred one is ignored instead of an error: it was written for other sizes
  /// of the inputs.
  bool isStale = false;
};

/// The inferred type, with the sizes and names that only the stated one tells. Fails after an error at `loc` when they
/// differ in element type, rank or size.
mlir::FailureOr<mlir::Type> reconcileTypes(mlir::Type inferred, const StatedType &stated, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H

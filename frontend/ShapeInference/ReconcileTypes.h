// Combines the type that a model states for a value with the inferred one.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H
#define CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"

namespace cameo {

struct StatedType {
  /// Name of the value in the model, for errors.
  llvm::StringRef valueName;
  mlir::TensorType type;
  /// Whether a stated size that differs from the inferred one is ignored instead of an error: it was written for other
  /// sizes of the inputs.
  bool isStale = false;
};

/// Returns the inferred type with sizes and names that only the stated type has. Fails after an error at `loc` if the
/// two differ in element type, rank or size.
mlir::FailureOr<mlir::Type> reconcileTypes(mlir::Type inferred, const StatedType &stated, mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_RECONCILETYPES_H

// Creates the constant for an input that is the same in every run.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo {

/// Returns the constant of this type from numbers separated by commas, or one number for all elements. The only
/// dimension of a vector may be unknown: it is the number of numbers. Fails after an error at `loc` for text that is
/// not a number of this type, or a number of numbers that does not match.
mlir::FailureOr<mlir::Value> makeInputConstant(mlir::OpBuilder &builder, llvm::StringRef text, mlir::TensorType type,
                                               mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H

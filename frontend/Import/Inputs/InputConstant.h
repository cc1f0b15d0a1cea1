// An input that is the same in every run, from its numbers as text.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo {

/// The constant of this type: numbers with commas between, or one for all elements. The only unknown dimension of a
/// vector is the number of them. Fails after an error at `loc` for text that is no such number, or as many as do not
/// fit.
mlir::FailureOr<mlir::Value> makeInputConstant(mlir::OpBuilder &builder, llvm::StringRef text, mlir::TensorType type,
                                               mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_INPUTCONSTANT_H

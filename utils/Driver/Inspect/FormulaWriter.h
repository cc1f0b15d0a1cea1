// Writes formulas for the bodies of linalg operations and for scalar operations.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_FORMULAWRITER_H
#define CAMEO_UTILS_DRIVER_INSPECT_FORMULAWRITER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>
#include <vector>

namespace cameo {

/// Names for the values of one task: letters in the order of appearance.
class ValueNames {
public:
  std::string of(mlir::Value value);
  void alias(mlir::Value value, mlir::Value other) { names[value] = of(other); }

private:
  llvm::DenseMap<mlir::Value, std::string> names;
  unsigned count = 0;
};

/// Returns the text of an operand in a formula: the number of a constant or of a tensor that is filled with one, the
/// expression of a size, or the name of the value.
std::string operandText(mlir::Value value, ValueNames &names);

/// Returns a string such as "(0,C,4)".
std::string listText(llvm::ArrayRef<mlir::OpFoldResult> values, ValueNames &names);

/// Returns a formula such as "C[i,j] += A[i,k] * B[k,j]" for each result.
std::vector<std::string> formulasOf(mlir::linalg::LinalgOp op, ValueNames &names);

/// Returns a formula such as "max(A, 1)" for a scalar operation with the operands `operands`.
std::string scalarFormula(mlir::Operation *op, std::vector<std::string> operands, ValueNames &names);

} // namespace cameo

#endif

// Formulas as people write them: of the bodies of linalg operations, and of single numbers.
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

/// What stands for a value in a formula: the number of a constant or of a tensor that is filled with one, the
/// expression of a size, or the value's name.
std::string operandText(mlir::Value value, ValueNames &names);

/// "(0,C,4)".
std::string listText(llvm::ArrayRef<mlir::OpFoldResult> values, ValueNames &names);

/// "C[i,j] += A[i,k] * B[k,j]" for each result.
std::vector<std::string> formulasOf(mlir::linalg::LinalgOp op, ValueNames &names);

/// "max(A, 1)" of an operation on single numbers, whose operands are `operands`.
std::string scalarFormula(mlir::Operation *op, std::vector<std::string> operands, ValueNames &names);

} // namespace cameo

#endif

// What the names of symbolic dimensions are, and sizes that the user gives them: `batch=4`, or `input:0=4` for a
// dimension without a name.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace cameo {

/// A dimension as the model states it. Neither size nor name: unknown.
struct StatedDim {
  int64_t size = mlir::ShapedType::kDynamic;
  std::string name;
};

struct StatedInput {
  std::string name;
  llvm::SmallVector<StatedDim> dims;
};

class DimOptions {
public:
  /// Understands the options for a model with these inputs. Fails after an error for one that names nothing in it, or
  /// that contradicts it.
  static mlir::FailureOr<DimOptions> create(const llvm::StringMap<int64_t> &options, llvm::ArrayRef<StatedInput> inputs,
                                            mlir::Location loc);

  /// What a name in a statement about any other value says: the dimension of the inputs that is called so, of whatever
  /// size; else a name of its own, or unknown for one that is no single factor of a sum. It never says how large the
  /// value is.
  Dim resolveStated(llvm::StringRef name, mlir::MLIRContext *context) const;

  /// What a name in a statement about any other value says of its size: a sum of names and numbers, as dimensions of
  /// the inputs have them, with the sizes of the options; unknown for another one.
  Dim resolveSum(llvm::StringRef name, mlir::MLIRContext *context) const;

  /// The dimension with the sizes of the options.
  Dim fix(const Dim &dim) const;

  /// Dimension `axis` of an input. One without a name is given one, so that all that depends on it is seen to be equal.
  Dim resolveInput(const StatedInput &input, unsigned axis, mlir::MLIRContext *context) const;

private:
  void nameFactors(llvm::ArrayRef<StatedInput> inputs, const llvm::StringMap<int64_t> &options);
  mlir::LogicalResult fixAxis(llvm::StringRef option, const StatedInput &input, llvm::StringRef axisText, int64_t size,
                              mlir::Location loc);
  mlir::LogicalResult fixFactor(llvm::StringRef factor, llvm::StringRef option, int64_t size, mlir::Location loc);
  std::string makeFactor(llvm::StringRef text) const;
  /// What the model's name of a dimension of an input stands for, of whatever size.
  Dim read(llvm::StringRef name, mlir::MLIRContext *context) const;
  std::string listNames() const;

  llvm::StringMap<int64_t> sizes;       ///< by factor
  llvm::StringMap<std::string> factors; ///< by the name that a dimension of an input has, if it is no sum
  llvm::StringSet<> sums;               ///< names of dimensions of inputs that are sums of other such names
  llvm::StringMap<std::string> unnamed; ///< by input and axis
  llvm::StringSet<> made;               ///< factors that are no name of the model
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H

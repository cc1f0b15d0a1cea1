// Resolves the names of symbolic dimensions, and sizes that the user gives them: `batch=4`, or `input:0=4` for a
// dimension without a name.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <tuple>

namespace cameo {

/// A dimension as the model states it; unknown if it has neither size nor name.
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
  /// Parses the options for a model with these inputs. Fails after an error for an option that names no dimension of
  /// the model or contradicts it.
  static mlir::FailureOr<DimOptions> create(const llvm::StringMap<int64_t> &options, llvm::ArrayRef<StatedInput> inputs,
                                            mlir::Location loc);

  /// Resolves a name in a type that the model states for another value than an input: the dimension of an input with
  /// this name, without the sizes of the options; otherwise a symbolic dimension of its own, or unknown if the name is
  /// not a single factor.
  Dim resolveStated(llvm::StringRef name, mlir::MLIRContext *context) const;

  /// Resolves a name in such a type to a size: a sum of names of input dimensions and numbers, with the sizes of the
  /// options; unknown for other names.
  Dim resolveSum(llvm::StringRef name, mlir::MLIRContext *context) const;

  /// Returns the dimension with the sizes of the options.
  Dim fix(const Dim &dim) const;

  /// Resolves dimension `axis` of an input. A dimension without a name gets one, so that sizes that depend on it are
  /// known to be equal.
  Dim resolveInput(const StatedInput &input, unsigned axis, mlir::MLIRContext *context) const;

private:
  void nameFactors(llvm::ArrayRef<StatedInput> inputs, const llvm::StringMap<int64_t> &options);
  mlir::LogicalResult fixAxis(llvm::StringRef option, const StatedInput &input, llvm::StringRef axisText, int64_t size,
                              mlir::Location loc);
  mlir::LogicalResult verifySums(mlir::Location loc) const;
  mlir::LogicalResult fixFactor(llvm::StringRef factor, llvm::StringRef option, int64_t size, mlir::Location loc);
  std::string makeFactor(llvm::StringRef text) const;
  /// Resolves the name of an input's dimension, without the sizes of the options.
  Dim read(llvm::StringRef name, mlir::MLIRContext *context) const;
  std::string listNames() const;

  llvm::StringMap<int64_t> sizes;       ///< by factor
  llvm::StringMap<std::string> factors; ///< by name of an input's dimension that is not a sum
  llvm::StringSet<> sums;               ///< names of input dimensions that are sums of other names
  /// Options of dimensions that are sums: the option, the dimension's name and the size.
  llvm::SmallVector<std::tuple<std::string, std::string, int64_t>, 1> statedSums;
  llvm::StringMap<std::string> unnamed; ///< by input and axis
  llvm::StringSet<> made;               ///< factors that are not names in the model
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_DIMOPTIONS_H

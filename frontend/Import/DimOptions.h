// Sizes that the user gives to symbolic dimensions: `batch=4`, or `input:0=4` for a dimension without a name.
#ifndef CAMEO_FRONTEND_IMPORT_DIMOPTIONS_H
#define CAMEO_FRONTEND_IMPORT_DIMOPTIONS_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"

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
  /// Understands the options for a model with these inputs. Fails after an error for one that names nothing in it, or that
  /// contradicts it.
  static mlir::FailureOr<DimOptions> create(const llvm::StringMap<int64_t> &options,
                                            llvm::ArrayRef<StatedInput> inputs, mlir::Location loc);

  /// A named dimension, after the options: names may be sums, of which some parts get sizes.
  onnx::Dim resolve(llvm::StringRef name, mlir::MLIRContext *context) const;

  /// Dimension `axis` of an input. One without a name is given one, so that all that depends on it is seen to be equal.
  onnx::Dim resolveInput(const StatedInput &input, unsigned axis, mlir::MLIRContext *context) const;

private:
  mlir::LogicalResult fixAxis(llvm::StringRef option, const StatedInput &input, llvm::StringRef axisText, int64_t size,
                              mlir::Location loc);
  mlir::LogicalResult fixName(llvm::StringRef name, int64_t size, mlir::Location loc);

  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<int64_t> unnamedSizes; // by the name that resolveInput would give
  llvm::StringMap<bool> names;           // all that the inputs mention
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_DIMOPTIONS_H

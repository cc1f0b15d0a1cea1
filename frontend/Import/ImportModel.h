// From an ONNX file to a module of the onnx dialect.
//
//   module attributes {onnx.model_name = "resnet50", onnx.opset = 17 : i64} {
//     func.func @main(%arg0: tensor<?x3x224x224xf32, #onnx.dims<["batch", "", "", ""]>> {onnx.name = "input"})
//         -> (tensor<?x1000xf32, ...> {onnx.name = "output"}) { ... }
//   }
#ifndef CAMEO_FRONTEND_IMPORT_IMPORTMODEL_H
#define CAMEO_FRONTEND_IMPORT_IMPORTMODEL_H

#include "frontend/Import/Graph/ExternOperators.h"
#include "frontend/Import/Inputs/InputForms.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace cameo {

struct ImportOptions {
  /// Sizes of symbolic dimensions: `batch` -> 4, or `input:0` -> 4 for one without a name.
  llvm::StringMap<int64_t> dims;
  InputForms forms;
  ExternOperators externs;
  /// The model itself, which then outlives the context; the path names it in messages, and its folder holds external
  /// data.
  std::optional<llvm::StringRef> bytes;
  /// Without it, constants above 1 KiB become resources without data: enough to look at a model.
  bool loadWeights = true;
  /// Fold what shapes are computed from, and erase what nothing depends on (the pass --infer-shapes).
  bool inferShapes = true;
  /// Called with the path of each file that was read, once the model is imported: the model, and those of its external
  /// data.
  std::function<void(llvm::StringRef)> onFile;
};

/// Reads a model: binary protobuf, also with external data, or ONNX's text syntax (.onnxtext, .onnxtxt). All operators
/// are in their newest form, and each operation has the types that its operator gives it. Weights live as long as the
/// context.
///
/// Fails after exactly one error for what is wrong with the file; locations are those of NodeLocation.h.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext &context, llvm::StringRef path,
                                                               const ImportOptions &options = {});

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_IMPORTMODEL_H

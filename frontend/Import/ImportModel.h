// Imports an ONNX file as a module of the onnx dialect.
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
  /// The bytes of the model, which must outlive the context. The path then only names it in messages, and its folder
  /// holds external data.
  std::optional<llvm::StringRef> bytes;
  /// If false, constants above 1 KiB become resources without data, which is enough to inspect a model.
  bool loadWeights = true;
  /// Whether to run the pass --infer-shapes: it folds what shapes are computed from, and erases dead operations.
  bool inferShapes = true;
  /// Called after the import with the path of each file that was read: the model and its external data.
  std::function<void(llvm::StringRef)> onFile;
};

/// Imports a model: binary protobuf, perhaps with external data, or ONNX's text syntax (.onnxtext, .onnxtxt). All
/// operators are upgraded to their newest version, and the types of all results are inferred. Weights live as long as
/// the context.
///
/// Fails after exactly one error for what is wrong with the file; locations are those of NodeLocation.h.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> importModel(mlir::MLIRContext &context, llvm::StringRef path,
                                                               const ImportOptions &options = {});

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_IMPORTMODEL_H

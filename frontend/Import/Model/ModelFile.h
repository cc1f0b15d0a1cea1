// An open model file: its structure as protobuf, its weights still on disk.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_MODELFILE_H
#define CAMEO_FRONTEND_IMPORT_MODEL_MODELFILE_H

#include "frontend/Import/Model/ExternalData.h"
#include "frontend/Import/Model/SplitWeights.h"

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <memory>
#include <optional>

namespace onnx {
class ModelProto;
}

namespace cameo {

class ModelFile {
public:
  /// Opens binary protobuf, or ONNX's text syntax if the name ends in .onnxtext, .onnxtxt or .onnx.txt. Fails after an
  /// error. `bytes`, if given, are read instead of the file at `path`; they must outlive everything that is made of the
  /// model.
  static mlir::FailureOr<std::unique_ptr<ModelFile>> open(mlir::MLIRContext &context, llvm::StringRef path,
                                                          std::optional<llvm::StringRef> bytes = std::nullopt);
  ~ModelFile();

  const ::onnx::ModelProto &getModel() const { return *model; }
  llvm::StringRef getPath() const { return path; }
  const std::vector<WeightRange> &getWeights() const { return weights; }
  /// Returns the file from which the ranges of weights are read.
  DataFile &getFile() { return *file; }
  ExternalFiles &getExternalFiles() { return externalFiles; }

private:
  explicit ModelFile(llvm::StringRef path);
  llvm::Error parseBinary();
  llvm::Error parseText();

  std::string path;
  std::unique_ptr<::onnx::ModelProto> model;
  std::vector<WeightRange> weights;
  std::shared_ptr<DataFile> file;
  ExternalFiles externalFiles;
};

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_MODELFILE_H

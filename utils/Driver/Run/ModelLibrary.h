// A compiled model in a shared library that is loaded into this process.
#ifndef CAMEO_UTILS_DRIVER_RUN_MODELLIBRARY_H
#define CAMEO_UTILS_DRIVER_RUN_MODELLIBRARY_H

#include "cameo/gpu.h"
#include "cameo/runtime.h"
#include "utils/Driver/Run/Tensor.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace cameo {

/// Sizes of symbolic dimensions by name.
using DimensionSizes = llvm::StringMap<int64_t>;

class ModelLibrary {
public:
  /// Opens a library that exports one `PREFIX_description` and checks the description.
  static llvm::Expected<std::unique_ptr<ModelLibrary>> open(llvm::StringRef path);
  ~ModelLibrary();
  ModelLibrary(const ModelLibrary &) = delete;
  ModelLibrary &operator=(const ModelLibrary &) = delete;

  const cameo_model_description &description() const { return *model; }
  llvm::ArrayRef<cameo_tensor_description> inputs() const { return {model->inputs, model->input_count}; }
  llvm::ArrayRef<cameo_tensor_description> outputs() const { return {model->outputs, model->output_count}; }
  llvm::ArrayRef<cameo_task_description> tasks() const { return {model->tasks, model->task_count}; }
  /// For a library for several processors: returns the one whose code runs on this machine. Null for other libraries,
  /// and if this machine supports none of them.
  const char *chosenCpu() const;

  /// For a library for a GPU: returns the table that the runtime executes. Null for other libraries.
  const cameo_gpu_model *gpu() const { return gpuModel; }

  /// Returns the path, in this process, of the weights file that belongs to the library. "" if it has none, or if the
  /// caller provides the weights.
  std::string weightsPath() const { return weights.isEmpty() ? "" : weights.path(); }
  /// Keeps the files of a library that was compiled to be opened. The loader identifies a library by its path, and the
  /// path of a released file may be reused by the next one.
  void keep(UnnamedFile libraryFile, UnnamedFile weightsFile) {
    file = std::move(libraryFile);
    weights = std::move(weightsFile);
  }

private:
  ModelLibrary() = default;
  void *handle = nullptr;
  std::string prefix; ///< prefix of the model's symbols
  const cameo_model_description *model = nullptr;
  const cameo_gpu_model *gpuModel = nullptr;
  UnnamedFile file, weights;
};

/// Whether the file has the magic number of ELF; false if it cannot be read.
bool isElfFile(llvm::StringRef path);

/// Returns the shape in a description as text: sizes, names and expressions.
std::string shapeText(const cameo_model_description &model, const cameo_tensor_description &tensor);

/// Returns the values of the model's symbols: from `sizes`, else from the shapes of `inputs` (by name). The error names
/// the first symbol without a value, or an input whose shape does not match.
llvm::Expected<std::vector<int64_t>> resolveSymbols(const cameo_model_description &model, const DimensionSizes &sizes,
                                                    llvm::ArrayRef<Tensor> inputs);

/// Returns the concrete shape for the given symbols. Fails if a size would be negative.
llvm::Expected<llvm::SmallVector<int64_t, 4>> resolveShape(const cameo_model_description &model,
                                                           const cameo_tensor_description &tensor,
                                                           llvm::ArrayRef<int64_t> symbols);

} // namespace cameo

#endif

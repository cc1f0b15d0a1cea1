// A compiled model in a shared library, opened in this process.
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

/// Sizes by name of a symbolic dimension.
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
  /// Of a library for several processors: the one whose code runs on this machine. Null for others, and where the
  /// machine is none of them.
  const char *chosenCpu() const;

  /// Of a library for a GPU: what the runtime runs it by. Null for others.
  const cameo_gpu_model *gpu() const { return gpuModel; }

  /// Weights that go with the library: the file of this process that they are in. Empty: it has none, or others have
  /// them.
  std::string weightsPath() const { return weights.isEmpty() ? "" : weights.path(); }
  /// Holds the files of a library that was compiled to be opened. The loader knows a library by its path: that of a
  /// file which is let go means the next one.
  void keep(UnnamedFile libraryFile, UnnamedFile weightsFile) {
    file = std::move(libraryFile);
    weights = std::move(weightsFile);
  }

private:
  ModelLibrary() = default;
  void *handle = nullptr;
  std::string prefix; ///< of the model's symbols
  const cameo_model_description *model = nullptr;
  const cameo_gpu_model *gpuModel = nullptr;
  UnnamedFile file, weights;
};

/// Whether the file begins as an ELF file does; false when it cannot be read.
bool isElfFile(llvm::StringRef path);

/// The shape of a description as people read it: sizes, names and expressions.
std::string shapeText(const cameo_model_description &model, const cameo_tensor_description &tensor);

/// The value of each of the model's symbols: from `sizes`, else from the shapes of `inputs` (by name). An error names
/// the first symbol without a value, or an input whose shape does not match.
llvm::Expected<std::vector<int64_t>> resolveSymbols(const cameo_model_description &model, const DimensionSizes &sizes,
                                                    llvm::ArrayRef<Tensor> inputs);

/// The concrete shape for the given symbols; an error when they give it a negative size.
llvm::Expected<llvm::SmallVector<int64_t, 4>> resolveShape(const cameo_model_description &model,
                                                           const cameo_tensor_description &tensor,
                                                           llvm::ArrayRef<int64_t> symbols);

} // namespace cameo

#endif

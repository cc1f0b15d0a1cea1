// Runs a compiled model for one caller: holds the workspace, threads, weights and outputs, as a user's program would.
#ifndef CAMEO_UTILS_DRIVER_RUN_MODELRUNNER_H
#define CAMEO_UTILS_DRIVER_RUN_MODELRUNNER_H

#include "utils/Driver/Run/ModelLibrary.h"

namespace cameo {

struct RunOptions {
  int threads = 1;
  std::string weights;       // path of the external weights file; required by a model that has one
  DimensionSizes sizes;      // values of symbolic dimensions
  bool sharesCaches = false; // outputs use the memory of an input where the model allows it
};

/// The source of the values of a model's inputs.
struct InputSource {
  std::string folder; // folder with NAME.npy or NAME.pb for each input; empty: random values
  uint64_t seed = 0;
  int64_t largestInteger = 1;
};

/// Creates all inputs of the model, in its order. The error names the input and the problem with its file, type or
/// shape.
llvm::Expected<std::vector<Tensor>> makeInputs(const ModelLibrary &library, const InputSource &source,
                                               const DimensionSizes &sizes);

class ModelRunner {
public:
  /// The library must outlive the runner.
  static llvm::Expected<std::unique_ptr<ModelRunner>> create(const ModelLibrary &library, const RunOptions &options);
  ~ModelRunner();

  /// Uses `tensors`, in the model's order, as inputs of the following runs without copying; allocates the outputs, and
  /// a workspace, or a session on a GPU, if the current one is too small. With `sharesCaches`, an output that shares
  /// the memory of an input has no memory of its own, and the input is overwritten.
  llvm::Error bindInputs(llvm::ArrayRef<Tensor> tensors);

  /// Runs once, and again with a larger text area if it was too small. Outputs are overwritten.
  llvm::Error run();

  /// For a library for a GPU: returns the times of `runs` runs by the clock of the device, in ms, without copies; with
  /// `usesGraph`, each run is a launch of a captured graph. Outputs are overwritten.
  llvm::Expected<std::vector<float>> timeOnGpu(int runs, bool usesGraph);

  /// For a library for a GPU: returns the fastest of `runs` times of each step by the clock of the device, in ms, with
  /// cold caches.
  llvm::Expected<std::vector<float>> timeStepsOnGpu(int runs);

  /// Returns the outputs. Their strings lie in the inputs, the library and this runner.
  llvm::ArrayRef<Tensor> outputs() const { return outputTensors; }
  std::vector<Tensor> takeOutputs();
  /// Returns the number of threads, including this one.
  int threadCount() const { return context.thread_count; }
  uint64_t workspaceBytes() const { return workspace.sizeBytes(); }

  /// Starts to accumulate the time of each task. Returns one entry per task of the description.
  llvm::ArrayRef<cameo_task_profile> startProfile();
  void stopProfile() { context.profile = nullptr; }

private:
  explicit ModelRunner(const ModelLibrary &library) : library(library) {}
  llvm::Error allocateOutputs(llvm::ArrayRef<Tensor> inputs);
  llvm::Error loadOnGpu();
  llvm::Error createSession(uint64_t workspaceBytes);
  cameo_status runOnce();
  void allocateTextArea(uint64_t bytes);
  /// Sets the shapes of outputs to the dimensions that the run computed.
  void takeShapes();

  const ModelLibrary &library;
  cameo_thread_pool *pool = nullptr;
  cameo_weights weights = {};
  cameo_context context = {};
  cameo_gpu *gpu = nullptr; ///< set if the library is for a GPU
  cameo_gpu_session *session = nullptr;
  DimensionSizes sizes;
  bool sharesCaches = false;
  std::vector<int64_t> symbols;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
  std::vector<Tensor> outputTensors;
  std::vector<llvm::SmallVector<int64_t, 4>> dataShapes; // shapes of the outputs with data-dependent dimensions, in
                                                         // their order
  Tensor workspace;
  std::vector<char> textMemory;
  cameo_text_area textArea = {};
  cameo_profile profile = {};
  std::vector<cameo_task_profile> taskProfiles;
  uint64_t sessionBytes = 0; ///< workspace of `session`
};

/// A compiled library that is opened and bound to inputs, which must outlive it.
struct BoundModel {
  std::unique_ptr<ModelLibrary> library;
  std::unique_ptr<ModelRunner> runner;
};

/// Opens the library at `path` and binds `inputs`. The error names the mismatch.
llvm::Expected<BoundModel> bindModel(llvm::StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs);

} // namespace cameo

#endif

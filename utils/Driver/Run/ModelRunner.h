// One caller of a compiled model: its workspace, threads, weights and outputs. What a user's program would hold.
#ifndef CAMEO_UTILS_DRIVER_RUN_MODELRUNNER_H
#define CAMEO_UTILS_DRIVER_RUN_MODELRUNNER_H

#include "utils/Driver/Run/ModelLibrary.h"

namespace cameo {

struct RunOptions {
  int threads = 1;
  std::string weights;       // the external weights file; needed by a model that has one
  DimensionSizes sizes;      // of symbolic dimensions
  bool sharesCaches = false; // an output that may be the memory of an input is
};

/// Where the values of a model's inputs come from.
struct InputSource {
  std::string folder; // NAME.npy or NAME.pb per input; empty: random values
  uint64_t seed = 0;
  int64_t largestInteger = 1;
};

/// Makes all inputs of the model, in its order. An error names the input and what is wrong with its file, type or
/// shape.
llvm::Expected<std::vector<Tensor>> makeInputs(const ModelLibrary &library, const InputSource &source,
                                               const DimensionSizes &sizes);

class ModelRunner {
public:
  /// The library must outlive the runner.
  static llvm::Expected<std::unique_ptr<ModelRunner>> create(const ModelLibrary &library, const RunOptions &options);
  ~ModelRunner();

  /// Uses `tensors`, in the model's order, in place in the following runs; allocates outputs for them, and a workspace
  /// where the one before is too small. With `sharesCaches` an output in the memory of an input is a tensor without
  /// memory, and the input changes.
  llvm::Error bindInputs(llvm::ArrayRef<Tensor> tensors);

  /// Runs once, or once more with a larger area where texts need it; outputs are overwritten.
  llvm::Error run();

  /// Of a library for a GPU: the times of `runs` runs by the clock of the device, in ms, without copies, each of a
  /// captured graph where `usesGraph`. Outputs are overwritten.
  llvm::Expected<std::vector<float>> timeOnGpu(int runs, bool usesGraph);

  /// Of a library for a GPU: the fastest of `runs` times of each of the model's steps by the clock of the device, in
  /// ms, and nothing of a run before in its caches.
  llvm::Expected<std::vector<float>> timeStepsOnGpu(int runs);

  /// Texts in them lie in the inputs, the library and this runner.
  llvm::ArrayRef<Tensor> outputs() const { return outputTensors; }
  std::vector<Tensor> takeOutputs();
  /// This thread included.
  int threadCount() const { return context.thread_count; }
  uint64_t workspaceBytes() const { return workspace.sizeBytes(); }

  /// From now on adds the time of each task up; the result is one entry per task of the description.
  llvm::ArrayRef<cameo_task_profile> startProfile();
  void stopProfile() { context.profile = nullptr; }

private:
  explicit ModelRunner(const ModelLibrary &library) : library(library) {}
  llvm::Error allocateOutputs(llvm::ArrayRef<Tensor> inputs);
  llvm::Error loadOnGpu();
  llvm::Error createSession();
  cameo_status runOnce();
  void allocateTexts(uint64_t bytes);
  /// Cuts outputs to what the run made of them.
  void takeShapes();

  const ModelLibrary &library;
  cameo_thread_pool *pool = nullptr;
  cameo_weights weights = {};
  cameo_context context = {};
  cameo_gpu *gpu = nullptr; ///< of a library for one
  cameo_gpu_session *session = nullptr;
  DimensionSizes sizes;
  bool sharesCaches = false;
  std::vector<int64_t> symbols;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
  std::vector<Tensor> outputTensors;
  std::vector<llvm::SmallVector<int64_t, 4>> dataShapes; // of outputs whose size data decides, in their order
  Tensor workspace;
  std::vector<char> textMemory;
  cameo_text_area textArea = {};
  cameo_profile profile = {};
  std::vector<cameo_task_profile> taskProfiles;
};

/// A compiled library that was opened for these inputs, which must outlive it.
struct BoundModel {
  std::unique_ptr<ModelLibrary> library;
  std::unique_ptr<ModelRunner> runner;
};

/// Opens the library at `path` and binds `inputs`. An error names what does not fit.
llvm::Expected<BoundModel> bindModel(llvm::StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs);

} // namespace cameo

#endif

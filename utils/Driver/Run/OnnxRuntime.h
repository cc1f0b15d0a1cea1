// ONNX Runtime as a second opinion and as the peer of benchmarks: found at run time, never linked.
#ifndef CAMEO_UTILS_DRIVER_RUN_ONNXRUNTIME_H
#define CAMEO_UTILS_DRIVER_RUN_ONNXRUNTIME_H

#include "utils/Driver/Run/OrtApi.h"
#include "utils/Driver/Run/Tensor.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace cameo {

/// Where its library is: the environment variable ORT_LIBRARY, else the npm package onnxruntime-node (1.30 keeps the
/// library under bin/napi-v6/OS/ARCH) in a node_modules folder of the current directory or one above it, or in
/// peers/node_modules beside the build. An error that says what was looked for when there is none.
llvm::Expected<std::string> findOnnxRuntime();

class OrtSession;

/// The loaded library with one environment. Sessions must not outlive it.
class OnnxRuntime {
public:
  static llvm::Expected<std::unique_ptr<OnnxRuntime>> load(llvm::StringRef libraryPath);
  ~OnnxRuntime();

  llvm::StringRef version() const { return versionText; }

  /// With all it is a peer; without any its results are what each node by itself says, which is the better reference.
  enum class Optimisation { None = 0, All = 99 };

  /// Opens a model with exactly `threads` threads, which stop spinning when a run returns.
  llvm::Expected<std::unique_ptr<OrtSession>> open(llvm::StringRef modelPath, int threads, Optimisation optimisation);

private:
  friend class OrtSession;
  OnnxRuntime() = default;
  template <typename Function, typename... Arguments> llvm::Error call(Arguments... arguments) const;

  const void *const *table = nullptr;
  std::string versionText;
  ort::Env *environment = nullptr;
  ort::MemoryInfo *memory = nullptr;
  ort::Allocator *allocator = nullptr;
};

/// A model opened by ONNX Runtime.
class OrtSession {
public:
  ~OrtSession();

  llvm::ArrayRef<std::string> inputNames() const { return inputs; }
  llvm::ArrayRef<std::string> outputNames() const { return outputs; }

  /// Makes `tensors`, found by name and used in place, the inputs of the following runs.
  llvm::Error bindInputs(llvm::ArrayRef<Tensor> tensors);

  /// Runs once. The first run after bindInputs allocates the outputs; later ones write into the same.
  llvm::Error run();

  /// Copies of the last run's outputs, in the order of outputNames.
  llvm::Expected<std::vector<Tensor>> readOutputs() const;

private:
  friend class OnnxRuntime;
  explicit OrtSession(const OnnxRuntime &runtime) : runtime(runtime) {}
  llvm::Error readNames();
  llvm::Expected<Tensor> readOutput(const ort::Value *value, llvm::StringRef name) const;
  llvm::Expected<Tensor> readMaps(const ort::Value *maps, llvm::StringRef name) const;
  llvm::Error makeTexts(const Tensor &tensor, ort::Value *&value);
  llvm::Error readTexts(const ort::Value *value, Tensor &tensor) const;
  void releaseValues();

  const OnnxRuntime &runtime;
  ort::Session *session = nullptr;
  std::vector<std::string> inputs, outputs;
  std::vector<const char *> inputPointers, outputPointers;
  std::vector<ort::Value *> inputValues, outputValues;
};

} // namespace cameo

#endif

// ONNX Runtime as a reference for results and a peer for benchmarks; it is loaded at run time, never linked.
#ifndef CAMEO_UTILS_DRIVER_RUN_ONNXRUNTIME_H
#define CAMEO_UTILS_DRIVER_RUN_ONNXRUNTIME_H

#include "utils/Driver/Run/OrtApi.h"
#include "utils/Driver/Run/Tensor.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace cameo {

/// Returns the path of its library: the value of ORT_LIBRARY, else that of the npm package onnxruntime-node (1.30 has
/// the library in bin/napi-v6/OS/ARCH) in a node_modules folder of the current directory or a parent of it, or in
/// peers/node_modules next to the build. If there is none, the error lists the places that were searched.
llvm::Expected<std::string> findOnnxRuntime();

class OrtSession;

/// The loaded library with one environment. Sessions must not outlive it.
class OnnxRuntime {
public:
  static llvm::Expected<std::unique_ptr<OnnxRuntime>> load(llvm::StringRef libraryPath);
  ~OnnxRuntime();

  llvm::StringRef version() const { return versionText; }

  /// `All` is for benchmarks; with `None` each node is computed separately, which makes the better reference.
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

  /// Gives inputs values for all runs: comma-separated numbers, or one for all elements. `sizes` are those of symbolic
  /// dimensions; one of a vector may be missing.
  llvm::Error fixInputs(const llvm::StringMap<std::string> &numbers, const llvm::StringMap<int64_t> &sizes);

  /// Makes `tensors`, found by name and used in place, the inputs of the following runs. A sequence is several tensors,
  /// see SequenceTensors.h.
  llvm::Error bindInputs(llvm::ArrayRef<Tensor> tensors);

  /// Runs once. The first run after bindInputs allocates the outputs; later ones write into the same.
  llvm::Error run();

  /// Copies of the last run's outputs, in the order of outputNames. SequenceTensors.h says what sequences and optional
  /// outputs are.
  llvm::Expected<std::vector<Tensor>> readOutputs() const;

private:
  friend class OnnxRuntime;
  explicit OrtSession(const OnnxRuntime &runtime) : runtime(runtime) {}
  llvm::Error readNames();
  /// Sets the element type, by ONNX's number, and the sizes, negative where unknown.
  llvm::Error readTypeAndShape(const ort::TensorInfo &info, int &type, llvm::SmallVectorImpl<int64_t> &shape) const;
  llvm::Expected<Tensor> readConstant(llvm::StringRef input, llvm::StringRef numbers,
                                      const llvm::StringMap<int64_t> &sizes) const;
  llvm::Expected<Tensor> readTensor(const ort::Value *value, llvm::StringRef name) const;
  llvm::Expected<std::vector<Tensor>> readSequence(const ort::Value *sequence, llvm::StringRef name) const;
  llvm::Error makeTensor(const Tensor &tensor, ort::Value *&value);
  llvm::Error makeSequence(llvm::ArrayRef<const Tensor *> tensors, ort::Value *&value);
  llvm::Error makeStrings(const Tensor &tensor, ort::Value *&value);
  llvm::Error readStrings(const ort::Value *value, Tensor &tensor) const;
  void releaseValues();

  const OnnxRuntime &runtime;
  ort::Session *session = nullptr;
  std::vector<std::string> inputs, outputs;
  std::vector<Tensor> constants; ///< values of inputs that are the same in all runs
  std::vector<const char *> inputPointers, outputPointers;
  std::vector<ort::Value *> inputValues, outputValues;
};

} // namespace cameo

#endif

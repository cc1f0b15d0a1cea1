#include "utils/Driver/Run/OnnxRuntime.h"
#include "utils/Driver/Run/ParseTensor.h"
#include "utils/Driver/Run/SequenceTensors.h"

#include "cameo/runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Process.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace cameo;
using llvm::StringRef;

namespace {

constexpr std::array crashSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, crashSignals.size()> previousActions;
std::atomic<bool> isInLibrary = false;

/// Ends the program with one error, also if a thread of the library crashes. The handlers before ask for a report to
/// us.
void handleCrash(int signal) {
  if (isInLibrary) {
    constexpr StringRef message = "cameo: error: onnxruntime: the library crashed, not code of Cameo\n";
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message.data(), message.size());
    _exit(1);
  }
  size_t place = llvm::find(crashSignals, signal) - crashSignals.begin();
  sigaction(signal, &previousActions[place], nullptr);
  raise(signal);
}

void handleCrashes() {
  [[maybe_unused]] static bool isDone = [] {
    struct sigaction action = {};
    action.sa_handler = handleCrash;
    action.sa_flags = SA_ONSTACK;
    for (auto [signal, previous] : llvm::zip_equal(crashSignals, previousActions))
      sigaction(signal, &action, &previous);
    return true;
  }();
}

} // namespace

template <typename Function, typename... Arguments> llvm::Error OnnxRuntime::call(Arguments... arguments) const {
  isInLibrary = true;
  ort::Status *status = Function::in(table)(arguments...);
  isInLibrary = false;
  if (!status)
    return llvm::Error::success();
  llvm::Error error = llvm::createStringError("onnxruntime: " + llvm::Twine(ort::GetErrorMessage::in(table)(status)));
  ort::ReleaseStatus::in(table)(status);
  return error;
}

llvm::Expected<std::unique_ptr<OnnxRuntime>> OnnxRuntime::load(StringRef libraryPath) {
  void *library = dlopen(libraryPath.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(dlerror());
  // Never closed: the library's threads and thread-local state outlive any session.
  auto *getApiBase = reinterpret_cast<const ort::ApiBase *(*)()>(dlsym(library, "OrtGetApiBase"));
  if (!getApiBase)
    return llvm::createStringError(libraryPath + ": expected ONNX Runtime's library, which defines OrtGetApiBase");
  const ort::ApiBase *base = getApiBase();
  handleCrashes();
  std::unique_ptr<OnnxRuntime> runtime(new OnnxRuntime);
  runtime->versionText = base->getVersion();
  runtime->table = base->getApi(ort::apiVersion);
  if (!runtime->table)
    return llvm::createStringError(libraryPath + ": expected ONNX Runtime 1.17 or newer, got " + runtime->versionText);
  constexpr int errorsOnly = 3, arena = 1, defaultMemory = 0;
  if (llvm::Error error = runtime->call<ort::CreateEnv>(errorsOnly, "cameo", &runtime->environment))
    return error;
  if (llvm::Error error = runtime->call<ort::CreateCpuMemoryInfo>(arena, defaultMemory, &runtime->memory))
    return error;
  if (llvm::Error error = runtime->call<ort::GetDefaultAllocator>(&runtime->allocator))
    return error;
  return runtime;
}

OnnxRuntime::~OnnxRuntime() {
  if (memory)
    ort::ReleaseMemoryInfo::in(table)(memory);
  if (environment)
    ort::ReleaseEnv::in(table)(environment);
}

llvm::Expected<std::unique_ptr<OrtSession>> OnnxRuntime::open(StringRef modelPath, int threads,
                                                              Optimisation optimisation) {
  ort::SessionOptions *options = nullptr;
  if (llvm::Error error = call<ort::CreateSessionOptions>(&options))
    return error;
  llvm::scope_exit release([&] { ort::ReleaseSessionOptions::in(table)(options); });
  if (llvm::Error error = call<ort::SetGraphOptimizationLevel>(options, static_cast<int>(optimisation)))
    return error;
  if (llvm::Error error = call<ort::SetIntraOpNumThreads>(options, threads))
    return error;
  if (llvm::Error error = call<ort::SetInterOpNumThreads>(options, 1))
    return error;
  // Otherwise its threads would spin while the other side of a benchmark is measured.
  if (llvm::Error error = call<ort::AddSessionConfigEntry>(options, "session.force_spinning_stop", "1"))
    return error;
  std::unique_ptr<OrtSession> session(new OrtSession(*this));
  if (llvm::Error error = call<ort::CreateSession>(environment, modelPath.str().c_str(), options, &session->session))
    return error;
  if (llvm::Error error = session->readNames())
    return error;
  return session;
}

OrtSession::~OrtSession() {
  releaseValues();
  if (session)
    ort::ReleaseSession::in(runtime.table)(session);
}

void OrtSession::releaseValues() {
  for (auto *values : {&inputValues, &outputValues}) {
    for (ort::Value *value : *values)
      if (value)
        ort::ReleaseValue::in(runtime.table)(value);
    values->clear();
  }
}

llvm::Error OrtSession::readNames() {
  size_t inputCount = 0, outputCount = 0;
  if (llvm::Error error = runtime.call<ort::GetInputCount>(session, &inputCount))
    return error;
  if (llvm::Error error = runtime.call<ort::GetOutputCount>(session, &outputCount))
    return error;
  auto take = [&](llvm::Error error, char *name, std::vector<std::string> &names) -> llvm::Error {
    if (error)
      return error;
    names.push_back(name);
    return runtime.call<ort::AllocatorFree>(runtime.allocator, static_cast<void *>(name));
  };
  char *name = nullptr;
  for (size_t i = 0; i < inputCount; ++i)
    if (llvm::Error error = take(runtime.call<ort::GetInputName>(session, i, runtime.allocator, &name), name, inputs))
      return error;
  for (size_t i = 0; i < outputCount; ++i)
    if (llvm::Error error = take(runtime.call<ort::GetOutputName>(session, i, runtime.allocator, &name), name, outputs))
      return error;
  for (const std::string &each : inputs)
    inputPointers.push_back(each.c_str());
  for (const std::string &each : outputs)
    outputPointers.push_back(each.c_str());
  return llvm::Error::success();
}

llvm::Error OrtSession::makeStrings(const Tensor &tensor, ort::Value *&value) {
  if (llvm::Error error = runtime.call<ort::CreateTensor>(runtime.allocator, tensor.shape.data(), tensor.shape.size(),
                                                          static_cast<int>(tensor.type), &value))
    return error;
  llvm::Error error =
      runtime.call<ort::FillStringTensor>(value, tensor.elements<const char *>().data(), tensor.elementCount());
  if (error)
    ort::ReleaseValue::in(runtime.table)(value);
  return error;
}

llvm::Error OrtSession::readStrings(const ort::Value *value, Tensor &tensor) const {
  size_t bytes = 0;
  if (llvm::Error error = runtime.call<ort::GetStringTensorDataLength>(value, &bytes))
    return error;
  std::string strings(bytes, '\0');
  std::vector<size_t> offsets(tensor.elementCount());
  if (llvm::Error error = runtime.call<ort::GetStringTensorContent>(value, static_cast<void *>(strings.data()), bytes,
                                                                    offsets.data(), offsets.size()))
    return error;
  for (auto [index, offset] : llvm::enumerate(offsets)) {
    size_t end = index + 1 < offsets.size() ? offsets[index + 1] : bytes;
    tensor.setString(index, llvm::StringRef(strings).slice(offset, end));
  }
  return llvm::Error::success();
}

llvm::Error OrtSession::makeTensor(const Tensor &tensor, ort::Value *&value) {
  if (tensor.isString())
    return makeStrings(tensor, value);
  // ONNX Runtime only reads inputs, although its parameter is not const.
  void *data = const_cast<char *>(tensor.data());
  return runtime.call<ort::CreateTensorWithData>(runtime.memory, data, tensor.sizeBytes(), tensor.shape.data(),
                                                 tensor.shape.size(), static_cast<int>(tensor.type), &value);
}

llvm::Error OrtSession::makeSequence(llvm::ArrayRef<const Tensor *> tensors, ort::Value *&value) {
  llvm::SmallVector<ort::Value *> elements;
  llvm::scope_exit release([&] {
    for (ort::Value *element : elements)
      ort::ReleaseValue::in(runtime.table)(element);
  });
  for (const Tensor *tensor : tensors) {
    ort::Value *element = nullptr;
    if (llvm::Error error = makeTensor(*tensor, element))
      return error;
    elements.push_back(element);
  }
  return runtime.call<ort::CreateValue>(elements.data(), elements.size(), ort::sequenceType, &value);
}

llvm::Error OrtSession::readTypeAndShape(const ort::TensorInfo &info, int &type,
                                         llvm::SmallVectorImpl<int64_t> &shape) const {
  size_t rank = 0;
  if (llvm::Error error = runtime.call<ort::GetTensorElementType>(&info, &type))
    return error;
  if (llvm::Error error = runtime.call<ort::GetDimensionsCount>(&info, &rank))
    return error;
  shape.resize(rank);
  return runtime.call<ort::GetDimensions>(&info, shape.data(), rank);
}

llvm::Expected<Tensor> OrtSession::readConstant(StringRef input, StringRef numbers,
                                                const llvm::StringMap<int64_t> &sizes) const {
  auto place = llvm::find(inputs, input);
  if (place == inputs.end())
    return llvm::createStringError("onnxruntime: expected the name of an input for --constant, got '" + input + "'");
  ort::TypeInfo *info = nullptr;
  if (llvm::Error error = runtime.call<ort::GetInputType>(session, size_t(place - inputs.begin()), &info))
    return error;
  llvm::scope_exit release([&] { ort::ReleaseTypeInfo::in(runtime.table)(info); });
  const ort::TensorInfo *tensor = nullptr;
  if (llvm::Error error = runtime.call<ort::CastToTensorInfo>(info, &tensor))
    return error;
  if (!tensor)
    return llvm::createStringError("onnxruntime: expected a tensor as input '" + input + "' for --constant");
  int type = 0;
  llvm::SmallVector<int64_t> shape;
  if (llvm::Error error = readTypeAndShape(*tensor, type, shape))
    return error;
  llvm::SmallVector<const char *, 4> names(shape.size());
  if (llvm::Error error = runtime.call<ort::GetDimensionNames>(tensor, names.data(), names.size()))
    return error;
  for (auto [axis, size] : llvm::enumerate(shape))
    for (const std::string &name : {std::string(names[axis]), (input + ":" + llvm::Twine(axis)).str()})
      if (auto given = sizes.find(name); size < 0 && given != sizes.end())
        size = given->second;
  return parseTensor(input, static_cast<cameo_element_type>(type), shape, numbers);
}

llvm::Error OrtSession::fixInputs(const llvm::StringMap<std::string> &numbers, const llvm::StringMap<int64_t> &sizes) {
  for (const auto &each : numbers) {
    llvm::Expected<Tensor> constant = readConstant(each.getKey(), each.getValue(), sizes);
    if (!constant)
      return constant.takeError();
    constants.push_back(std::move(*constant));
  }
  return llvm::Error::success();
}

llvm::Error OrtSession::bindInputs(llvm::ArrayRef<Tensor> tensors) {
  releaseValues();
  for (const std::string &name : inputs) {
    const Tensor *constant = findTensor(constants, name), *tensor = constant ? constant : findTensor(tensors, name);
    llvm::SmallVector<const Tensor *> elements = findSequence(tensors, name);
    if (!tensor && elements.empty())
      return llvm::createStringError("onnxruntime: no value for input '" + name +
                                     "'; its C interface cannot leave out an optional input");
    ort::Value *value = nullptr;
    if (llvm::Error error = tensor ? makeTensor(*tensor, value) : makeSequence(elements, value))
      return error;
    inputValues.push_back(value);
  }
  outputValues.assign(outputs.size(), nullptr);
  return llvm::Error::success();
}

llvm::Error OrtSession::run() {
  return runtime.call<ort::Run>(session, nullptr, inputPointers.data(), inputValues.data(), inputValues.size(),
                                outputPointers.data(), outputPointers.size(), outputValues.data());
}

/// Reads a sequence of tensors, see SequenceTensors.h, or one of maps as a matrix with one row per map. The values of a
/// map are in ascending order of its keys.
llvm::Expected<std::vector<Tensor>> OrtSession::readSequence(const ort::Value *sequence, StringRef name) const {
  size_t count = 0;
  if (llvm::Error error = runtime.call<ort::GetValueCount>(sequence, &count))
    return error;
  bool hasMaps = false;
  std::vector<Tensor> elements;
  for (size_t i = 0; i < count; ++i) {
    constexpr int mapValues = 1;
    ort::Value *element = nullptr, *values = nullptr;
    llvm::scope_exit release([&] {
      for (ort::Value *value : {element, values})
        if (value)
          ort::ReleaseValue::in(runtime.table)(value);
    });
    if (llvm::Error error = runtime.call<ort::GetValue>(sequence, static_cast<int>(i), runtime.allocator, &element))
      return error;
    int type = 0;
    if (llvm::Error error = runtime.call<ort::GetValueType>(element, &type))
      return error;
    hasMaps = type == ort::mapType;
    if (hasMaps)
      if (llvm::Error error = runtime.call<ort::GetValue>(element, mapValues, runtime.allocator, &values))
        return error;
    llvm::Expected<Tensor> tensor = readTensor(hasMaps ? values : element, name);
    if (!tensor)
      return tensor.takeError();
    elements.push_back(std::move(*tensor));
  }
  if (!hasMaps)
    return makeSequenceOutputs(name, std::move(elements));
  Tensor all(name.str(), elements[0].type, {static_cast<int64_t>(count), elements[0].elementCount()});
  for (auto [i, row] : llvm::enumerate(elements))
    std::memcpy(all.data() + i * row.sizeBytes(), row.data(), row.sizeBytes());
  elements.clear();
  elements.push_back(std::move(all));
  return elements;
}

llvm::Expected<Tensor> OrtSession::readTensor(const ort::Value *value, StringRef name) const {
  ort::TensorInfo *info = nullptr;
  if (llvm::Error error = runtime.call<ort::GetTensorTypeAndShape>(value, &info))
    return error;
  llvm::scope_exit release([&] { ort::ReleaseTensorInfo::in(runtime.table)(info); });
  int type = 0;
  llvm::SmallVector<int64_t> shape;
  if (llvm::Error error = readTypeAndShape(*info, type, shape))
    return error;
  if (cameo_element_bytes(type) == 0)
    return llvm::createStringError("onnxruntime: output '" + name + "' has an unsupported element type");
  Tensor tensor(name.str(), static_cast<cameo_element_type>(type), shape);
  if (tensor.isString()) {
    if (llvm::Error error = readStrings(value, tensor))
      return error;
    return tensor;
  }
  void *data = nullptr;
  if (llvm::Error error = runtime.call<ort::GetTensorMutableData>(const_cast<ort::Value *>(value), &data))
    return error;
  std::memcpy(tensor.data(), data, tensor.sizeBytes());
  return tensor;
}

llvm::Expected<std::vector<Tensor>> OrtSession::readOutputs() const {
  std::vector<Tensor> tensors;
  for (auto [value, name] : llvm::zip_equal(outputValues, outputs)) {
    int hasValue = 0;
    if (llvm::Error error = runtime.call<ort::HasValue>(value, &hasValue))
      return error;
    if (!hasValue) {
      tensors.push_back(makeAbsentOutput(name));
      continue;
    }
    int type = 0;
    if (llvm::Error error = runtime.call<ort::GetValueType>(value, &type))
      return error;
    if (type == ort::sequenceType) {
      llvm::Expected<std::vector<Tensor>> sequence = readSequence(value, name);
      if (!sequence)
        return sequence.takeError();
      llvm::move(*sequence, std::back_inserter(tensors));
      continue;
    }
    llvm::Expected<Tensor> tensor = readTensor(value, name);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

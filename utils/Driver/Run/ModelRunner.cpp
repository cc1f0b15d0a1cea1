#include "utils/Driver/Run/ModelRunner.h"

#include "cameo/gpu_time.h"
#include "utils/Driver/Run/RandomInputs.h"
#include "utils/Driver/Run/TensorFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>

using namespace cameo;
using llvm::StringRef;

/// Allocates `tensor` for these values of the symbols. Errors name it as `kind`, which is "input" or "output".
static llvm::Expected<Tensor> allocate(const ModelLibrary &library, const cameo_tensor_description &tensor,
                                       llvm::ArrayRef<int64_t> symbols, StringRef kind) {
  auto shape = resolveShape(library.description(), tensor, symbols);
  if (!shape)
    return shape.takeError();
  auto type = static_cast<cameo_element_type>(tensor.element_type);
  if (!fitsMemory(type, *shape))
    return llvm::createStringError(kind + " '" + tensor.name + "': shape " + shapeText(*shape) + " is too large");
  return Tensor(tensor.name, type, *shape);
}

// ---- inputs ----

/// Converts float32 to bfloat16. NumPy has no bfloat16, so files of inputs and outputs hold float32.
static Tensor roundToBfloat(const Tensor &tensor) {
  Tensor rounded(tensor.name, CAMEO_BFLOAT16, tensor.shape);
  for (auto [number, bits] : llvm::zip_equal(tensor.elements<float>(), rounded.elements<uint16_t>()))
    bits = floatToBfloat(number);
  return rounded;
}

static llvm::Expected<Tensor> readInput(const cameo_tensor_description &input, StringRef folder) {
  std::string path = findTensorFile(folder, input.name);
  if (path.empty())
    return llvm::createStringError(folder + ": no file for input '" + input.name + "', expected " +
                                   tensorFileStem(input.name) + ".npy or .pb");
  llvm::Expected<Tensor> tensor = readTensorFile(path);
  if (!tensor)
    return tensor.takeError();
  if (input.element_type == CAMEO_BFLOAT16 && tensor->type == CAMEO_FLOAT32)
    tensor = roundToBfloat(*tensor);
  if (tensor->type != input.element_type)
    return llvm::createStringError(path + ": expected elements of type " + elementTypeName(input.element_type) +
                                   ", got " + elementTypeName(tensor->type));
  tensor->name = input.name;
  return tensor;
}

static llvm::Expected<std::vector<Tensor>> readInputs(const ModelLibrary &library, StringRef folder,
                                                      const DimensionSizes &sizes) {
  if (!llvm::sys::fs::is_directory(folder))
    return llvm::createStringError(folder + ": expected a folder with one .npy or .pb file per input");
  std::vector<Tensor> tensors;
  for (const cameo_tensor_description &input : library.inputs()) {
    llvm::Expected<Tensor> tensor = readInput(input, folder);
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  // Fails if the shapes do not fit the model.
  if (auto symbols = resolveSymbols(library.description(), sizes, tensors); !symbols)
    return symbols.takeError();
  return tensors;
}

llvm::Expected<std::vector<Tensor>> cameo::makeInputs(const ModelLibrary &library, const InputSource &source,
                                                      const DimensionSizes &sizes) {
  if (!source.folder.empty())
    return readInputs(library, source.folder, sizes);
  llvm::Expected<std::vector<int64_t>> symbols = resolveSymbols(library.description(), sizes, {});
  if (!symbols)
    return symbols.takeError();
  std::vector<Tensor> tensors;
  for (auto [index, input] : llvm::enumerate(library.inputs())) {
    llvm::Expected<Tensor> tensor = allocate(library, input, *symbols, "input");
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
    fillRandom(tensors.back(), source.seed * library.inputs().size() + index, source.largestInteger);
  }
  return tensors;
}

// ---- running ----

static llvm::Error statusError(const char *what, cameo_status status) {
  return llvm::createStringError(llvm::Twine(what) + ": " + cameo_status_message(status));
}

llvm::Expected<std::unique_ptr<ModelRunner>> ModelRunner::create(const ModelLibrary &library,
                                                                 const RunOptions &options) {
  std::unique_ptr<ModelRunner> runner(new ModelRunner(library));
  runner->sizes = options.sizes;
  runner->sharesCaches = options.sharesCaches;
  if (options.threads != 1)
    if (cameo_status status = cameo_thread_pool_create(options.threads, &runner->pool))
      return statusError("cannot start the threads", status);
  cameo_context_init(&runner->context, runner->pool);
  const cameo_model_description &model = library.description();
  std::string weights = options.weights.empty() ? library.weightsPath() : options.weights;
  if (model.external_weights_hash != 0 && weights.empty())
    return llvm::createStringError("the model's weights are in a separate file: name it with --weights=FILE");
  cameo_status status = cameo_weights_map(weights.c_str(), &model, &runner->weights);
  if (status == CAMEO_IO_ERROR)
    return llvm::createStringError(weights + ": " + llvm::errnoAsErrorCode().message());
  if (status != CAMEO_OK)
    return llvm::createStringError(weights + ": " + cameo_status_message(status));
  runner->context.weights = runner->weights.base;
  if (library.gpu())
    if (llvm::Error error = runner->loadOnGpu())
      return std::move(error);
  return runner;
}

llvm::Error ModelRunner::loadOnGpu() {
  cameo_status status = cameo_gpu_load(library.gpu(), /*device=*/0, weights.base, &gpu);
  return status == CAMEO_OK ? llvm::Error::success() : llvm::createStringError(cameo_gpu_error());
}

/// Creates a session for the current symbols, which determine the size of its workspace, unless that of the current
/// session is large enough.
llvm::Error ModelRunner::createSession(uint64_t workspaceBytes) {
  if (session && workspaceBytes <= sessionBytes)
    return llvm::Error::success();
  cameo_gpu_session_destroy(session);
  session = nullptr;
  sessionBytes = workspaceBytes;
  cameo_status status = cameo_gpu_session_create(gpu, symbols.data(), &session);
  return status == CAMEO_OK ? llvm::Error::success() : llvm::createStringError(cameo_gpu_error());
}

cameo_status ModelRunner::runOnce() {
  if (session)
    return cameo_gpu_run(session, inputPointers.data(), outputPointers.data(), symbols.data());
  return library.description().run(inputPointers.data(), outputPointers.data(), symbols.data(), workspace.data(),
                                   &context);
}

ModelRunner::~ModelRunner() {
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  cameo_thread_pool_destroy(pool);
  cameo_weights_unmap(&weights);
}

llvm::Error ModelRunner::bindInputs(llvm::ArrayRef<Tensor> tensors) {
  const cameo_model_description &model = library.description();
  llvm::Expected<std::vector<int64_t>> resolved = resolveSymbols(model, sizes, tensors);
  if (!resolved)
    return resolved.takeError();
  symbols = std::move(*resolved);
  inputPointers.clear();
  for (const Tensor &tensor : tensors)
    inputPointers.push_back(tensor.data());
  uint64_t bytes = model.workspace_size(symbols.data());
  if (bytes == UINT64_MAX)
    return llvm::createStringError("the model does not accept these sizes: a dimension would be negative or too large, "
                                   "or two would differ that its nodes "
                                   "join");
  if (!fitsMemory(CAMEO_UINT8, static_cast<int64_t>(bytes)))
    return llvm::createStringError("the workspace is too large: " + llvm::Twine(bytes) + " bytes");
  if (gpu) {
    if (llvm::Error error = createSession(bytes))
      return error;
  } else if (!workspace.data() || workspace.sizeBytes() < bytes) {
    workspace = Tensor("workspace", CAMEO_UINT8, static_cast<int64_t>(bytes));
  }
  return allocateOutputs(tensors);
}

llvm::Error ModelRunner::allocateOutputs(llvm::ArrayRef<Tensor> inputs) {
  outputTensors.clear();
  outputPointers.clear();
  dataShapes.clear();
  const int32_t *shared = sharesCaches ? library.description().shared_inputs : nullptr;
  for (auto [index, output] : llvm::enumerate(library.outputs())) {
    if (shared && shared[index] >= 0) {
      outputTensors.emplace_back();
      outputPointers.push_back(const_cast<char *>(inputs[shared[index]].data()));
      continue;
    }
    llvm::Expected<Tensor> tensor = allocate(library, output, symbols, "output");
    if (!tensor)
      return tensor.takeError();
    if (cameo_tensor_is_data_sized(&library.description(), &output))
      dataShapes.push_back(tensor->shape);
    outputTensors.push_back(std::move(*tensor));
    outputPointers.push_back(outputTensors.back().data());
  }
  for (llvm::SmallVector<int64_t, 4> &shape : dataShapes)
    outputPointers.push_back(shape.data());
  if (library.description().makes_texts)
    outputPointers.push_back(&textArea);
  return llvm::Error::success();
}

void ModelRunner::allocateTextArea(uint64_t bytes) {
  textMemory.resize(bytes);
  textArea.memory = textMemory.data();
  textArea.capacity = bytes;
}

void ModelRunner::takeShapes() {
  auto next = dataShapes.begin();
  for (auto [output, tensor] : llvm::zip_equal(library.outputs(), outputTensors))
    if (cameo_tensor_is_data_sized(&library.description(), &output))
      tensor.shape = *next++;
}

llvm::Error ModelRunner::run() {
  cameo_status status = runOnce();
  // The strings that a run makes may depend on other strings, so one larger area may not be enough.
  while (status == CAMEO_TEXT_AREA_FULL && fitsMemory(CAMEO_UINT8, static_cast<int64_t>(textArea.used))) {
    allocateTextArea(std::max(textArea.used, 2 * textArea.capacity));
    status = runOnce();
  }
  if (status != CAMEO_OK && session)
    return llvm::createStringError(llvm::Twine("run: ") + cameo_gpu_error());
  if (status != CAMEO_OK)
    return statusError("run", status);
  takeShapes();
  return llvm::Error::success();
}

llvm::Expected<std::vector<float>> ModelRunner::timeOnGpu(int runs, bool usesGraph) {
  assert(session && "only where a GPU runs the model");
  // A run first, which makes the area for strings large enough.
  if (library.description().makes_texts)
    if (llvm::Error error = run())
      return std::move(error);
  std::vector<float> times(runs);
  if (cameo_gpu_time_runs(session, inputPointers.data(), outputPointers.data(), symbols.data(), usesGraph,
                          static_cast<uint32_t>(runs), times.data()) != CAMEO_OK)
    return llvm::createStringError(llvm::Twine("run: ") + cameo_gpu_error());
  takeShapes();
  return times;
}

llvm::Expected<std::vector<float>> ModelRunner::timeStepsOnGpu(int runs) {
  assert(session && "only where a GPU runs the model");
  // A run first, which makes the area for strings large enough.
  if (library.description().makes_texts)
    if (llvm::Error error = run())
      return std::move(error);
  // Larger than the caches of GPUs.
  constexpr uint64_t writtenBytes = uint64_t(256) << 20;
  std::vector<float> fastest(library.gpu()->step_count, std::numeric_limits<float>::infinity()), times(fastest.size());
  for (int i = 0; i < runs; ++i) {
    if (cameo_gpu_time_steps(session, inputPointers.data(), outputPointers.data(), symbols.data(), writtenBytes,
                             times.data()) != CAMEO_OK)
      return llvm::createStringError(llvm::Twine("run: ") + cameo_gpu_error());
    for (auto [least, time] : llvm::zip_equal(fastest, times))
      least = std::min(least, time);
  }
  return fastest;
}

std::vector<Tensor> ModelRunner::takeOutputs() {
  for (Tensor &output : outputTensors)
    output.keepStrings();
  std::vector<Tensor> taken = std::move(outputTensors);
  outputTensors.clear();
  outputPointers.clear();
  return taken;
}

llvm::ArrayRef<cameo_task_profile> ModelRunner::startProfile() {
  taskProfiles.resize(library.tasks().size());
  cameo_profile_start(&profile, taskProfiles.data(), static_cast<uint32_t>(taskProfiles.size()), &context);
  return taskProfiles;
}

llvm::Expected<BoundModel> cameo::bindModel(StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs) {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(path);
  if (!library)
    return library.takeError();
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(**library, options);
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = (*runner)->bindInputs(inputs))
    return std::move(error);
  return BoundModel{std::move(*library), std::move(*runner)};
}

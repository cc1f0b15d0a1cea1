#include "utils/cameo/Bench/BenchSteps.h"

#include "utils/Driver/Run/RandomInputs.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo;
using llvm::StringRef;

namespace {

/// An input that is filled by an output of the previous run, or that shares the memory of that output.
struct Cache {
  size_t input, output;
  bool isShared;
};

/// The meaning of an input.
enum class Role { Tokens, Mask, Positions, HasPast, Cache };

} // namespace

static std::optional<Role> roleOf(const cameo_tensor_description &input) {
  StringRef name = input.name;
  bool isInteger = input.element_type == CAMEO_INT64 || input.element_type == CAMEO_INT32;
  if (isInteger && input.rank == 2) {
    if (name == "input_ids")
      return Role::Tokens;
    if (name == "attention_mask")
      return Role::Mask;
    if (name == "position_ids")
      return Role::Positions;
  }
  if (input.element_type == CAMEO_BOOL && name == "use_cache_branch")
    return Role::HasPast;
  return std::nullopt;
}

struct DecoderSession::Impl {
  Impl(const ModelLibrary &library, const RunOptions &options, StepCounts counts, uint64_t seed, bool usesGraph)
      : library(library), options(options), counts(counts), seed(seed), usesGraph(usesGraph) {}

  llvm::Error findInputs();
  llvm::Error findCache(size_t input);
  llvm::Error findSizes();
  llvm::Error bind(int64_t newTokens, int64_t past);
  llvm::Expected<double> timeMs();
  llvm::Expected<double> runMs(int64_t newTokens, int64_t past);
  llvm::Expected<std::pair<double, double>> runSession();

  /// Returns the value of a stated size; nothing if it is a symbol or a derived size without a value.
  std::optional<int64_t> sizeOf(int64_t stated) const;
  /// Sets the size of the symbol `stated`, unless it has one. Does nothing for a constant size.
  void setSize(int64_t stated, int64_t size);
  llvm::Expected<Tensor> make(const cameo_tensor_description &input) const;

  const ModelLibrary &library;
  RunOptions options;
  StepCounts counts;
  uint64_t seed;
  bool usesGraph;
  std::unique_ptr<ModelRunner> runner;
  std::vector<Role> roles; ///< by input
  std::vector<Cache> caches;
  std::vector<Tensor> tensors;
  std::vector<std::optional<int64_t>> symbols, chosen; ///< sizes in this run, and those that the user chose
  int64_t batch = 1, capacity = 0, vocabulary = 0;
  size_t tokens = 0; ///< index of the input with the tokens
};

// ---- what the model's inputs are ----

/// Finds the output that is the cache after a run: the one that shares the input's memory, or the one named "present"
/// instead of "past".
llvm::Error DecoderSession::Impl::findCache(size_t input) {
  const cameo_model_description &model = library.description();
  for (auto [output, description] : llvm::enumerate(library.outputs()))
    if (model.shared_inputs && model.shared_inputs[output] == static_cast<int32_t>(input)) {
      caches.push_back({input, output, true});
      return llvm::Error::success();
    }
  StringRef name = library.inputs()[input].name;
  if (StringRef rest = name; rest.consume_front("past_key_values") || rest.consume_front("past"))
    for (auto [output, description] : llvm::enumerate(library.outputs()))
      if (description.name == ("present" + rest).str()) {
        caches.push_back({input, output, false});
        return llvm::Error::success();
      }
  return llvm::createStringError("--steps: input '" + name +
                                 "': expected input_ids, attention_mask, position_ids, use_cache_branch or a cache: an "
                                 "input whose memory an output may be (--alias), or past... and an output present...");
}

llvm::Error DecoderSession::Impl::findInputs() {
  std::optional<size_t> found;
  for (auto [index, input] : llvm::enumerate(library.inputs())) {
    std::optional<Role> role = roleOf(input);
    roles.push_back(role.value_or(Role::Cache));
    if (role == Role::Tokens)
      found = index;
    if (!role)
      if (llvm::Error error = findCache(index))
        return error;
  }
  if (!found)
    return llvm::createStringError("--steps: expected an input 'input_ids' of rank 2, the new tokens of each entry");
  if (caches.empty())
    return llvm::createStringError("--steps: expected inputs that are caches, found none");
  if (!llvm::all_equal(llvm::map_range(caches, [](const Cache &cache) { return cache.isShared; })))
    return llvm::createStringError("--steps: expected all caches to be one buffer with an output, or none");
  tokens = *found;
  return llvm::Error::success();
}

std::optional<int64_t> DecoderSession::Impl::sizeOf(int64_t stated) const {
  if (stated >= 0)
    return stated;
  size_t symbol = -1 - stated;
  return symbol < symbols.size() ? symbols[symbol] : std::nullopt;
}

void DecoderSession::Impl::setSize(int64_t stated, int64_t size) {
  size_t symbol = -1 - stated;
  if (stated < 0 && symbol < symbols.size() && !symbols[symbol])
    symbols[symbol] = size;
}

/// Makes an input with the sizes of the run.
llvm::Expected<Tensor> DecoderSession::Impl::make(const cameo_tensor_description &input) const {
  const cameo_model_description &model = library.description();
  std::vector<int64_t> sizes;
  for (auto [number, size] : llvm::enumerate(symbols)) {
    if (!size)
      return llvm::createStringError("--steps: dimension '" + llvm::Twine(model.symbols[number]) +
                                     "' has no size: give one with --dim");
    sizes.push_back(*size);
  }
  auto shape = resolveShape(model, input, sizes);
  if (!shape)
    return shape.takeError();
  auto type = static_cast<cameo_element_type>(input.element_type);
  if (!fitsMemory(type, *shape))
    return llvm::createStringError("--steps: input '" + llvm::Twine(input.name) + "': shape " + shapeText(*shape) +
                                   " is too large");
  return Tensor(input.name, type, *shape);
}

/// The rows of a cache are its last dimension but one.
static int64_t statedRows(const cameo_tensor_description &cache) { return cache.shape[cache.rank - 2]; }

llvm::Error DecoderSession::Impl::findSizes() {
  const cameo_model_description &model = library.description();
  chosen.resize(model.symbol_count);
  for (uint32_t i = 0; i < model.symbol_count; ++i)
    if (auto given = options.sizes.find(model.symbols[i]); given != options.sizes.end())
      chosen[i] = given->second;
  // The sizes of each run are taken from its inputs.
  options.sizes.clear();
  options.sharesCaches = true;
  symbols = chosen;
  setSize(library.inputs()[tokens].shape[0], 1);
  batch = sizeOf(library.inputs()[tokens].shape[0]).value_or(1);
  std::optional<int64_t> newTokens = sizeOf(library.inputs()[tokens].shape[1]);
  if (newTokens && *newTokens != 1)
    return llvm::createStringError("--steps: expected input_ids of one token, or of as many as a run chooses, got " +
                                   llvm::Twine(*newTokens));
  for (const Cache &cache : caches) {
    const cameo_tensor_description &input = library.inputs()[cache.input];
    if (input.rank < 2)
      return llvm::createStringError("--steps: input '" + llvm::Twine(input.name) +
                                     "': expected a cache of rank 2 or more");
    if (!cache.isShared)
      continue;
    int64_t needed = counts.prompt + counts.steps;
    setSize(statedRows(input), needed);
    int64_t rows = sizeOf(statedRows(input)).value_or(0);
    if (rows < needed)
      return llvm::createStringError("--steps: input '" + llvm::Twine(input.name) + "': expected a cache of " +
                                     llvm::Twine(needed) + " rows or more for prompt and steps, got " +
                                     llvm::Twine(rows));
    capacity = rows;
  }
  chosen = symbols;
  for (const cameo_tensor_description &output : library.outputs())
    if (StringRef(output.name) == "logits" && output.rank > 0)
      vocabulary = sizeOf(output.shape[output.rank - 1]).value_or(0);
  if (vocabulary <= 0)
    return llvm::createStringError(
        "--steps: expected an output 'logits' whose last dimension is the known number of tokens");
  return llvm::Error::success();
}

// ---- inputs of a run ----

template <typename T> static void fillTokens(Tensor &tensor, Role role, int64_t past, int64_t valid) {
  llvm::MutableArrayRef<T> all = tensor.elements<T>();
  int64_t columns = tensor.shape[1];
  for (int64_t i = 0; i < static_cast<int64_t>(all.size()); ++i)
    all[i] = static_cast<T>(role == Role::Mask ? i % columns < valid : past + i % columns);
}

/// Binds the inputs of a run with `newTokens` tokens after `past` tokens. Creates the caches if there are no tokens
/// before.
llvm::Error DecoderSession::Impl::bind(int64_t newTokens, int64_t past) {
  symbols = chosen;
  setSize(library.inputs()[tokens].shape[1], newTokens);
  for (const Cache &cache : caches)
    setSize(statedRows(library.inputs()[cache.input]), past);
  for (auto [input, role] : llvm::zip_equal(library.inputs(), roles))
    if (role == Role::Mask)
      setSize(input.shape[1], past + newTokens);
  for (auto [index, input, role] : llvm::enumerate(library.inputs(), roles)) {
    if (role == Role::Cache && past > 0)
      continue;
    llvm::Expected<Tensor> tensor = make(input);
    if (!tensor)
      return tensor.takeError();
    if (role == Role::HasPast)
      llvm::fill(tensor->elements<bool>(), past > 0);
    else if (role == Role::Tokens)
      fillRandom(*tensor, seed + past, vocabulary - 1);
    else if (role != Role::Cache && tensor->type == CAMEO_INT64)
      fillTokens<int64_t>(*tensor, role, past, past + newTokens);
    else if (role != Role::Cache)
      fillTokens<int32_t>(*tensor, role, past, past + newTokens);
    tensors[index] = std::move(*tensor);
  }
  return runner->bindInputs(tensors);
}

// ---- runs ----

/// Runs once, on a GPU twice: before the run that counts, the device does the same, as it does in the step before, and
/// is not idle. Writing the same rows of a cache again changes nothing.
llvm::Expected<double> DecoderSession::Impl::timeMs() {
  if (library.gpu()) {
    llvm::Expected<std::vector<float>> times = runner->timeOnGpu(/*runs=*/2, usesGraph);
    if (!times)
      return times.takeError();
    return times->back();
  }
  uint64_t begin = cameo_now();
  if (llvm::Error error = runner->run())
    return error;
  return static_cast<double>(cameo_now() - begin) / 1e6;
}

llvm::Expected<double> DecoderSession::Impl::runMs(int64_t newTokens, int64_t past) {
  // Caches that grow are outputs of the previous run.
  if (past > 0 && !caches.front().isShared) {
    std::vector<Tensor> outputs = runner->takeOutputs();
    for (const Cache &cache : caches) {
      outputs[cache.output].name = library.inputs()[cache.input].name;
      tensors[cache.input] = std::move(outputs[cache.output]);
    }
  }
  if (llvm::Error error = bind(newTokens, past))
    return error;
  return timeMs();
}

/// Returns the times of the prompt and of all steps in ms.
llvm::Expected<std::pair<double, double>> DecoderSession::Impl::runSession() {
  symbols = chosen;
  std::optional<int64_t> fixed = sizeOf(library.inputs()[tokens].shape[1]);
  int64_t piece = fixed.value_or(counts.prompt);
  std::pair<double, double> times(0, 0);
  for (int64_t past = 0; past < counts.prompt + counts.steps; past += past < counts.prompt ? piece : 1) {
    bool isPrompt = past < counts.prompt;
    llvm::Expected<double> ms = runMs(isPrompt ? piece : 1, past);
    if (!ms)
      return ms.takeError();
    (isPrompt ? times.first : times.second) += *ms;
  }
  return times;
}

DecoderSession::DecoderSession(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
DecoderSession::~DecoderSession() = default;
ModelRunner &DecoderSession::runner() { return *impl->runner; }
llvm::ArrayRef<Tensor> DecoderSession::inputs() const { return impl->tensors; }

llvm::Expected<std::unique_ptr<DecoderSession>> DecoderSession::create(const ModelLibrary &library,
                                                                       const RunOptions &options, StepCounts counts,
                                                                       uint64_t seed, bool usesGraph) {
  auto impl = std::make_unique<Impl>(library, options, counts, seed, usesGraph);
  if (llvm::Error error = impl->findInputs())
    return std::move(error);
  if (llvm::Error error = impl->findSizes())
    return std::move(error);
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(library, impl->options);
  if (!runner)
    return runner.takeError();
  impl->runner = std::move(*runner);
  impl->tensors.resize(library.inputs().size());
  return std::unique_ptr<DecoderSession>(new DecoderSession(std::move(impl)));
}

llvm::Expected<StepTimes> DecoderSession::measure(int sessions) {
  std::vector<double> prompts, steps;
  for (int session = -1; session < sessions; ++session) {
    llvm::Expected<std::pair<double, double>> times = impl->runSession();
    if (!times)
      return times.takeError();
    if (session < 0)
      continue;
    prompts.push_back(times->first);
    steps.push_back(times->second / static_cast<double>(impl->counts.steps));
  }
  return StepTimes{impl->counts, impl->batch, impl->capacity, summarizeTimes(prompts), summarizeTimes(steps)};
}

// The C functions of compiler.h over CompileModel.h.
#include "cameo/compiler.h"

#include "utils/Driver/CompileModel.h"
#include "utils/Driver/DeepStack.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/cameo/CompileArguments.h"

using namespace cameo;
using llvm::StringRef;

static_assert(static_cast<int>(Severity::Error) == CAMEO_COMPILER_ERROR &&
                  static_cast<int>(Severity::Warning) == CAMEO_COMPILER_WARNING &&
                  static_cast<int>(Severity::Note) == CAMEO_COMPILER_NOTE &&
                  static_cast<int>(Severity::Remark) == CAMEO_COMPILER_REMARK,
              "the numbers of severities are part of the interface");

struct cameo_compiler final : DiagnosticSink {
  cameo_compiler() { arguments.declare(line); }

  void report(Severity severity, StringRef place, StringRef message) override {
    if (messageHandler)
      messageHandler(messageUser, static_cast<cameo_compiler_severity>(severity), place.str().c_str(),
                     message.str().c_str());
    else
      standardErrorSink().report(severity, place, message);
  }

  void beginPhase(StringRef phase) override {
    if (phaseHandler)
      phaseHandler(phaseUser, phase.str().c_str());
  }

  /// The options of a run; fails after a message.
  std::optional<CompileOptions> finish() {
    CompileOptions options = arguments.finish();
    if (options.model.empty() != modelPath.has_value()) {
      report(Severity::Error, "",
             modelPath ? "expected one model, got a file and one in memory" : "expected a model, got none");
      return std::nullopt;
    }
    if (modelPath && modelPath->empty()) {
      report(Severity::Error, "", "expected a path that names the model in memory, got an empty one");
      return std::nullopt;
    }
    if (modelPath) {
      options.model = *modelPath;
      options.modelBytes = modelBytes;
    }
    options.memory = keepsOutputs ? &outputs : nullptr;
    options.isCancelled = &isCancelled;
    return options;
  }

  CommandLine line{"compile", "Compile a model to an object file and a header"};
  CompileArguments arguments;
  std::optional<std::string> modelPath; ///< of a model in memory
  StringRef modelBytes;
  bool keepsOutputs = false;
  MemoryOutputs outputs;
  std::atomic<bool> isCancelled = false;
  cameo_compiler_message_handler messageHandler = nullptr;
  void *messageUser = nullptr;
  cameo_compiler_phase_handler phaseHandler = nullptr;
  void *phaseUser = nullptr;
};

int cameo_compiler_api_version(void) { return CAMEO_COMPILER_API_VERSION; }

const char *cameo_compiler_version(void) { return CAMEO_VERSION; }

cameo_compiler *cameo_compiler_create(void) { return new cameo_compiler; }

void cameo_compiler_destroy(cameo_compiler *compiler) { delete compiler; }

void cameo_compiler_set_message_handler(cameo_compiler *compiler, cameo_compiler_message_handler handler, void *user) {
  compiler->messageHandler = handler;
  compiler->messageUser = user;
}

void cameo_compiler_set_phase_handler(cameo_compiler *compiler, cameo_compiler_phase_handler handler, void *user) {
  compiler->phaseHandler = handler;
  compiler->phaseUser = user;
}

cameo_compiler_status cameo_compiler_add_argument(cameo_compiler *compiler, const char *argument) {
  if (!argument || !*argument) {
    compiler->report(Severity::Error, "",
                     argument ? "expected an argument, got an empty one" : "expected an argument, got NULL");
    return CAMEO_COMPILER_FAILURE;
  }
  llvm::Error error = compiler->line.add(argument);
  if (!error)
    return CAMEO_COMPILER_SUCCESS;
  compiler->report(Severity::Error, "", llvm::toString(std::move(error)));
  return CAMEO_COMPILER_FAILURE;
}

void cameo_compiler_set_model(cameo_compiler *compiler, const char *path, const void *data, size_t size) {
  compiler->modelPath = path ? std::optional<std::string>(path) : std::nullopt;
  compiler->modelBytes = StringRef(static_cast<const char *>(data), size);
}

void cameo_compiler_keep_outputs(cameo_compiler *compiler) { compiler->keepsOutputs = true; }

cameo_compiler_status cameo_compiler_run(cameo_compiler *compiler) {
  std::optional<CompileOptions> options = compiler->finish();
  if (!options)
    return CAMEO_COMPILER_FAILURE;
  llvm::LogicalResult result = llvm::failure();
  runOnDeepStack([&] {
    UseDiagnosticSink use(*compiler);
    result = compileModel(*options);
  });
  if (llvm::succeeded(result))
    return CAMEO_COMPILER_SUCCESS;
  return compiler->isCancelled.exchange(false) ? CAMEO_COMPILER_CANCELLED : CAMEO_COMPILER_FAILURE;
}

void cameo_compiler_cancel(cameo_compiler *compiler) { compiler->isCancelled = true; }

const void *cameo_compiler_get_output(const cameo_compiler *compiler, cameo_compiler_output output, size_t *size) {
  const llvm::SmallVector<char, 0> &bytes = output == CAMEO_COMPILER_MAIN     ? compiler->outputs.output
                                            : output == CAMEO_COMPILER_HEADER ? compiler->outputs.header
                                                                              : compiler->outputs.weights;
  *size = bytes.size();
  return bytes.empty() ? nullptr : bytes.data();
}

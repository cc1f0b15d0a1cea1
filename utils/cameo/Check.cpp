// cameo check: reports everything that is not supported in a model, without reading its weights.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Inspect/InspectModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"

using namespace cameo;

namespace {

class CheckCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description(
        "Lists everything in a model that cannot be compiled: operator, version, attribute, element type or rank, "
        "each once, with the number of nodes and their names. Does not read weights, so it takes well under a second.");
    line.positional("MODEL.onnx", "The model.", options.model);
    line.group("options");
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    declarePlugins(line, options.plugins);
    declareExterns(line, options.externs);
    declareGpuName(line, options.gpu, options.gpuMath, "List also what an NVIDIA GPU cannot do yet.");
    line.flag("--json", "Print JSON instead of text.", options.json);
    line.example("cameo check bert.onnx --gpu=h100", "The same for a model that a GPU is to run.");
    line.example("cameo check bert.onnx", "Says that all is supported, or lists what is not.");
    line.exitStatus("0 when everything is supported, 1 when something is not or on any error.");
  }

  int run() override {
    PrintableStream text(llvm::outs());
    llvm::raw_ostream &os = options.json ? static_cast<llvm::raw_ostream &>(llvm::outs()) : text;
    return checkSupport(options, os) ? 0 : 1;
  }

private:
  CheckOptions options;
};

} // namespace

std::unique_ptr<Command> cameo::createCheckCommand() { return std::make_unique<CheckCommand>(); }

// cameo run: runs a model or a compiled library once and prints or writes its outputs.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/Driver/Run/TensorFile.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace cameo;

namespace {

class RunCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Runs a model once and prints a line per output: name, type, shape, minimum, maximum and mean, "
                     "and the first elements.");
    line.positional("MODEL|LIB", "An ONNX file, which is compiled first, or a library made with --emit=lib.",
                    options.model);
    line.group("data");
    inputs.declare(line);
    line.text("--output-dir", "DIR", "Write each output to DIR/NAME.npy; creates the folder. Default: write nothing.",
              outputFolder, Completes::Folder);
    line.choice("--format", "Of the files written. Default: npy.", {"npy", "pb"}, format);
    line.text("--weights", "FILE", "The weights of a library compiled with --weights.", options.weights,
              Completes::File);
    line.group("execution");
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    declarePlugins(line, options.plugins);
    declareExterns(line, options);
    declareRunThreads(line, threads);
    declareRounding(line, options);
    declareGpu(line, options);
    declareGpuLaunch(line, options);
    line.flag("--naive", "Compile on the reference path.", options.naive);
    line.example("cameo run resnet18.onnx", "Compiles and runs on random inputs.");
    line.example("cameo run net.so --inputs data --output-dir out", "Reads data/NAME.npy, writes out/NAME.npy.");
  }

  int run() override;

private:
  llvm::Error execute(const ModelLibrary &library);
  llvm::Error write(llvm::ArrayRef<Tensor> outputs) const;

  CompileOptions options;
  InputOptions inputs;
  std::string outputFolder, format = "npy";
  int64_t threads = 1;
};

} // namespace

constexpr int64_t shownElements = 6;

static void printTexts(const Tensor &tensor) {
  llvm::outs() << printable(tensor.name) << ": " << elementTypeName(tensor.type) << ' ' << shapeText(tensor.shape)
               << "  [";
  int64_t count = tensor.elementCount();
  for (int64_t i = 0; i < std::min(count, shownElements); ++i) {
    llvm::outs() << (i ? " \"" : "\"");
    llvm::printEscapedString(tensor.stringAt(i), llvm::outs());
    llvm::outs() << '"';
  }
  llvm::outs() << (count > shownElements ? " ...]\n" : "]\n");
}

static void printSummary(const Tensor &tensor) {
  if (tensor.isString())
    return printTexts(tensor);
  double low = INFINITY, high = -INFINITY, sum = 0;
  int64_t count = tensor.elementCount();
  for (int64_t i = 0; i < count; ++i) {
    double value = tensor.valueAt(i);
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  llvm::outs() << printable(tensor.name) << ": " << elementTypeName(tensor.type) << ' ' << shapeText(tensor.shape);
  if (count > 0) {
    llvm::outs() << llvm::format("  min %.6g  max %.6g  mean %.6g  [", low, high, sum / count);
    for (int64_t i = 0; i < std::min(count, shownElements); ++i)
      llvm::outs() << llvm::format(i ? " %.6g" : "%.6g", tensor.valueAt(i));
    llvm::outs() << (count > shownElements ? " ...]" : "]");
  }
  llvm::outs() << '\n';
}

llvm::Error RunCommand::write(llvm::ArrayRef<Tensor> outputs) const {
  if (std::error_code error = llvm::sys::fs::create_directories(outputFolder))
    return llvm::createStringError(error, outputFolder + ": " + error.message());
  OutputFiles files;
  for (const Tensor &output : outputs) {
    llvm::SmallString<256> path(outputFolder);
    llvm::sys::path::append(path, tensorFileStem(output.name) + "." + format);
    constexpr uint64_t mostProtoBytes = INT32_MAX;
    if (format == "pb" && output.sizeBytes() > mostProtoBytes)
      return llvm::createStringError(path + ": a TensorProto holds less than 2 GiB, got " +
                                     llvm::Twine(output.sizeBytes()) + " bytes; --format=npy has no limit");
    llvm::Expected<llvm::raw_pwrite_stream *> stream = files.open(path);
    if (!stream)
      return stream.takeError();
    **stream << (format == "npy" ? encodeNpy(output) : encodeTensorProto(output));
  }
  return files.commit();
}

llvm::Error RunCommand::execute(const ModelLibrary &library) {
  llvm::Expected<std::vector<Tensor>> tensors = makeInputs(library, inputs.source(), options.sizes);
  if (!tensors)
    return tensors.takeError();
  RunOptions runOptions{static_cast<int>(threads), options.weights, options.sizes};
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(library, runOptions);
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = (*runner)->bindInputs(*tensors))
    return error;
  if (llvm::Error error = (*runner)->run())
    return error;
  for (const Tensor &output : (*runner)->outputs())
    printSummary(output);
  return outputFolder.empty() ? llvm::Error::success() : write((*runner)->outputs());
}

int RunCommand::run() {
  options.threads = std::max<int>(1, static_cast<int>(threads));
  std::unique_ptr<ModelLibrary> library = loadModel(options);
  if (!library)
    return 1;
  if (llvm::Error error = execute(*library))
    return fail(std::move(error));
  return 0;
}

std::unique_ptr<Command> cameo::createRunCommand() { return std::make_unique<RunCommand>(); }

// cameo verify: the optimised code against the naive path of the same compiler, or against ONNX Runtime.
#include "utils/Driver/CompareTensors.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/OnnxRuntime.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace cameo;

namespace {

/// Gives the expected outputs for some inputs.
class Reference {
public:
  virtual ~Reference() = default;
  virtual llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<Tensor> inputs) = 0;
};

class LibraryReference : public Reference {
public:
  LibraryReference(std::unique_ptr<ModelLibrary> library, std::unique_ptr<ModelRunner> runner)
      : library(std::move(library)), runner(std::move(runner)) {}
  llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<Tensor> inputs) override {
    if (llvm::Error error = runner->bindInputs(inputs))
      return error;
    if (llvm::Error error = runner->run())
      return error;
    return runner->takeOutputs();
  }

private:
  std::unique_ptr<ModelLibrary> library;
  std::unique_ptr<ModelRunner> runner;
};

class OnnxRuntimeReference : public Reference {
public:
  OnnxRuntimeReference(std::unique_ptr<OnnxRuntime> runtime, std::unique_ptr<OrtSession> session)
      : runtime(std::move(runtime)), session(std::move(session)) {}
  llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<Tensor> inputs) override {
    if (llvm::Error error = session->bindInputs(inputs))
      return error;
    if (llvm::Error error = session->run())
      return error;
    return session->readOutputs();
  }

private:
  std::unique_ptr<OnnxRuntime> runtime;
  std::unique_ptr<OrtSession> session;
};

struct OutputReport {
  std::string name;
  cameo_element_type type;
  std::string shape;
  int64_t seed;
  Difference difference;
};

class VerifyCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  llvm::Error verify(const ModelLibrary &library);
  llvm::Expected<std::unique_ptr<Reference>> createReference();
  llvm::Error compareRound(const ModelLibrary &library, ModelRunner &runner, Reference &reference, int64_t round);
  void printTable() const;
  void printJson() const;

  CompileOptions options;
  InputOptions inputs;
  Tolerance tolerance;
  std::optional<double> absolute;
  std::string against = "naive", libraryPath;
  int64_t threads = 1, rounds = 1;
  bool json = false;
  std::vector<OutputReport> reports;
};

} // namespace

void VerifyCommand::declare(CommandLine &line) {
  line.description(
      "Compiles the model, runs it and a reference on the same inputs, and prints per output: the largest absolute error, "
      "the largest relative error and the largest error in units in the last place (both over elements of at least a "
      "thousandth of the output's largest magnitude), the largest magnitude, and the bound on the absolute error. Integers "
      "must be equal.");
  line.positional("MODEL.onnx", "The model.", options.model);
  line.group("code");
  line.text("--library", "LIB", "Judge this library, made with --emit=lib, instead of compiling the model.", libraryPath,
            Completes::File);
  declareRounding(line, options);
  line.group("reference");
  line.choice("--against",
              "naive: the reference path of this compiler; onnxruntime: its library, found through ORT_LIBRARY or the npm "
              "package onnxruntime-node in this directory or above, without optimisations, some of which change results. Default: "
              "naive.",
              {"naive", "onnxruntime"}, against);
  line.number("--atol", "E", "Absolute error that is always allowed. Default: 0.", absolute);
  line.number("--rtol", "E",
              "Error that is allowed in addition, times the output's largest magnitude. Default: 3e-5 for float32, 1e-9 for "
              "float64, 5e-3 for float16, 4e-2 for bfloat16.",
              tolerance.relative);
  line.group("data");
  inputs.declare(line);
  line.integer("--rounds", "N", "Sets of random inputs to try, with seeds from --seed on. Default: 1.", rounds, 1, 1000);
  line.group("execution");
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declareRunThreads(line, threads);
  line.flag("--json", "Print JSON instead of a table.", json);
  line.example("cameo verify resnet18.onnx", "Optimised against naive code.");
  line.example("cameo verify bert.onnx --against onnxruntime --rounds 3 --rtol 1e-4", "Three sets of inputs, own bound.");
  line.exitStatus("0 when every output is within its bound, 1 when one is not or on any error.");
}

llvm::Expected<std::unique_ptr<Reference>> VerifyCommand::createReference() {
  if (against == "naive") {
    CompileOptions naive = options;
    naive.naive = true;
    std::unique_ptr<ModelLibrary> library = loadModel(naive);
    if (!library)
      return llvm::createStringError("the naive path does not compile the model");
    llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(*library, {1, "", options.sizes});
    if (!runner)
      return runner.takeError();
    return std::make_unique<LibraryReference>(std::move(library), std::move(*runner));
  }
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    return path.takeError();
  llvm::Expected<std::unique_ptr<OnnxRuntime>> runtime = OnnxRuntime::load(*path);
  if (!runtime)
    return runtime.takeError();
  llvm::Expected<std::unique_ptr<OrtSession>> session = (*runtime)->open(options.model, 1, OnnxRuntime::Optimisation::None);
  if (!session)
    return session.takeError();
  return std::make_unique<OnnxRuntimeReference>(std::move(*runtime), std::move(*session));
}

llvm::Error VerifyCommand::compareRound(const ModelLibrary &library, ModelRunner &runner, Reference &reference,
                                        int64_t round) {
  llvm::Expected<std::vector<Tensor>> tensors = makeInputs(library, inputs.source(round), options.sizes);
  if (!tensors)
    return tensors.takeError();
  if (llvm::Error error = runner.bindInputs(*tensors))
    return error;
  if (llvm::Error error = runner.run())
    return error;
  llvm::Expected<std::vector<Tensor>> expected = reference.run(*tensors);
  if (!expected)
    return expected.takeError();
  for (const Tensor &actual : runner.outputs()) {
    auto other = llvm::find_if(*expected, [&](const Tensor &each) { return each.name == actual.name; });
    if (other == expected->end())
      return llvm::createStringError("the reference has no output '" + actual.name + "'");
    if (other->type != actual.type || other->shape != actual.shape)
      return llvm::createStringError("output '" + actual.name + "': expected " + elementTypeName(other->type) + " " +
                                     shapeText(other->shape) + ", got " + elementTypeName(actual.type) + " " +
                                     shapeText(actual.shape));
    reports.push_back({actual.name, actual.type, shapeText(actual.shape), inputs.seed + round,
                       compareTensors(actual, *other, tolerance)});
  }
  return llvm::Error::success();
}

llvm::Error VerifyCommand::verify(const ModelLibrary &library) {
  llvm::Expected<std::unique_ptr<Reference>> reference = createReference();
  if (!reference)
    return reference.takeError();
  auto runner = ModelRunner::create(library, {static_cast<int>(threads), "", options.sizes});
  if (!runner)
    return runner.takeError();
  if (!inputs.folder.empty())
    rounds = 1;
  for (int64_t round = 0; round < rounds; ++round)
    if (llvm::Error error = compareRound(library, **runner, **reference, round))
      return error;
  return llvm::Error::success();
}

void VerifyCommand::printTable() const {
  llvm::raw_ostream &os = llvm::outs();
  size_t width = 6;
  for (const OutputReport &report : reports)
    width = std::max(width, report.name.size());
  os << llvm::left_justify("output", width)
     << "  seed  max abs    max rel    max ulp    largest    bound      result\n";
  for (const OutputReport &report : reports) {
    const Difference &d = report.difference;
    os << llvm::left_justify(report.name, width)
       << llvm::format("  %-4lld  %-9.3g  %-9.3g  %-9.3g  %-9.3g  %-9.3g  ", static_cast<long long>(report.seed),
                       d.maxAbsolute, d.maxRelative, d.maxUlp, d.largest, d.bound);
    llvm::WithColor color(os, d.withinBound ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED);
    color << (d.withinBound ? "ok" : "too far") << '\n';
  }
}

/// JSON has no infinity: an error without measure is null.
static llvm::json::Value number(double value) {
  return std::isfinite(value) ? llvm::json::Value(value) : llvm::json::Value(nullptr);
}

void VerifyCommand::printJson() const {
  llvm::json::Array outputs;
  for (const OutputReport &report : reports) {
    const Difference &d = report.difference;
    outputs.push_back(llvm::json::Object{{"name", report.name},
                                         {"type", elementTypeName(report.type)},
                                         {"shape", report.shape},
                                         {"seed", report.seed},
                                         {"max_abs", number(d.maxAbsolute)},
                                         {"max_rel", number(d.maxRelative)},
                                         {"max_ulp", number(d.maxUlp)},
                                         {"largest", number(d.largest)},
                                         {"bound", number(d.bound)},
                                         {"ok", d.withinBound}});
  }
  llvm::json::Value all = llvm::json::Object{{"model", options.model}, {"against", against}, {"outputs", std::move(outputs)}};
  llvm::outs() << llvm::formatv("{0:2}\n", all);
}

int VerifyCommand::run() {
  tolerance.absolute = absolute.value_or(0);
  options.threads = std::max<int>(1, static_cast<int>(threads));
  CompileOptions judged = options;
  if (!libraryPath.empty())
    judged.model = libraryPath;
  std::unique_ptr<ModelLibrary> library = loadModel(judged);
  if (!library)
    return 1;
  if (llvm::Error error = verify(*library))
    return fail(std::move(error));
  json ? printJson() : printTable();
  return llvm::all_of(reports, [](const OutputReport &report) { return report.difference.withinBound; }) ? 0 : 1;
}

std::unique_ptr<Command> cameo::createVerifyCommand() { return std::make_unique<VerifyCommand>(); }

// cameo verify: compares the optimised code, or ONNX Runtime, with the naive path of the same compiler, in float32 or
// float64, or with ONNX Runtime.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/OutputPrecision.h"
#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/OnnxRuntime.h"
#include "utils/Driver/Run/SequenceTensors.h"
#include "utils/cameo/BisectReport.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace cameo;

namespace {

/// Computes outputs for some inputs: those to verify, or the expected ones.
class Side {
public:
  virtual ~Side() = default;
  virtual llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<Tensor> inputs) = 0;
  /// Returns the library that describes the inputs; null if there is none.
  virtual const ModelLibrary *description() const { return nullptr; }
};

class LibrarySide : public Side {
public:
  LibrarySide(std::unique_ptr<ModelLibrary> library, std::unique_ptr<ModelRunner> runner)
      : library(std::move(library)), runner(std::move(runner)) {}
  llvm::Expected<std::vector<Tensor>> run(llvm::ArrayRef<Tensor> inputs) override {
    if (llvm::Error error = runner->bindInputs(inputs))
      return error;
    if (llvm::Error error = runner->run())
      return error;
    return runner->takeOutputs();
  }
  const ModelLibrary *description() const override { return library.get(); }

private:
  std::unique_ptr<ModelLibrary> library;
  std::unique_ptr<ModelRunner> runner;
};

class OnnxRuntimeSide : public Side {
public:
  OnnxRuntimeSide(std::unique_ptr<OnnxRuntime> runtime, std::unique_ptr<OrtSession> session)
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

using ExpectedSide = llvm::Expected<std::unique_ptr<Side>>;

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
  /// Returns null if the compiler has reported an error.
  ExpectedSide compile(const CompileOptions &code, int threadCount);
  ExpectedSide openOnnxRuntime();
  ExpectedSide createJudged();
  ExpectedSide createReference();
  /// Returns false if an error was printed.
  llvm::Expected<bool> verify();
  bool bisect();
  llvm::Error compareRound(Side &judged, Side &reference, const ModelLibrary &library, int64_t round);
  void printTable() const;
  void printJson() const;

  CompileOptions options;
  InputOptions inputs;
  Tolerance toleranceOf(const Tensor &output) const;

  Tolerance tolerance;
  llvm::StringMap<std::vector<cameo_element_type>> computedTypes; ///< by output
  std::optional<double> absolute;
  std::string judge = "cameo", against = "naive", libraryPath, referencePath;
  int64_t threads = 1, rounds = 1;
  bool json = false, isBisected = false;
  std::vector<OutputReport> reports;
  std::optional<BisectResult> bisected;
};

} // namespace

void VerifyCommand::declare(CommandLine &line) {
  line.description("Compiles a model, runs it and a reference on the same inputs, and prints for each output: the "
                   "largest absolute error, the largest relative error and the largest error in units in the last "
                   "place (both over elements of at least a thousandth of the largest magnitude), the largest "
                   "magnitude, and the allowed absolute error. Integers must be equal.");
  line.positional("MODEL.onnx", "The model.", options.model);
  line.group("code");
  line.text("--library", "LIB", "Verify this library, made with --emit=lib, instead of compiling the model.",
            libraryPath, Completes::File);
  declareTarget(line, options);
  declareRounding(line, options);
  line.choice("--judge",
              "What is verified: cameo (the optimised code), or onnxruntime (ONNX Runtime, against naive or float64, "
              "to find out which of the two causes a difference). Default: cameo.",
              {"cameo", "onnxruntime"}, judge);
  line.group("reference");
  line.choice("--against",
              "The reference: naive (the reference path of this compiler), float64 (the same with float64 in place of "
              "float32, which hardly rounds; inputs, outputs, weights and quantised values keep their types), or "
              "onnxruntime (its library, found through ORT_LIBRARY or as the npm package onnxruntime-node in this "
              "directory or above; its optimisations are off, because some change results). Default: naive.",
              {"naive", "float64", "onnxruntime"}, against);
  line.text("--reference", "LIB",
            "Use this library as the reference instead of compiling one, for models that are compared more than once. "
            "Make it with --emit=lib and --naive, or with --wide for float64.",
            referencePath, Completes::File);
  line.number("--atol", "E", "Absolute error that is always allowed. Default: 0.", absolute);
  line.number("--rtol", "E",
              "Allowed error relative to the output's largest magnitude, in addition to --atol. Default: 3e-5 for "
              "float32, 1e-9 for float64, 5e-3 for float16 and --gpu-math=tf32, 4e-2 for bfloat16; of the output's "
              "type and the types that it is computed from, the one with the largest error counts.",
              tolerance.relative);
  line.group("data");
  inputs.declare(line);
  line.integer("--rounds", "N", "Sets of random inputs to try, with seeds from --seed on. Default: 1.", rounds, 1,
               1000);
  line.group("execution");
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declarePlugins(line, options.plugins);
  declareExterns(line, options);
  declareRunThreads(line, threads);
  declareGpu(line, options);
  declareGpuLaunch(line, options);
  line.group("search");
  line.flag(
      "--bisect",
      "Find where a difference begins: the first task in the order of execution whose result differs from that of "
      "plain loops. Prints its nodes, its schedule, the largest error, and the command that shows the task. If no task "
      "differs but an output of the model does, finds the first node to which the optimised path gives another result "
      "than the naive path. The allowed errors are those of outputs. Needs memory for all intermediate results.",
      isBisected);
  line.group("output");
  line.flag("--json", "Print JSON instead of a table.", json);
  line.example("cameo verify resnet18.onnx", "Optimised against naive code.");
  line.example("cameo verify bert.onnx --against onnxruntime --rounds 3 --rtol 1e-4",
               "Three sets of inputs, own bound.");
  line.example("cameo verify net.onnx --against float64 --judge onnxruntime",
               "How far ONNX Runtime is from what the model means.");
  line.example("cameo verify net.onnx --bisect", "Which task is to blame for a wrong result.");
  line.exitStatus(
      "0 when every output is within its bound, 1 when one is not, when --bisect finds something, or on any error.");
}

ExpectedSide VerifyCommand::compile(const CompileOptions &code, int threadCount) {
  std::unique_ptr<ModelLibrary> library = loadModel(code);
  if (!library)
    return nullptr;
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(*library, {threadCount, "", options.sizes});
  if (!runner)
    return runner.takeError();
  return std::make_unique<LibrarySide>(std::move(library), std::move(*runner));
}

ExpectedSide VerifyCommand::openOnnxRuntime() {
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    return path.takeError();
  llvm::Expected<std::unique_ptr<OnnxRuntime>> runtime = OnnxRuntime::load(*path);
  if (!runtime)
    return runtime.takeError();
  llvm::Expected<std::unique_ptr<OrtSession>> session =
      (*runtime)->open(options.model, 1, OnnxRuntime::Optimisation::None);
  if (!session)
    return session.takeError();
  if (llvm::Error error = (*session)->fixInputs(options.forms.constants, options.sizes))
    return error;
  return std::make_unique<OnnxRuntimeSide>(std::move(*runtime), std::move(*session));
}

ExpectedSide VerifyCommand::createJudged() {
  if (judge == "onnxruntime")
    return openOnnxRuntime();
  CompileOptions judged = options;
  if (!libraryPath.empty())
    judged.model = libraryPath;
  return compile(judged, static_cast<int>(threads));
}

ExpectedSide VerifyCommand::createReference() {
  if (against == "onnxruntime")
    return openOnnxRuntime();
  CompileOptions naive = options;
  if (!referencePath.empty())
    naive.model = referencePath;
  naive.naive = true;
  naive.gpu = "";
  naive.gpuMath = nameOf(GpuMath::F32).str();
  naive.gpuLaunch = "dispatch";
  naive.gpuDependentLaunch = "on";
  naive.wide = against == "float64";
  return compile(naive, 1);
}

/// A float64 that was computed in float32 is only as exact as a float32.
Tolerance VerifyCommand::toleranceOf(const Tensor &output) const {
  if (tolerance.relative)
    return tolerance;
  Tolerance result = tolerance;
  result.relative = defaultRelativeTolerance(output.type);
  if (auto types = computedTypes.find(output.name); isFloat(output.type) && types != computedTypes.end())
    for (cameo_element_type type : types->second)
      result.relative = std::max(*result.relative, defaultRelativeTolerance(type));
  return result;
}

llvm::Error VerifyCommand::compareRound(Side &judged, Side &reference, const ModelLibrary &library, int64_t round) {
  llvm::Expected<std::vector<Tensor>> tensors = makeInputs(library, inputs.source(round), options.sizes);
  if (!tensors)
    return tensors.takeError();
  llvm::Expected<std::vector<Tensor>> outputs = judged.run(*tensors);
  if (!outputs)
    return outputs.takeError();
  llvm::Expected<std::vector<Tensor>> expected = reference.run(*tensors);
  if (!expected)
    return expected.takeError();
  removeUnusedOutputs(*outputs);
  removeUnusedOutputs(*expected);
  arrangeOutputs(*outputs, *expected);
  arrangeOutputs(*expected, *outputs);
  for (const Tensor &other : *expected)
    if (llvm::none_of(*outputs, [&](const Tensor &each) { return each.name == other.name; }))
      return llvm::createStringError("only the reference has output '" + other.name + "'");
  for (const Tensor &actual : *outputs) {
    auto other = llvm::find_if(*expected, [&](const Tensor &each) { return each.name == actual.name; });
    if (other == expected->end())
      return llvm::createStringError("the reference has no output '" + actual.name + "'");
    if (other->type != actual.type || other->shape != actual.shape)
      return llvm::createStringError("output '" + actual.name + "': expected " + elementTypeName(other->type) + " " +
                                     shapeText(other->shape) + ", got " + elementTypeName(actual.type) + " " +
                                     shapeText(actual.shape));
    reports.push_back({actual.name, actual.type, shapeText(actual.shape), inputs.seed + round,
                       compareTensors(actual, *other, toleranceOf(actual))});
  }
  return llvm::Error::success();
}

llvm::Expected<bool> VerifyCommand::verify() {
  ExpectedSide judged = createJudged();
  if (!judged)
    return judged.takeError();
  if (!*judged)
    return false;
  ExpectedSide reference = createReference();
  if (!reference)
    return reference.takeError();
  if (!*reference)
    return false;
  // If a library is compared with ONNX Runtime, the model is not imported, so it may use operators that the compiler
  // does not support.
  bool hasRead = libraryPath.empty() || against != "onnxruntime";
  if (hasRead && !tolerance.relative) {
    auto types = findComputedTypes(options);
    if (!types)
      return false;
    computedTypes = std::move(*types);
  }
  const ModelLibrary *library = (*judged)->description() ? (*judged)->description() : (*reference)->description();
  if (!inputs.folder.empty())
    rounds = 1;
  for (int64_t round = 0; round < rounds; ++round)
    if (llvm::Error error = compareRound(**judged, **reference, *library, round))
      return error;
  return true;
}

/// Returns false if an error was printed.
bool VerifyCommand::bisect() {
  BisectRequest request{options, static_cast<int>(threads), {}, tolerance, {}, 0};
  for (int64_t round = 0; round < rounds; ++round)
    request.rounds.push_back(inputs.source(round));
  auto wrong = llvm::find_if(reports, [](const OutputReport &report) { return !report.difference.withinBound; });
  if (wrong != reports.end()) {
    request.wrongOutput = wrong->name;
    request.wrongRound = wrong->seed - inputs.seed;
  }
  llvm::FailureOr<BisectResult> result = bisectModel(request);
  if (llvm::failed(result))
    return false;
  bisected = std::move(*result);
  return true;
}

void VerifyCommand::printTable() const {
  PrintableStream os(llvm::outs());
  size_t width = 6;
  for (const OutputReport &report : reports)
    width = std::max(width, printable(report.name).size());
  os << llvm::left_justify("output", width)
     << "  seed  max abs    max rel    max ulp    largest    bound      result\n";
  for (const OutputReport &report : reports) {
    const Difference &d = report.difference;
    os << llvm::left_justify(printable(report.name), width)
       << llvm::format("  %-4lld  %-9.3g  %-9.3g  %-9.3g  %-9.3g  %-9.3g  ", static_cast<long long>(report.seed),
                       d.maxAbsolute, d.maxRelative, d.maxUlp, d.largest, d.bound);
    llvm::WithColor color(os, d.withinBound ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED);
    color << (d.withinBound ? "ok" : "too far") << '\n';
  }
}

void VerifyCommand::printJson() const {
  llvm::json::Array outputs;
  for (const OutputReport &report : reports) {
    const Difference &d = report.difference;
    outputs.push_back(llvm::json::Object{{"name", report.name},
                                         {"type", elementTypeName(report.type)},
                                         {"shape", report.shape},
                                         {"seed", report.seed},
                                         {"max_abs", finiteOrNull(d.maxAbsolute)},
                                         {"max_rel", finiteOrNull(d.maxRelative)},
                                         {"max_ulp", finiteOrNull(d.maxUlp)},
                                         {"largest", finiteOrNull(d.largest)},
                                         {"bound", finiteOrNull(d.bound)},
                                         {"ok", d.withinBound}});
  }
  llvm::json::Value all = llvm::json::Object{
      {"model", options.model}, {"judge", judge}, {"against", against}, {"outputs", std::move(outputs)}};
  if (bisected)
    all.getAsObject()->insert({"bisect", bisectJson(*bisected, options, inputs.seed)});
  llvm::outs() << llvm::formatv("{0:2}\n", all);
}

int VerifyCommand::run() {
  if (judge == "onnxruntime" && (against == "onnxruntime" || !libraryPath.empty())) {
    reportError("--judge=onnxruntime goes with --against=naive or float64, and without --library");
    return 1;
  }
  if (isBisected && (judge != "cameo" || against != "naive" || !libraryPath.empty())) {
    reportError("--bisect goes with --judge=cameo and --against=naive, and without --library");
    return 1;
  }
  if (!referencePath.empty() && (isBisected || against == "onnxruntime")) {
    reportError("--reference goes with --against=naive or float64, and without --bisect");
    return 1;
  }
  if (isBisected && !options.gpu.empty()) {
    reportError("--bisect goes without --gpu");
    return 1;
  }
  tolerance.absolute = absolute.value_or(0);
  options.threads = std::max<int>(1, static_cast<int>(threads));
  llvm::Expected<bool> verified = verify();
  if (!verified)
    return fail(verified.takeError());
  if (!*verified)
    return 1;
  if (isBisected && !bisect())
    return 1;
  json ? printJson() : printTable();
  bool areWithin = llvm::all_of(reports, [](const OutputReport &report) { return report.difference.withinBound; });
  if (bisected && !json)
    printBisect(llvm::outs(), *bisected, options, inputs.seed, areWithin);
  return areWithin && !(bisected && bisected->finding) ? 0 : 1;
}

std::unique_ptr<Command> cameo::createVerifyCommand() { return std::make_unique<VerifyCommand>(); }

// cameo report: writes an HTML page about a model or about tuning records.
#include "autotune/Records/RecordFile.h"
#include "utils/Driver/ChooseCpu.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/cameo/Bench/ProfileTasks.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"
#include "utils/cameo/Pages/ModelPage.h"
#include "utils/cameo/Pages/ReportPage.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

class ReportCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  int reportModel();
  int reportRecords();
  llvm::Expected<TaskProfile> measure(const ModelLibrary &library) const;
  int write(llvm::function_ref<void(llvm::raw_ostream &)> page) const;

  std::vector<std::string> files, models;
  std::string output = "report.html", costModel;
  CompileOptions options;
  RecordsArguments records;
  InputOptions inputs;
  int64_t threads = 1, runs = 10;
  bool isMeasured = false;
  std::optional<double> gflops, gbs;
};

} // namespace

void ReportCommand::declare(CommandLine &line) {
  line.description(
      "Writes a self-contained HTML page. For a model, the page shows the graph of its tasks, the work, time and "
      "schedule of each task, its position below the machine's roofline, and the arena over a run. The page can be "
      "searched; the text may also be part of the address, as in report.html#search=conv. For tuning records, it shows "
      "how the costs of each task and of all together fell with trials and time, the failed measurements, and the best "
      "schedules. With the model of the records, it also shows these schedules as loops, their roofline, and the "
      "predictions of the cost model.");
  line.positionals("MODEL.onnx|FILE...", "A model, or files of records.", files);
  line.group("options");
  line.text("-o", "FILE", "The page. Default: report.html.", output, Completes::File);
  declareModels(line, "Of records: the model that they are for, or one of several.", models, options,
                /*severalCpus=*/true);
  line.integer("--threads", "N", "Threads that the model is compiled for, and measured on. Default: 1.", threads, 1,
               CAMEO_MAX_THREADS);
  line.group("of a model");
  records.declare(line);
  declareRounding(line, options);
  line.flag("--naive", "Show the reference path: one task per operator. Its plain loops have no estimated time.",
            options.naive);
  line.flag("--measure",
            "Compile and run the model on this machine and show measured times, those of the fastest run of each task. "
            "Default: show the estimates that schedules are chosen by, in cycles.",
            isMeasured);
  line.integer("--runs", "N", "Runs that are measured. Default: 10.", runs, 1, 1000000);
  inputs.declare(line);
  line.group("of records");
  line.text("--cost-model", "FILE",
            "Cost model for the predictions: a file of 'cameo records train', shipped, or none (the estimate only). "
            "Default: shipped.",
            costModel, Completes::File);
  line.number("--gflops", "N",
              "Peak of the machine in 10^9 floating-point operations per second; a multiply-add counts as two. "
              "Default: measured now, on one thread.",
              gflops);
  line.number("--gbs", "N",
              "Peak read bandwidth of memory in 10^9 bytes per second. Default: measured now, on one thread.", gbs);
  line.example("cameo report resnet18.onnx --measure -o model.html",
               "Writes a picture of the model, with times of this machine.");
  line.example("cameo report resnet18.jsonl -o report.html", "Writes a page about records.");
  line.example("cameo report resnet18.jsonl --model resnet18.onnx", "With loops, roofline and predictions.");
}

/// Recognises a model by its name, or because it is no text like records. If the file cannot be read, the code that
/// reads it reports the error.
static bool isModel(llvm::StringRef path) {
  if (path.ends_with(".onnx") || path.ends_with(".onnxtxt") || path.ends_with(".onnxtext") ||
      path.ends_with(".onnx.txt"))
    return true;
  auto begin = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/1, /*Offset=*/0);
  if (!begin || (*begin)->getBufferSize() == 0)
    return false;
  unsigned char first = (*begin)->getBuffer().front();
  return first < ' ' && !llvm::isSpace(static_cast<char>(first));
}

int ReportCommand::write(llvm::function_ref<void(llvm::raw_ostream &)> page) const {
  OutputFiles outputs;
  llvm::Expected<llvm::raw_pwrite_stream *> os = outputs.open(output);
  if (!os)
    return fail(os.takeError());
  page(**os);
  if (llvm::Error error = outputs.commit())
    return fail(std::move(error));
  return 0;
}

// ---- a model ----

llvm::Expected<TaskProfile> ReportCommand::measure(const ModelLibrary &library) const {
  llvm::Expected<std::vector<Tensor>> tensors = makeInputs(library, inputs.source(), options.sizes);
  if (!tensors)
    return tensors.takeError();
  llvm::Expected<std::unique_ptr<ModelRunner>> runner =
      ModelRunner::create(library, {static_cast<int>(threads), "", options.sizes});
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = (*runner)->bindInputs(*tensors))
    return std::move(error);
  if (!pinToCpus(static_cast<int>(threads)))
    report(Severity::Warning, "fewer CPUs than threads: not pinned");
  return profileTasks(library, **runner, runs);
}

int ReportCommand::reportModel() {
  if (files.size() > 1 || !models.empty()) {
    reportError("expected either one model or files of records: " + files.front() + " is a model");
    return 1;
  }
  if (!costModel.empty() || gflops || gbs) {
    reportError("--cost-model, --gflops and --gbs are for files of records: " + files.front() + " is a model");
    return 1;
  }
  options.model = files.front();
  options.records = records.get();
  if (llvm::Error error = chooseCpu(options))
    return fail(std::move(error));
  std::optional<ModelPicture> picture = pictureModel(options);
  if (!picture)
    return 1;
  ModelPage page{options.model, options.threads, std::move(*picture), std::nullopt};
  if (isMeasured) {
    if (options.records.policy == RecordsPolicy::Warn)
      options.records.policy = RecordsPolicy::Silent; // the warnings were printed with the picture
    std::unique_ptr<ModelLibrary> library = loadModel(options);
    if (!library)
      return 1;
    llvm::Expected<TaskProfile> profile = measure(*library);
    if (!profile)
      return fail(profile.takeError());
    page.profile = std::move(*profile);
  }
  return write([&](llvm::raw_ostream &os) { writeModelPage(page, os); });
}

// ---- records ----

int ReportCommand::reportRecords() {
  if (isMeasured || options.naive || !records.file.empty() || options.winograd != "auto" ||
      options.weightsType != "as-is" || !inputs.folder.empty()) {
    reportError("options of a model, such as --measure and --records, need a model, got files of records: " +
                files.front());
    return 1;
  }
  std::vector<TuningRecord> all;
  for (const std::string &path : files) {
    llvm::Expected<RecordFile> file = readRecords(path);
    if (!file)
      return fail(file.takeError());
    llvm::append_range(all, file->records);
  }
  std::map<std::string, TaskInsight> insights;
  if (!models.empty()) {
    auto explained = explainRecords(options, models, costModel.empty() ? "shipped" : costModel, all);
    if (llvm::failed(explained))
      return 1;
    insights = std::move(*explained);
  }
  MachinePeaks peaks = gflops && gbs ? MachinePeaks() : measurePeaks(1);
  peaks.gflops = gflops.value_or(peaks.gflops);
  peaks.readGbs = gbs.value_or(peaks.readGbs);
  return write([&](llvm::raw_ostream &os) { writeReport(all, peaks, insights, os); });
}

int ReportCommand::run() {
  options.threads = static_cast<int>(threads);
  return isModel(files.front()) ? reportModel() : reportRecords();
}

std::unique_ptr<Command> cameo::createReportCommand() { return std::make_unique<ReportCommand>(); }

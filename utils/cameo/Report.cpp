// cameo report: one page of HTML about tuning records.
#include "autotune/Records/RecordFile.h"
#include "utils/Driver/OutputFiles.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ModelOptions.h"
#include "utils/cameo/ReportPage.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

class ReportCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Writes one self-contained page of HTML about tuning records: per task and in total, how costs fell with trials and with time; which measurements "
                     "failed; and the best schedules. With the model that they are for also these schedules as loops, where they are below the machine's roofline, "
                     "and what the cost model predicted. The page refers to nothing outside of itself.");
    line.positionals("FILE...", "Files of records.", files);
    line.group("options");
    line.text("-o", "FILE", "The page. Default: report.html.", output, Completes::File);
    declareModels(line, "The model that the records are for, or one of several.", models, options);
    line.integer("--threads", "N", "Threads that the model is compiled for. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
    line.text("--cost-model", "FILE", "What predicts: a file of 'cameo records train', shipped, or none, for the estimate alone. Default: shipped.", costModel,
              Completes::File);
    line.number("--gflops", "N", "Peak of the machine's multiply-adds in 10^9 per second, one operation for each of the two. Default: measured now, on one thread.",
                gflops);
    line.number("--gbs", "N", "Peak of reading memory in 10^9 bytes per second. Default: measured now, on one thread.", gbs);
    line.example("cameo report resnet18.jsonl -o report.html", "Writes the page.");
    line.example("cameo report resnet18.jsonl --model resnet18.onnx", "With loops, roofline and predictions.");
  }

  int run() override {
    std::vector<TuningRecord> records;
    for (const std::string &path : files) {
      llvm::Expected<RecordFile> file = readRecords(path);
      if (!file)
        return fail(file.takeError());
      llvm::append_range(records, file->records);
    }
    std::map<std::string, TaskInsight> insights;
    options.threads = static_cast<int>(threads);
    if (!models.empty()) {
      auto explained = explainRecords(options, models, costModel, records);
      if (llvm::failed(explained))
        return 1;
      insights = std::move(*explained);
    }
    MachinePeaks peaks = gflops && gbs ? MachinePeaks() : measurePeaks(1);
    peaks.gflops = gflops.value_or(peaks.gflops);
    peaks.readGbs = gbs.value_or(peaks.readGbs);
    OutputFiles outputs;
    llvm::Expected<llvm::raw_pwrite_stream *> os = outputs.open(output);
    if (!os)
      return fail(os.takeError());
    writeReport(records, peaks, insights, **os);
    if (llvm::Error error = outputs.commit())
      return fail(std::move(error));
    return 0;
  }

private:
  std::vector<std::string> files, models;
  std::string output = "report.html", costModel = "shipped";
  CompileOptions options;
  int64_t threads = 1;
  std::optional<double> gflops, gbs;
};

} // namespace

std::unique_ptr<Command> cameo::createReportCommand() { return std::make_unique<ReportCommand>(); }

// cameo report: one page of HTML about tuning records.
#include "autotune/Records/RecordFile.h"
#include "utils/Driver/MachinePeaks.h"
#include "utils/Driver/OutputFiles.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ReportPage.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

class ReportCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Writes one self-contained page of HTML about tuning records: per task and in total, how costs fell with trials; which measurements "
                     "failed; where the best schedules are below the machine's peak; and the schedules. It refers to nothing outside of itself.");
    line.positionals("FILE...", "Files of records.", files);
    line.group("options");
    line.text("-o", "FILE", "The page. Default: report.html.", output, Completes::File);
    line.number("--gflops", "N", "Peak of the machine's multiply-adds in 10^9 per second, one operation for each of the two. Default: measured now, on one thread.",
                gflops);
    line.example("cameo report resnet18.jsonl -o report.html", "Writes the page.");
  }

  int run() override {
    std::vector<TuningRecord> records;
    for (const std::string &path : files) {
      llvm::Expected<RecordFile> file = readRecords(path);
      if (!file)
        return fail(file.takeError());
      llvm::append_range(records, file->records);
    }
    OutputFiles outputs;
    llvm::Expected<llvm::raw_pwrite_stream *> os = outputs.open(output);
    if (!os)
      return fail(os.takeError());
    writeReport(records, gflops ? *gflops : measurePeaks(1).gflops, **os);
    if (llvm::Error error = outputs.commit())
      return fail(std::move(error));
    return 0;
  }

private:
  std::vector<std::string> files;
  std::string output = "report.html";
  std::optional<double> gflops;
};

} // namespace

std::unique_ptr<Command> cameo::createReportCommand() { return std::make_unique<ReportCommand>(); }

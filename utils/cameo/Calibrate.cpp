// cameo calibrate: what rules want to know of this machine's cores, measured.
#include "utils/Driver/MachineFile.h"
#include "utils/Driver/MachinePeaks.h"
#include "utils/Driver/OutputFiles.h"
#include "utils/cameo/Command.h"

#include <cmath>
#include <thread>
#include <unistd.h>

using namespace cameo;

namespace {

class CalibrateCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Measures what schedules by rule depend on: how many multiply-adds a core of this machine begins in a cycle, and how much it reads from beyond its second-level "
                     "cache; sizes of caches and numbers of cores are those that the system tells. Takes about a second; nothing else should run meanwhile. Other commands take the file by --machine.");
    line.group("options");
    line.text("-o", "FILE", "Where the JSON goes; '-' is standard output. Default: standard output.", output, Completes::File);
    line.example("cameo calibrate -o this-machine.json", "Measures this machine.");
    line.example("cameo compile net.onnx --machine=this-machine.json", "Compiles for it.");
  }

  int run() override;

private:
  std::string output = "-";
};

/// Large enough to lie beyond the second level, and not beyond the third where there is one.
int64_t farBlockBytes(int64_t l2Bytes) {
  long l3Bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return l3Bytes > 2 * l2Bytes ? std::min<int64_t>(4 * l2Bytes, l3Bytes / 2) : 4 * l2Bytes;
}

double roundTo(double number, double unit) { return std::max(unit, std::round(number / unit) * unit); }

} // namespace

int CalibrateCommand::run() {
  llvm::Expected<TargetInfo> target = resolveTarget("", "native");
  if (!target)
    return fail(target.takeError());
  CoreRates rates = measureCore(target->vectorBytes / static_cast<int64_t>(sizeof(float)), farBlockBytes(target->l2Bytes));
  // Units are whole or work on halves of vectors.
  target->multiplyAdds = roundTo(rates.multiplyAdds, 0.5);
  target->farBytesPerCycle = roundTo(rates.readBytes, 0.5);
  // Fewer would leave whole pieces to the slowest of them.
  target->cores = std::max<int64_t>(target->cores, std::thread::hardware_concurrency());
  OutputFiles files;
  llvm::Expected<llvm::raw_pwrite_stream *> os = files.open(output);
  if (!os)
    return fail(os.takeError());
  writeMachine(*target, **os);
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return 0;
}

std::unique_ptr<Command> cameo::createCalibrateCommand() { return std::make_unique<CalibrateCommand>(); }

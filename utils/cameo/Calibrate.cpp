// cameo calibrate: measures the properties of this machine's cores that schedule rules use.
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/Driver/MachineFile.h"
#include "utils/Driver/Run/MachinePeaks.h"
#include "utils/cameo/CommandLine/Command.h"

#include <cmath>
#include <thread>
#include <unistd.h>

using namespace cameo;

namespace {

class CalibrateCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Measures what the rules for schedules need to know about this machine: how many multiply-adds a "
                     "core starts per cycle, and how many bytes per cycle it reads from its second-level cache, from "
                     "the next level and from memory. Cache sizes and core counts come from the system. Takes about "
                     "two seconds; nothing else should run meanwhile. Other commands read the file with --machine.");
    line.group("options");
    line.text("-o", "FILE", "Where the JSON goes; '-' is standard output. Default: standard output.", output,
              Completes::File);
    line.example("cameo calibrate -o this-machine.json", "Measures this machine.");
    line.example("cameo compile net.onnx --machine=this-machine.json", "Compiles for it.");
  }

  int run() override;

private:
  std::string output = "-";
};

/// Returns the sizes of a block that fits the second cache level but not the first, one that exceeds the second level
/// but not the third, if there is one, and one that exceeds all caches.
ReadBlocks chooseBlocks(const Machine &machine) {
  int64_t l3Bytes = sysconf(_SC_LEVEL3_CACHE_SIZE), l2Bytes = machine.l2Bytes;
  // A virtual machine may report a cache that it does not have.
  constexpr int64_t mostBytes = 256 << 20;
  int64_t farBytes = l3Bytes > 2 * l2Bytes ? std::min(4 * l2Bytes, l3Bytes / 2) : 4 * l2Bytes;
  return {std::max(l2Bytes / 2, std::min(4 * machine.l1Bytes, l2Bytes)), farBytes,
          std::clamp(4 * std::max(l2Bytes, l3Bytes), farBytes, mostBytes)};
}

double roundTo(double number, double unit) { return std::max(unit, std::round(number / unit) * unit); }

} // namespace

int CalibrateCommand::run() {
  llvm::Expected<TargetInfo> target = resolveTarget("", "native");
  if (!target)
    return fail(target.takeError());
  CoreRates rates = measureCore(target->vectorBytes / static_cast<int64_t>(sizeof(float)), chooseBlocks(*target));
  // A core has whole units, or units that take halves of vectors.
  target->multiplyAdds = roundTo(rates.multiplyAdds, 0.5);
  target->nearBytesPerCycle = roundTo(rates.nearBytes, 0.5);
  target->farBytesPerCycle = roundTo(rates.farBytes, 0.5);
  // Data from memory cannot arrive faster than data from a cache.
  target->memoryBytesPerCycle = std::min(roundTo(rates.memoryBytes, 0.5), target->farBytesPerCycle);
  // With fewer pieces, the slowest core would get whole pieces.
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

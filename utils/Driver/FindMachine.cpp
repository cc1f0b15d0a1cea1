#include "utils/Driver/FindMachine.h"

#include "autotune/Measure/FarmTransport.h"
#include "cameo/gpu_time.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Triple.h"

#include <limits>
#include <unistd.h>

using namespace cameo;
using namespace cameo::autotune;

/// Returns the path of a program in the folder of this program.
static std::string besideProgram(llvm::StringRef name) {
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findWorker)));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

std::string cameo::findWorker() {
  std::optional<std::string> worker = llvm::sys::Process::GetEnv("CAMEO_WORKER");
  return worker ? *worker : besideProgram("cameo-worker");
}

llvm::Expected<std::string> cameo::findFarmProgram() {
  std::optional<std::string> named = llvm::sys::Process::GetEnv("CAMEO_FARM");
  std::string program = named ? *named : besideProgram("cameo-farm");
  if (!llvm::sys::fs::can_execute(program))
    return llvm::createStringError("cannot execute " + program +
                                   ", the client of the farm's server: install the package cameo-farm, or build it "
                                   "with libnats-dev and libssl-dev installed");
  return program;
}

llvm::Expected<std::string> cameo::findBundleWorker(const TargetInfo &target) {
  if (std::optional<std::string> worker = llvm::sys::Process::GetEnv("CAMEO_WORKER"))
    return *worker;
  llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findWorker)));
  llvm::sys::path::remove_filename(path);
  std::string triple = (llvm::Triple(target.triple).isAArch64() ? "aarch64" : "x86_64") + std::string("-linux-gnu");
  llvm::sys::path::append(path, "..", "lib", triple, "cameo-worker");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::exists(path))
    return llvm::createStringError("cannot find " + path +
                                   ", which is part of each bundle: this installation has no worker for " + triple +
                                   "; set CAMEO_WORKER to another one");
  return std::string(path);
}

/// Returns the machine of a worker that the command of --measure starts.
static llvm::Expected<FoundMachine> startCommand(const TuneOptions &options, const TargetInfo &target) {
  auto worker = std::make_unique<WorkerTransport>(WorkerCommand::shell(options.command));
  llvm::Expected<MachineFacts> facts = worker->describe(packageTarget(target));
  if (!facts)
    return llvm::createStringError("--measure=command: " + llvm::toString(facts.takeError()));
  report(Severity::Remark, "candidates run on " + facts->text);
  return FoundMachine{std::move(worker), std::move(*facts)};
}

static llvm::Expected<FoundMachine> openBundles(const TuneOptions &options, const TargetInfo &target) {
  // A statically linked worker cannot load the driver of a GPU.
  llvm::Expected<std::string> worker = target.gpu ? findWorker() : findBundleWorker(target);
  if (!worker)
    return llvm::createStringError("--measure=bundle: " + llvm::toString(worker.takeError()));
  llvm::Expected<std::unique_ptr<BundleTransport>> opened = BundleTransport::open(options.bundles, *worker);
  if (!opened)
    return llvm::createStringError("--measure=bundle: " + llvm::toString(opened.takeError()));
  BundleTransport *bundles = opened->get();
  MachineFacts facts = bundles->getMachine();
  if (!facts.text.empty())
    report(Severity::Remark, "candidates ran on " + facts.text);
  return FoundMachine{std::move(*opened), std::move(facts), bundles};
}

static llvm::Expected<FoundMachine> joinFarm(const TuneOptions &options, const TargetInfo &target,
                                             MeasurementPolicy &policy) {
  // Packages wait while others use the devices, and while a server restarts. They are not lost during that time.
  policy.transportSeconds = 3600;
  auto farm = std::make_unique<FarmTransport>(options.farm, options.farmParallel);
  llvm::Expected<MachineFacts> facts = farm->describe(packageTarget(target));
  if (!facts)
    return llvm::createStringError("--measure=farm: " + llvm::toString(facts.takeError()));
  if (target.gpu && facts->gpu.empty())
    return llvm::createStringError("--measure=farm: expected devices with a GPU, got " + facts->text +
                                   ": their agents run without --gpu");
  report(Severity::Remark, "candidates run on " + facts->text);
  return FoundMachine{std::move(farm), std::move(*facts)};
}

/// Fails if this machine has no GPU. Called before anything is built for it.
static llvm::Error findDevice() {
  char name[128];
  if (cameo_gpu_device_name(/*device=*/0, name, sizeof name) != CAMEO_OK)
    return llvm::createStringError(llvm::Twine("--gpu: candidates run on this machine, which has no GPU: ") +
                                   cameo_gpu_error() +
                                   "; --measure=command:COMMAND or bundle:DIR runs them on a machine that has one");
  report(Severity::Remark, llvm::Twine("candidates run on ") + name);
  return llvm::Error::success();
}

llvm::Expected<FoundMachine> cameo::findMachine(const TuneOptions &options, const TargetInfo &target,
                                                MeasurementPolicy &policy) {
  if (!options.command.empty() || !options.bundles.empty() || !options.farm.empty()) {
    policy.cpus = std::numeric_limits<unsigned>::max(); // builders may use all CPUs of this machine
    if (!options.farm.empty())
      return joinFarm(options, target, policy);
    return options.bundles.empty() ? startCommand(options, target) : openBundles(options, target);
  }
  if (!target.isHost)
    return llvm::createStringError("candidates run on this machine: omit --target and --cpu, or run them on a machine "
                                   "of the target with --measure=command:COMMAND, bundle:DIR or farm:URL");
  std::string program = options.worker.empty() ? findWorker() : options.worker;
  if (!llvm::sys::fs::can_execute(program))
    return llvm::createStringError("cannot execute " + program +
                                   ", which runs candidates; set CAMEO_WORKER to another one");
  if (target.gpu)
    if (llvm::Error error = findDevice())
      return std::move(error);
  auto worker = std::make_unique<WorkerTransport>(WorkerCommand(program));
  WorkerTransport *started = worker.get();
  MachineFacts facts;
  facts.l3Bytes = static_cast<uint64_t>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 0L));
  return FoundMachine{std::move(worker), std::move(facts), /*bundles=*/nullptr, started};
}

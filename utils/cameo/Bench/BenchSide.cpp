#include "utils/cameo/Bench/BenchSide.h"

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/OnnxRuntime.h"
#include "utils/cameo/ChildProcess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <sched.h>

using namespace cameo;
using llvm::StringRef;

// ---- sides ----

llvm::Expected<std::vector<float>> BenchSide::timeOnGpu(int, bool) { llvm_unreachable("processors run the model"); }

namespace {

class OurSide : public BenchSide {
public:
  explicit OurSide(BoundModel model) : model(std::move(model)) {}
  llvm::Error run() override { return model.runner->run(); }
  llvm::Expected<std::vector<float>> timeOnGpu(int runs, bool usesGraph) override {
    return model.runner->timeOnGpu(runs, usesGraph);
  }

private:
  BoundModel model;
};

class OnnxRuntimeBenchSide : public BenchSide {
public:
  explicit OnnxRuntimeBenchSide(std::unique_ptr<OrtSession> session) : session(std::move(session)) {}
  llvm::Error run() override { return session->run(); }

private:
  std::unique_ptr<OrtSession> session;
};

} // namespace

llvm::Expected<std::unique_ptr<BenchSide>> cameo::createOurSide(StringRef libraryPath, const RunOptions &options,
                                                                llvm::ArrayRef<Tensor> inputs) {
  llvm::Expected<BoundModel> model = bindModel(libraryPath, options, inputs);
  if (!model)
    return model.takeError();
  return std::make_unique<OurSide>(std::move(*model));
}

llvm::Expected<std::unique_ptr<BenchSide>> cameo::createOnnxRuntimeSide(OnnxRuntime &runtime,
                                                                        const CompileOptions &options, int threads,
                                                                        llvm::ArrayRef<Tensor> inputs) {
  llvm::Expected<std::unique_ptr<OrtSession>> session =
      runtime.open(options.model, threads, OnnxRuntime::Optimisation::All);
  if (!session)
    return session.takeError();
  if (llvm::Error error = (*session)->fixInputs(options.forms.constants, options.sizes))
    return error;
  if (llvm::Error error = (*session)->bindInputs(inputs))
    return error;
  return std::make_unique<OnnxRuntimeBenchSide>(std::move(*session));
}

// ---- time ----

/// Runs `repeats` times and returns the time of one run.
static llvm::Expected<double> timeOneMs(BenchSide &side, int repeats) {
  uint64_t begin = cameo_now();
  for (int i = 0; i < repeats; ++i)
    if (llvm::Error error = side.run())
      return error;
  return static_cast<double>(cameo_now() - begin) / 1e6 / repeats;
}

/// Runs one side for a turn of about five milliseconds, with at least one and at most `most` timed runs. Runs that are
/// short compared with the resolution of the clock are timed together.
static llvm::Error takeTurn(BenchSide &side, int most, std::vector<double> &times) {
  constexpr double turnMs = 5, shortestMs = 0.02;
  llvm::Expected<double> first = timeOneMs(side, 1);
  if (!first)
    return first.takeError();
  int repeats = std::clamp(static_cast<int>(shortestMs / std::max(*first, 1e-5)), 1, 1000);
  double elapsedMs = 0;
  for (int i = 0; i < most && (i == 0 || elapsedMs < turnMs); ++i) {
    llvm::Expected<double> time = timeOneMs(side, repeats);
    if (!time)
      return time.takeError();
    times.push_back(*time);
    elapsedMs += *time * repeats;
  }
  return llvm::Error::success();
}

SideTimes cameo::summarizeTimes(std::vector<double> &times) {
  llvm::sort(times);
  size_t half = times.size() / 2;
  double median = times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
  return {times.front(), median};
}

llvm::Expected<SideTimes> cameo::measureOnGpu(BenchSide &side, int runs, bool usesGraph) {
  constexpr int warmingRuns = 3;
  llvm::Expected<std::vector<float>> all = side.timeOnGpu(warmingRuns + runs, usesGraph);
  if (!all)
    return all.takeError();
  std::vector<double> times(all->begin() + warmingRuns, all->end());
  return summarizeTimes(times);
}

llvm::Expected<std::vector<SideTimes>> cameo::measureInTurns(llvm::ArrayRef<BenchSide *> sides, int runs) {
  for (BenchSide *side : sides)
    if (llvm::Error error = side->run())
      return error;
  std::vector<std::vector<double>> times(sides.size());
  auto missing = [&](size_t i) { return runs - static_cast<int>(times[i].size()); };
  for (size_t turn = 0; llvm::any_of(llvm::seq(sides.size()), [&](size_t i) { return missing(i) > 0; }); ++turn)
    for (size_t position = 0; position < sides.size(); ++position) {
      // The first side of a turn may find the machine faster or slower, so the order rotates.
      size_t i = (position + turn) % sides.size();
      if (missing(i) <= 0)
        continue;
      if (llvm::Error error = takeTurn(*sides[i], missing(i), times[i]))
        return error;
    }
  std::vector<SideTimes> results;
  for (std::vector<double> &each : times)
    results.push_back(summarizeTimes(each));
  return results;
}

bool cameo::pinToCpus(int threads) {
  cpu_set_t allowed, chosen;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < threads)
    return false;
  // The last CPUs, because the first one serves most interrupts.
  CPU_ZERO(&chosen);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && CPU_COUNT(&chosen) < threads; --cpu)
    if (CPU_ISSET(cpu, &allowed))
      CPU_SET(cpu, &chosen);
  return sched_setaffinity(0, sizeof chosen, &chosen) == 0;
}

// ---- memory ----

llvm::Expected<double> cameo::measureMemory(const BenchSideFactory &create) {
  llvm::Expected<std::string> growth = runInChild([&]() -> llvm::Expected<std::string> {
    double before = residentMb();
    llvm::Expected<std::unique_ptr<BenchSide>> side = create();
    if (!side)
      return side.takeError();
    for (int i = 0; i < 2; ++i)
      if (llvm::Error error = (*side)->run())
        return error;
    // The peak counts, because it includes memory that is only used while the model is created.
    return std::to_string(peakResidentMb() - before);
  });
  if (!growth)
    return growth.takeError();
  double megabytes = 0;
  StringRef(*growth).getAsDouble(megabytes);
  return megabytes;
}

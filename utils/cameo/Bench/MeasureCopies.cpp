#include "utils/cameo/Bench/MeasureCopies.h"

#include "autotune/Records/CostInterval.h"
#include "utils/Driver/Run/UnnamedFile.h"

#include <algorithm>

using namespace cameo;
using llvm::StringRef;

namespace {

/// The memory pages of a copy make some of its tasks a few percent slower or faster in each of its runs. The minimum is
/// enough for a confidence interval. More copies than the maximum narrow the interval by less than the machine varies
/// over minutes.
constexpr unsigned fewestCopies = 5, mostCopies = 16;
constexpr double turnSeconds = 0.02;

/// A copy of a compiled model, ready to run and to be profiled.
struct Copy {
  UnnamedFile file;
  BoundModel model;
};

} // namespace

/// Copies and opens a library, and runs it once. The copy is on a disk, because a file in memory may have smaller pages
/// than the library of a user.
static llvm::Expected<Copy> openCopy(StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs) {
  llvm::Expected<UnnamedFile> file = UnnamedFile::copy(path);
  if (!file)
    return file.takeError();
  llvm::Expected<BoundModel> model = bindModel(file->path(), options, inputs);
  if (!model)
    return model.takeError();
  if (llvm::Error error = model->runner->run())
    return std::move(error);
  return Copy{std::move(*file), std::move(*model)};
}

static double secondsSince(uint64_t begin) { return static_cast<double>(cameo_now() - begin) * 1e-9; }

llvm::Expected<CopyTimes> cameo::timeCopy(StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs) {
  uint64_t begin = cameo_now();
  llvm::Expected<Copy> copy = openCopy(path, options, inputs);
  if (!copy)
    return copy.takeError();
  CopyTimes times;
  times.openSeconds = secondsSince(begin);
  constexpr unsigned least = 3, most = 15;
  constexpr double enoughSeconds = 0.3;
  std::vector<double> runs;
  for (double all = 0; runs.size() < least || (runs.size() < most && all < enoughSeconds); all += runs.back()) {
    begin = cameo_now();
    if (llvm::Error error = copy->model.runner->run())
      return std::move(error);
    runs.push_back(secondsSince(begin));
  }
  times.runSeconds = autotune::costInterval(runs).median;
  return times;
}

/// Returns the number of counted runs of a turn. They follow a run that does not count, because the caches hold data of
/// the other model.
static unsigned runsOfTurn(double runSeconds) {
  return static_cast<unsigned>(std::clamp(turnSeconds / std::max(runSeconds, 1e-6), 1.0, 1000.0));
}

/// Returns the number of turns per copy. Turns of one run are less exact than the mean of several runs.
static unsigned turnsPerCopy(unsigned runs) { return runs > 1 ? 3 : 8; }

double cameo::secondsOfTurns(unsigned copies, const CopyTimes &times) {
  unsigned count = runsOfTurn(times.runSeconds);
  double turn = times.runSeconds * (count + 1);
  return 2 * copies * (times.openSeconds + turnsPerCopy(count) * turn);
}

unsigned cameo::copiesWithin(double seconds, const CopyTimes &times) {
  return static_cast<unsigned>(std::clamp<double>(seconds / secondsOfTurns(1, times), fewestCopies, mostCopies));
}

/// Adds the costs of one turn: of the model and of each of its tasks.
static llvm::Error takeTurn(Copy &copy, unsigned count, ModelCosts &costs) {
  if (llvm::Error error = copy.model.runner->run())
    return error;
  llvm::ArrayRef<cameo_task_profile> times = copy.model.runner->startProfile();
  uint64_t begin = cameo_now();
  for (unsigned run = 0; run < count; ++run)
    if (llvm::Error error = copy.model.runner->run())
      return error;
  costs.whole.push_back(secondsSince(begin) / count);
  copy.model.runner->stopProfile();
  for (auto [task, time] : llvm::zip_equal(copy.model.library->tasks(), times))
    if (time.count > 0)
      costs.tasks[task.key].push_back(static_cast<double>(time.nanoseconds) * 1e-9 / static_cast<double>(time.count));
  return llvm::Error::success();
}

llvm::Expected<BothCosts> cameo::measureInCopies(StringRef untunedPath, StringRef tunedPath, unsigned copies,
                                                 const RunOptions &options, llvm::ArrayRef<Tensor> inputs,
                                                 double runSeconds) {
  BothCosts costs;
  unsigned count = runsOfTurn(runSeconds);
  for (unsigned copy = 0; copy < copies; ++copy) {
    llvm::Expected<Copy> untuned = openCopy(untunedPath, options, inputs);
    if (!untuned)
      return untuned.takeError();
    llvm::Expected<Copy> tuned = openCopy(tunedPath, options, inputs);
    if (!tuned)
      return tuned.takeError();
    // The first model of a turn may find the machine faster or slower, so the order alternates.
    std::pair<Copy *, ModelCosts *> sides[] = {{&*untuned, &costs.untuned}, {&*tuned, &costs.tuned}};
    for (unsigned turn = 0; turn < turnsPerCopy(count); ++turn, std::swap(sides[0], sides[1]))
      for (auto [side, own] : sides)
        if (llvm::Error error = takeTurn(*side, count, *own))
          return std::move(error);
  }
  return costs;
}

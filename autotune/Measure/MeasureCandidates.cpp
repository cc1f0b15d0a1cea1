#include "autotune/Measure/MeasureCandidates.h"

#include "dialects/Target/TargetDialect.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

namespace cameo::autotune {

/// The target as its attribute spells it, but for LLVM's features, of which the record names those that matter.
static std::string spell(const TargetInfo &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<TargetDialect>();
  std::string text;
  llvm::raw_string_ostream(text) << TargetAttr::get(&context, target.triple, target.cpu, /*features=*/"", /*gpu=*/"", target);
  return text;
}

CandidateMeasurer::CandidateMeasurer(const BuildOptions &build, WorkerCommand worker, const MeasurementPolicy &policy)
    : CandidateMeasurer(BuilderPool::create(build, policy.buildThreads, policy.buildTimeoutSeconds), build.target,
                        std::move(worker), policy) {}

CandidateMeasurer::CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target, WorkerCommand worker,
                                     const MeasurementPolicy &policy)
    : pool(std::move(pool)), target(std::move(target)), extensions(vectorExtensions(this->target)), targetText(spell(this->target)), policy(policy),
      runner(std::move(worker), policy), checker(*this->pool, runner, policy) {}

std::shared_ptr<const TaskSource> CandidateMeasurer::sourceOf(const SearchTask &task) {
  std::lock_guard lock(preparing);
  std::shared_ptr<const TaskSource> &source = sources[task.key];
  if (!source)
    source = std::make_shared<const TaskSource>(makeTaskSource(task));
  return source;
}

TuningRecord CandidateMeasurer::makeRecord(const TaskSource &source, llvm::StringRef schedule) const {
  TuningRecord record;
  record.task = source.key;
  record.name = source.name;
  record.flops = source.flops;
  record.triple = target.triple;
  record.cpu = target.cpu;
  record.extensions = extensions;
  record.threads = source.threads;
  record.schedule = schedule.str();
  if (!source.nests.all.empty()) {
    record.steps = schedule::stepsVersion;
    record.nests = source.nests.all;
    record.eachNest = source.nests.each;
  }
  record.target = targetText;
  record.time = llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
  return record;
}

std::shared_ptr<BuilderPool::Batch> CandidateMeasurer::beginToBuild(const SearchTask &task, llvm::ArrayRef<std::string> schedules) {
  std::shared_ptr<const CheckData> data = policy.checksAll ? checker.dataOf(task) : nullptr;
  std::vector<BuildRequest> requests;
  for (const std::string &schedule : schedules)
    requests.push_back({schedule, /*verifiesPasses=*/policy.checksAll, data});
  return pool->begin(sourceOf(task), std::move(requests));
}

void CandidateMeasurer::prepare(const SearchTask &task, llvm::ArrayRef<std::string> schedules) {
  std::shared_ptr<BuilderPool::Batch> batch = beginToBuild(task, schedules);
  std::lock_guard lock(preparing);
  prepared = {task.key, schedules.vec(), std::move(batch)};
}

/// Null if something else is being built.
std::shared_ptr<BuilderPool::Batch> CandidateMeasurer::takePrepared(const TaskSource &source, llvm::ArrayRef<std::string> schedules) {
  std::lock_guard lock(preparing);
  return prepared.task == source.key && schedules.equals(prepared.schedules) ? std::move(prepared.batch) : nullptr;
}

std::vector<TuningRecord> CandidateMeasurer::measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules,
                                                     double bestSeconds) {
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  std::shared_ptr<BuilderPool::Batch> batch = takePrepared(*source, schedules);
  if (!batch)
    batch = beginToBuild(task, schedules);
  if (policy.checksAll)
    checker.makeReference(task, source);
  std::vector<TuningRecord> records;
  pool->use(batch, buildersBeside(*source), [&](size_t number, BuildResult image) {
    TuningRecord record = makeRecord(*source, schedules[number]);
    record.error = image.error;
    if (image.error.kind == ErrorKind::None && (!policy.checksAll || hasProof(task, image.image, record))) {
      RunResult result = runner.time(*source, image.image, policy.repeats, bestSeconds);
      record.error = result.error;
      record.costs = std::move(result.costs);
      record.isDisturbed = result.isDisturbed;
    }
    if (record.isValid())
      bestSeconds = bestSeconds > 0 ? std::min(bestSeconds, record.cost()) : record.cost();
    records.push_back(std::move(record));
  });
  judgeBuilders(records);
  return records;
}

void CandidateMeasurer::judgeBuilders(llvm::ArrayRef<TuningRecord> records) {
  constexpr size_t enough = 32;
  judged += records.size();
  disturbed += llvm::count_if(records, [](const TuningRecord &record) { return record.isDisturbed; });
  if (judged < enough)
    return;
  // What goes on without builders is not their doing.
  if (disturbed * 4 > judged)
    takesTurns = !takesTurns;
  judged = disturbed = 0;
}

/// Threads that may build while a candidate runs: on the CPUs that it leaves free.
unsigned CandidateMeasurer::buildersBeside(const TaskSource &source) const {
  return takesTurns || policy.cpus <= source.threads ? 0 : std::min(policy.cpus - source.threads, policy.buildThreads);
}

/// Whether `image`, which was built with data, computes what the naive path does: the record has the proof, or else the error.
bool CandidateMeasurer::hasProof(const SearchTask &task, const CandidateImage &image, TuningRecord &record) {
  std::variant<Proof, MeasureError> checked = checker.check(task, sourceOf(task), image);
  if (auto *error = std::get_if<MeasureError>(&checked)) {
    record.error = *error;
    return false;
  }
  record.proof = std::get<Proof>(checked);
  return true;
}

const BuildResult &CandidateMeasurer::defaultOf(std::shared_ptr<const TaskSource> source, llvm::StringRef schedule) {
  auto [built, isNew] = defaults.try_emplace(source->key);
  if (isNew)
    built->second = std::move(pool->build(source, {BuildRequest{schedule.str(), /*verifiesPasses=*/false, nullptr}}).front());
  return built->second;
}

/// A machine that becomes slower or faster meanwhile does so for both.
void CandidateMeasurer::timeInTurns(const TaskSource &source, const CandidateImage &image, const CandidateImage *defaultImage,
                                    TuningRecord &record) {
  unsigned perTurn = std::max(1u, policy.releaseRepeats / std::max(1u, policy.turns));
  for (unsigned left = policy.releaseRepeats; left > 0; left -= std::min(left, perTurn)) {
    unsigned repeats = std::min(left, perTurn);
    RunResult own = runner.time(source, image, repeats, /*bestSeconds=*/0);
    record.error = own.error;
    record.isDisturbed |= own.isDisturbed;
    record.costs.insert(record.costs.end(), own.costs.begin(), own.costs.end());
    if (own.error.kind != ErrorKind::None) {
      record.costs.clear();
      record.defaultCosts.clear();
      return;
    }
    if (!defaultImage)
      continue;
    RunResult other = runner.time(source, *defaultImage, repeats, /*bestSeconds=*/0);
    record.defaultCosts.insert(record.defaultCosts.end(), other.costs.begin(), other.costs.end());
  }
}

TuningRecord CandidateMeasurer::confirm(const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule) {
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  TuningRecord record = makeRecord(*source, schedule);
  record.isRelease = true;
  BuildRequest request{schedule.str(), /*verifiesPasses=*/true, checker.dataOf(task)};
  BuildResult built = std::move(pool->build(source, {request}).front());
  record.error = built.error;
  if (record.error.kind != ErrorKind::None)
    return record;
  if (!hasProof(task, built.image, record))
    return record;
  const BuildResult *rival = nullptr;
  if (!defaultSchedule.empty() && defaultSchedule != schedule)
    rival = &defaultOf(source, defaultSchedule);
  const CandidateImage *other = rival && rival->error.kind == ErrorKind::None ? &rival->image : nullptr;
  // What a builder does to memory would cost one of both more than the other.
  pool->runBeside(/*beside=*/0, [&] { timeInTurns(*source, built.image, other, record); });
  return record;
}

} // namespace cameo::autotune

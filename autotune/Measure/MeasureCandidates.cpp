#include "autotune/Measure/MeasureCandidates.h"

#include "dialects/Target/TargetDialect.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

namespace cameo::autotune {

/// Returns the target in the syntax of its attribute, without LLVM's features, because the record lists the relevant
/// ones.
static std::string spell(const TargetInfo &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<TargetDialect>();
  std::string text;
  llvm::raw_string_ostream(text) << targetAttrOf(context, target.triple, target.cpu, /*features=*/"", target.gpu,
                                                 target);
  return text;
}

CandidateMeasurer::CandidateMeasurer(const BuildOptions &build, std::unique_ptr<Transport> transport,
                                     const MeasurementPolicy &policy)
    : CandidateMeasurer(BuilderPool::create(build, policy.buildThreads, policy.buildTimeoutSeconds), build.target,
                        std::move(transport), policy) {}

CandidateMeasurer::CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target,
                                     std::unique_ptr<Transport> transport, const MeasurementPolicy &policy)
    : pool(std::move(pool)), target(std::move(target)), processor(kernelProcessor(this->target)),
      targetText(spell(this->target)), wanted(packageTarget(this->target)), policy(policy),
      transport(std::move(transport)), references(*this->pool, policy.checkSeed) {
  if (!this->transport->leadsElsewhere())
    llvm::fill(wanted.features, 0);
}

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
  record.triple = processor.triple;
  record.cpu = processor.cpu;
  record.extensions = processor.extensions;
  record.threads = source.threads;
  record.schedule = schedule.str();
  record.sizes = source.sizes;
  if (!source.nests.all.empty()) {
    record.steps = schedule::stepsVersion;
    record.nests = source.nests.all;
    record.eachNest = source.nests.each;
  }
  record.target = targetText;
  record.key = policy.key;
  record.time = llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
  return record;
}

/// The time is taken from the result, so that the same results give the same records.
void CandidateMeasurer::take(TuningRecord &record, MeasurementResult result) const {
  record.proof = result.proof;
  if (record.proof)
    record.proof->seed = policy.checkSeed;
  record.error = std::move(result.error);
  record.costs = std::move(result.costs);
  record.defaultCosts = std::move(result.defaultCosts);
  record.isDisturbed = result.isDisturbed;
  record.machine = std::move(result.machine);
  record.device = std::move(result.device);
  if (!result.time.empty())
    record.time = std::move(result.time);
}

uint64_t CandidateMeasurer::idOf(const TaskSource &source, llvm::StringRef schedule, bool isRelease,
                                 size_t time) const {
  return measurementId(source, targetText, schedule, isRelease, time);
}

std::shared_ptr<BuilderPool::Batch> CandidateMeasurer::beginToBuild(std::shared_ptr<const TaskSource> source,
                                                                    llvm::ArrayRef<std::string> schedules) {
  std::vector<BuildRequest> requests;
  for (const std::string &schedule : schedules)
    requests.push_back({schedule, /*verifiesPasses=*/false, nullptr});
  return pool->begin(std::move(source), std::move(requests));
}

void CandidateMeasurer::prepare(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
  if (policy.checksAll)
    return;
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  if (transport->isDeferred()) {
    deferred.push_back({task, schedules.vec(), bestSeconds, {}});
    return;
  }
  std::shared_ptr<BuilderPool::Batch> batch = beginToBuild(std::move(source), schedules);
  std::lock_guard lock(preparing);
  prepared = {task.key, schedules.vec(), std::move(batch)};
}

/// Returns null if other schedules are being built.
std::shared_ptr<BuilderPool::Batch> CandidateMeasurer::takePrepared(const TaskSource &source,
                                                                    llvm::ArrayRef<std::string> schedules) {
  std::lock_guard lock(preparing);
  return prepared.task == source.key && schedules.equals(prepared.schedules) ? std::move(prepared.batch) : nullptr;
}

llvm::Expected<std::vector<TuningRecord>>
CandidateMeasurer::measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
  if (transport->isDeferred())
    return recallAll(task, schedules, bestSeconds);
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  // Pending confirmations would lose their results otherwise.
  confirmations.finish();
  if (policy.checksAll)
    return confirmAll(task, source, schedules);
  std::shared_ptr<BuilderPool::Batch> batch = takePrepared(*source, schedules);
  if (!batch)
    batch = beginToBuild(source, schedules);
  std::vector<TuningRecord> records;
  for (const std::string &schedule : schedules)
    records.push_back(makeRecord(*source, schedule));
  PackageWindow window(*transport);
  pool->use(batch, buildersBeside(*source), [&](size_t number, BuildResult built) {
    TuningRecord &record = records[number];
    record.error = built.error;
    if (built.error.kind != ErrorKind::None)
      return;
    MeasurementPackage package(wanted);
    cameo_package_item item = timeItem(package, policy, *source, built.image, bestSeconds);
    item.id = idOf(*source, schedules[number], /*isRelease=*/false);
    package.add(item);
    window.send(std::move(package), secondsOf(item) + policy.transportSeconds, [&](MeasurementResult result) {
      take(record, std::move(result));
      if (record.isValid())
        bestSeconds = bestSeconds > 0 ? std::min(bestSeconds, record.cost()) : record.cost();
    });
  });
  window.finish();
  judgeBuilders(records);
  return records;
}

void CandidateMeasurer::judgeBuilders(llvm::ArrayRef<TuningRecord> records) {
  constexpr size_t enough = 32;
  judged += records.size();
  disturbed += llvm::count_if(records, [](const TuningRecord &record) { return record.isDisturbed; });
  if (judged < enough)
    return;
  // Disturbances that continue while builders wait are not caused by them.
  if (disturbed * 4 > judged)
    takesTurns = !takesTurns;
  judged = disturbed = 0;
}

/// Returns the number of threads that may build while a candidate runs: one for each CPU that it leaves free.
unsigned CandidateMeasurer::buildersBeside(const TaskSource &source) const {
  return takesTurns || policy.cpus <= source.threads ? 0 : std::min(policy.cpus - source.threads, policy.buildThreads);
}

const BuildResult &CandidateMeasurer::defaultOf(std::shared_ptr<const TaskSource> source, llvm::StringRef schedule) {
  auto [built, isNew] = defaults.try_emplace(source->key);
  if (isNew)
    built->second =
        std::move(pool->build(source, {BuildRequest{schedule.str(), /*verifiesPasses=*/false, nullptr}}).front());
  return built->second;
}

/// Returns the naive path, built once, for transports that send it with every package.
const BuildResult &CandidateMeasurer::referenceOf(const SearchTask &task, std::shared_ptr<const TaskSource> source) {
  auto [built, isNew] = builtReferences.try_emplace(task.key);
  if (isNew)
    built->second = references.build(task, source);
  return built->second;
}

void CandidateMeasurer::setDefault(const SearchTask &task, llvm::StringRef schedule) {
  std::lock_guard lock(preparing);
  defaultSchedules[task.key] = schedule.str();
}

/// Returns null if it was not in the last batch of confirmAll().
const BuildResult *CandidateMeasurer::findChecked(const SearchTask &task, llvm::StringRef schedule) const {
  auto found = llvm::find(checked.schedules, schedule);
  if (checked.task != task.key || found == checked.schedules.end())
    return nullptr;
  return &checked.built[found - checked.schedules.begin()];
}

BuildResult CandidateMeasurer::buildToConfirm(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                                              llvm::StringRef schedule) {
  if (const BuildResult *built = findChecked(task, schedule))
    return *built;
  return std::move(
      pool->build(std::move(source), {BuildRequest{schedule.str(), /*verifiesPasses=*/true, references.dataOf(task)}})
          .front());
}

MeasurementResult CandidateMeasurer::send(const TaskSource &source, const Confirmation &confirmation,
                                          cameo_package_kind kind, uint64_t id) {
  MeasurementPackage package(wanted);
  cameo_package_item item = confirmItem(package, policy, source, confirmation);
  item.kind = kind;
  item.id = id;
  package.add(item);
  return std::move(exchange(*transport, package, secondsOf(item) + policy.transportSeconds).front());
}

/// Sends the naive path once per task, and again if the machine has lost its outputs.
MeasurementResult CandidateMeasurer::sendToConfirm(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                                                   Confirmation confirmation, uint64_t id) {
  MeasurementResult result;
  if (transport->hasManyMachines()) {
    const BuildResult &known = referenceOf(task, source);
    result.error = known.error;
    confirmation.reference = &known.image;
    return known.error.kind == ErrorKind::None ? send(*source, confirmation, CAMEO_PACKAGE_CONFIRM, id) : result;
  }
  auto sendAlone = [&] {
    // Memory traffic of builders would slow down one of the two schedules more than the other.
    pool->runBeside(/*beside=*/0, [&] { result = send(*source, confirmation, CAMEO_PACKAGE_CONFIRM, id); });
  };
  if (!sent.insert(task.key).second) {
    sendAlone();
    if (!result.needsReference)
      return result;
  }
  BuildResult reference = references.build(task, source);
  result.error = reference.error;
  if (result.error.kind != ErrorKind::None)
    return result;
  confirmation.reference = &reference.image;
  // The naive path takes long and is not measured, so builders continue. It has its own id, so that a late result is
  // not mistaken for one of the next item.
  result = send(*source, confirmation, CAMEO_PACKAGE_COMPARE, ~id);
  if (result.error.kind == ErrorKind::None)
    sendAlone();
  return result;
}

/// Builds all schedules with data first, because the naive path may have to be built between runs.
std::vector<TuningRecord> CandidateMeasurer::confirmAll(const SearchTask &task,
                                                        std::shared_ptr<const TaskSource> source,
                                                        llvm::ArrayRef<std::string> schedules) {
  std::vector<BuildRequest> requests;
  for (const std::string &schedule : schedules)
    requests.push_back({schedule, /*verifiesPasses=*/true, references.dataOf(task)});
  checked = {}; // release the previous batch first to save memory
  checked = {task.key, schedules.vec(), pool->build(source, std::move(requests))};
  std::vector<TuningRecord> records;
  for (const auto &[schedule, built] : llvm::zip_equal(schedules, checked.built)) {
    TuningRecord &record = records.emplace_back(makeRecord(*source, schedule));
    record.error = built.error;
    if (built.error.kind == ErrorKind::None)
      take(record, sendToConfirm(task, source, {built.image, *references.dataOf(task)},
                                 idOf(*source, schedule, /*isRelease=*/false)));
  }
  return records;
}

void CandidateMeasurer::confirmAhead(const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                                     size_t time) {
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  uint64_t id = idOf(*source, schedule, /*isRelease=*/true, time);
  if (ahead.count(id))
    return;
  // Schedules that fail to build are skipped; confirm() reports the error.
  BuildResult built = buildToConfirm(task, source, schedule);
  const BuildResult &reference = referenceOf(task, source);
  if (built.error.kind != ErrorKind::None || reference.error.kind != ErrorKind::None)
    return;
  Confirmation confirmation{built.image, *references.dataOf(task), nullptr, &reference.image};
  if (!defaultSchedule.empty() && defaultSchedule != schedule)
    if (const BuildResult &rival = defaultOf(source, defaultSchedule); rival.error.kind == ErrorKind::None)
      confirmation.rival = &rival.image;
  MeasurementPackage package(wanted);
  cameo_package_item item = confirmItem(package, policy, *source, confirmation);
  item.kind = CAMEO_PACKAGE_CONFIRM;
  item.id = id;
  package.add(item);
  ahead[id] = std::nullopt;
  confirmations.send(std::move(package), secondsOf(item) + policy.transportSeconds,
                     [this, id](MeasurementResult result) { ahead[id] = std::move(result); });
}

/// Returns the result of a confirmation that confirmAhead() has started, and waits for it. Returns nothing if it was
/// not started.
std::optional<MeasurementResult> CandidateMeasurer::takeAhead(uint64_t id) {
  auto found = ahead.find(id);
  if (found == ahead.end())
    return std::nullopt;
  while (!found->second)
    confirmations.finishOne();
  std::optional<MeasurementResult> result = std::move(found->second);
  ahead.erase(found);
  return result;
}

llvm::Expected<TuningRecord> CandidateMeasurer::confirm(const SearchTask &task, llvm::StringRef schedule,
                                                        llvm::StringRef defaultSchedule, size_t time) {
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  TuningRecord record = makeRecord(*source, schedule);
  record.isRelease = true;
  uint64_t id = idOf(*source, schedule, /*isRelease=*/true, time);
  if (transport->hasManyMachines())
    confirmAhead(task, schedule, defaultSchedule, time);
  std::optional<MeasurementResult> result = takeAhead(id);
  if (!result)
    result = transport->recall(id);
  if (!result && transport->isUnderWay(id))
    return llvm::make_error<MeasurementPending>();
  if (!result) {
    BuildResult built = buildToConfirm(task, source, schedule);
    record.error = built.error;
    if (record.error.kind != ErrorKind::None)
      return record;
    if (transport->isDeferred()) {
      record.error = references.build(task, source).error;
      if (record.error.kind != ErrorKind::None)
        return record;
      deferredConfirmations.push_back({task, schedule.str(), defaultSchedule.str(), time});
      return llvm::make_error<MeasurementPending>();
    }
    Confirmation confirmation{built.image, *references.dataOf(task)};
    if (!defaultSchedule.empty() && defaultSchedule != schedule)
      if (const BuildResult &rival = defaultOf(source, defaultSchedule); rival.error.kind == ErrorKind::None)
        confirmation.rival = &rival.image;
    result = sendToConfirm(task, source, confirmation, id);
  }
  take(record, std::move(*result));
  return record;
}

} // namespace cameo::autotune

// The part of CandidateMeasurer for deferring transports: a requested result is recalled, or its item is collected for
// the next package together with likely next requests.
#include "autotune/Measure/MeasureCandidates.h"

namespace cameo::autotune {

/// Limit in bytes for the likely confirmations in a package. Confirmations beyond it get their own packages later.
constexpr uint64_t mostBytesOfGuesses = uint64_t(96) << 20;

/// Returns the records of `schedules` if all have a result or failed to build.
llvm::Expected<std::vector<TuningRecord>>
CandidateMeasurer::recallAll(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
  std::shared_ptr<const TaskSource> source = sourceOf(task);
  std::vector<TuningRecord> records;
  Deferred unknown{task, {}, bestSeconds, {}};
  bool isUnderWay = false;
  for (const std::string &schedule : schedules) {
    uint64_t id = idOf(*source, schedule, /*isRelease=*/false);
    records.push_back(makeRecord(*source, schedule));
    if (std::optional<MeasurementResult> result = transport->recall(id))
      take(records.back(), std::move(*result));
    else if (transport->isUnderWay(id))
      isUnderWay = true;
    else
      unknown.schedules.push_back(schedule);
  }
  bool isPending = isUnderWay || buildDeferred(unknown, records);
  // The prepared schedules are requested now.
  llvm::erase_if(deferred, [&](const Deferred &each) { return each.task.key == task.key; });
  if (!isPending)
    return records;
  deferred.insert(deferred.begin(), std::move(unknown));
  return llvm::make_error<MeasurementPending>();
}

/// Builds the schedules to measure. Returns false if there are none. A schedule that fails to build gets an error in
/// its record and is dropped.
bool CandidateMeasurer::buildDeferred(Deferred &unknown, llvm::MutableArrayRef<TuningRecord> records) {
  std::vector<std::string> kept;
  pool->use(beginToBuild(sourceOf(unknown.task), unknown.schedules), policy.buildThreads,
            [&](size_t number, BuildResult built) {
              const std::string &schedule = unknown.schedules[number];
              if (built.error.kind == ErrorKind::None) {
                kept.push_back(schedule);
                unknown.built.push_back(std::move(built));
                return;
              }
              for (TuningRecord &record : records)
                if (record.schedule == schedule)
                  record.error = built.error;
            });
  unknown.schedules = std::move(kept);
  return !unknown.schedules.empty();
}

/// Builds schedules for confirmation, and last the naive path.
std::vector<BuildResult> CandidateMeasurer::buildAllToConfirm(const SearchTask &task,
                                                              llvm::ArrayRef<std::string> schedules) {
  std::vector<BuildRequest> requests;
  for (const std::string &schedule : schedules)
    requests.push_back({schedule, /*verifiesPasses=*/true, references.dataOf(task)});
  requests.push_back({"", /*verifiesPasses=*/true, references.dataOf(task)});
  return pool->build(sourceOf(task), std::move(requests));
}

/// Adds an item unless a build failed. Then confirm() is called for the schedule later and records the error.
void CandidateMeasurer::addConfirmation(MeasurementPackage &package, const DeferredConfirmation &asked,
                                        const BuildResult &built, const BuildResult &reference,
                                        llvm::function_ref<void(cameo_package_item &)> change) {
  if (built.error.kind != ErrorKind::None || reference.error.kind != ErrorKind::None)
    return;
  std::shared_ptr<const TaskSource> source = sourceOf(asked.task);
  Confirmation confirmation{built.image, *references.dataOf(asked.task), nullptr, &reference.image};
  if (!asked.defaultSchedule.empty() && asked.defaultSchedule != asked.schedule)
    if (const BuildResult &rival = defaultOf(source, asked.defaultSchedule); rival.error.kind == ErrorKind::None)
      confirmation.rival = &rival.image;
  cameo_package_item item = confirmItem(package, policy, *source, confirmation);
  item.id = idOf(*source, asked.schedule, /*isRelease=*/true, asked.time);
  change(item);
  package.add(item);
}

/// Adds the confirmations that the session will request if a schedule turns out to be one of the fastest. `briefs` are
/// the items of the brief measurements, by which the machine decides this.
void CandidateMeasurer::addIfBest(MeasurementPackage &package, const Deferred &asked, llvm::ArrayRef<uint32_t> briefs) {
  std::string defaultSchedule = defaultSchedules[asked.task.key];
  std::vector<BuildResult> built = buildAllToConfirm(asked.task, asked.schedules);
  for (auto [number, schedule] : llvm::enumerate(asked.schedules)) {
    if (package.blobBytes() > mostBytesOfGuesses)
      return;
    addConfirmation(package, {asked.task, schedule, defaultSchedule, 0}, built[number], built.back(),
                    [&, number = number, &schedule = schedule](cameo_package_item &item) {
                      item.brief = briefs[number];
                      item.best_seconds = asked.bestSeconds;
                      item.kind =
                          schedule == defaultSchedule ? CAMEO_PACKAGE_CONFIRM_DEFAULT : CAMEO_PACKAGE_CONFIRM_IF_BEST;
                    });
  }
}

void CandidateMeasurer::add(MeasurementPackage &package, Deferred &asked) {
  std::shared_ptr<const TaskSource> source = sourceOf(asked.task);
  auto isOpen = [&](const std::string &schedule) {
    uint64_t id = idOf(*source, schedule, /*isRelease=*/false);
    return !transport->recall(id) && !transport->isUnderWay(id);
  };
  if (asked.built.empty()) {
    llvm::erase_if(asked.schedules, [&](const std::string &schedule) { return !isOpen(schedule); });
    buildDeferred(asked, {});
  }
  std::vector<uint32_t> briefs;
  for (auto [schedule, built] : llvm::zip_equal(asked.schedules, asked.built)) {
    cameo_package_item item = timeItem(package, policy, *source, built.image, asked.bestSeconds);
    item.id = idOf(*source, schedule, /*isRelease=*/false);
    briefs.push_back(package.add(item));
  }
  if (!briefs.empty())
    addIfBest(package, asked, briefs);
}

llvm::Error CandidateMeasurer::submitDeferred() {
  MeasurementPackage package(wanted);
  for (const DeferredConfirmation &each : deferredConfirmations) {
    std::vector<BuildResult> built = buildAllToConfirm(each.task, each.schedule);
    addConfirmation(package, each, built.front(), built.back(), [](cameo_package_item &) {});
  }
  for (Deferred &each : deferred)
    add(package, each);
  deferred.clear();
  deferredConfirmations.clear();
  return package.getItems().empty() ? llvm::Error::success() : transport->submit(package);
}

} // namespace cameo::autotune

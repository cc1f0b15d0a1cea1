#include "autotune/Records/BestRecord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>
#include <map>
#include <set>
#include <tuple>

using namespace cameo::autotune;
using llvm::StringRef;

static StringRef architectureOf(StringRef triple) { return triple.split('-').first; }

bool cameo::autotune::isAtLeastDefault(const TuningRecord &record) {
  return record.defaultCosts.empty() || record.relativeCost().high < 1;
}

bool cameo::autotune::isFaster(const TuningRecord &a, const TuningRecord &b) {
  return std::tuple(a.relativeCost().median, a.cost(), StringRef(a.schedule)) <
         std::tuple(b.relativeCost().median, b.cost(), StringRef(b.schedule));
}

bool cameo::autotune::mayBeBest(const TuningRecord &record) {
  return record.isRelease && record.isValid() && record.proof && isAtLeastDefault(record);
}

namespace {

/// A summary of the records of one task with the same nests, processor and number of threads, by schedule.
struct Verdicts {
  llvm::StringMap<unsigned> ranks;                          ///< highest rank of the records of each schedule
  llvm::StringMap<const TuningRecord *> alone;              ///< worst record of each schedule in which the task alone
                                                            ///< was timed
  double refused = std::numeric_limits<double>::infinity(); ///< least relative cost, in the task alone, of a schedule
                                                            ///< that was rejected in the model
};

} // namespace

/// Records of a higher rank override those of a lower rank.
static unsigned rankOf(const TuningRecord &record) { return record.isOfModel ? 2 : record.isInModel ? 1 : 0; }

/// Whether `a` is the worse one of two records of one schedule; false if they are equal.
static bool isWorse(const TuningRecord &a, const TuningRecord &b) {
  if (!a.isValid() || !b.isValid())
    return !a.isValid() && b.isValid();
  return isFaster(b, a);
}

/// Returns the sizes of the last release measurement of each task, by processor and number of threads.
static std::map<std::tuple<StringRef, StringRef, unsigned>, std::pair<StringRef, StringRef>>
latestSizes(llvm::ArrayRef<TuningRecord> records) {
  std::map<std::tuple<StringRef, StringRef, unsigned>, std::pair<StringRef, StringRef>> latest;
  for (const TuningRecord &record : records)
    if (record.isRelease) {
      auto &last = latest[{record.task, record.cpu, record.threads}];
      last = std::max(last, std::pair<StringRef, StringRef>(record.time, record.sizes));
    }
  return latest;
}

std::vector<const TuningRecord *> cameo::autotune::decisive(llvm::ArrayRef<TuningRecord> records) {
  std::map<std::tuple<StringRef, StringRef, std::string, StringRef, unsigned, unsigned, StringRef>, Verdicts> subjects;
  auto verdictsOn = [&](const TuningRecord &record) -> Verdicts & {
    return subjects[{record.task, record.sizes, rangesText(record.ranges), record.cpu, record.threads, record.steps,
                     record.nests}];
  };
  for (const TuningRecord &record : records) {
    if (!record.isRelease)
      continue;
    Verdicts &verdicts = verdictsOn(record);
    unsigned &rank = verdicts.ranks[record.schedule];
    rank = std::max(rank, rankOf(record));
    if (rankOf(record) > 0)
      continue;
    const TuningRecord *&alone = verdicts.alone[record.schedule];
    if (!alone || isWorse(record, *alone))
      alone = &record;
  }
  auto isOverruled = [&](const TuningRecord &record) {
    const Verdicts &verdicts = verdictsOn(record);
    if (rankOf(record) < verdicts.ranks.lookup(record.schedule))
      return true;
    return rankOf(record) == 0 && verdicts.alone.lookup(record.schedule) != &record;
  };
  for (const TuningRecord &record : records) {
    if (rankOf(record) == 0 || isOverruled(record) || isAtLeastDefault(record))
      continue;
    Verdicts &verdicts = verdictsOn(record);
    if (const TuningRecord *alone = verdicts.alone.lookup(record.schedule);
        alone && alone->isValid() && !alone->defaultCosts.empty())
      verdicts.refused = std::min(verdicts.refused, alone->relativeCost().median);
  }
  auto decides = [&](const TuningRecord &record) {
    if (!record.isRelease)
      return true;
    bool isUntried = rankOf(record) == 0 && !record.defaultCosts.empty();
    return !isOverruled(record) && !(isUntried && record.relativeCost().median >= verdictsOn(record).refused);
  };
  auto latest = latestSizes(records);
  auto isOfLatest = [&](const TuningRecord &record) {
    return !record.isRelease || latest[{record.task, record.cpu, record.threads}].second == record.sizes;
  };
  std::vector<const TuningRecord *> kept;
  for (const TuningRecord &record : records)
    if (isOfLatest(record) && decides(record))
      kept.push_back(&record);
  return kept;
}

void cameo::autotune::keepFaster(const TuningRecord *&best, const TuningRecord &record) {
  if (mayBeBest(record) && (!best || isFaster(record, *best)))
    best = &record;
}

const TuningRecord *cameo::autotune::fastest(llvm::ArrayRef<TuningRecord> records) {
  const TuningRecord *best = nullptr;
  for (const TuningRecord *record : decisive(records))
    keepFaster(best, *record);
  return best;
}

BestRecords::BestRecords(llvm::ArrayRef<TuningRecord> records) {
  for (const TuningRecord *record : decisive(records))
    (record->ranges.empty() ? byTask : rangedByTask)[record->task].push_back(record);
}

/// Returns "" if the record was measured on a processor that is compatible with `target`, else a description of that
/// processor.
static std::string otherTarget(const TuningRecord &record, const RecordTarget &target) {
  if (architectureOf(record.triple) != architectureOf(target.triple))
    return "for " + architectureOf(record.triple).str();
  for (const std::string &extension : record.extensions)
    if (!llvm::is_contained(target.extensions, extension))
      return "for processors with " + extension;
  if (record.threads != target.threads)
    return "for " + std::to_string(record.threads) + (record.threads == 1 ? " thread" : " threads");
  return "";
}

/// Returns "" if `record` can be used for `target`, else the reason why not.
static std::string refusal(const TuningRecord &record, const RecordTarget &target) {
  if (std::string other = otherTarget(record, target); !other.empty())
    return other;
  if (!record.isValid())
    return "failed";
  if (!record.isRelease || !record.proof)
    return "not compared with the naive path";
  if (!isAtLeastDefault(record))
    return "not faster than the default schedule";
  return "";
}

BestAnswer BestRecords::find(StringRef task, const RecordTarget &target) const {
  auto found = byTask.find(task);
  return found == byTask.end() ? BestAnswer{nullptr, "no record has its key"} : findAmong(found->second, target);
}

std::vector<BestAnswer> BestRecords::findRanged(StringRef task, const RecordTarget &target) const {
  auto own = rangedByTask.find(task);
  if (own == rangedByTask.end())
    return {};
  std::map<std::string, std::vector<const TuningRecord *>> byRanges;
  for (const TuningRecord *record : own->second)
    byRanges[rangesText(record->ranges)].push_back(record);
  std::vector<BestAnswer> answers, found;
  for (const auto &[text, records] : byRanges)
    if (BestAnswer answer = findAmong(records, target); answer.record && !answer.record->defaultCosts.empty())
      answers.push_back(std::move(answer));
  llvm::sort(answers, [](const BestAnswer &a, const BestAnswer &b) {
    return std::pair(a.record->relativeCost().median, rangesText(a.record->ranges)) <
           std::pair(b.record->relativeCost().median, rangesText(b.record->ranges));
  });
  for (BestAnswer &answer : answers)
    if (llvm::none_of(found,
                      [&](const BestAnswer &each) { return overlap(each.record->ranges, answer.record->ranges); }))
      found.push_back(std::move(answer));
  llvm::sort(found, [](const BestAnswer &a, const BestAnswer &b) {
    auto begin = [](const BestAnswer &answer) {
      const SizeRange &first = answer.record->ranges.front();
      return std::pair(StringRef(first.name), first.least);
    };
    return begin(a) < begin(b);
  });
  return found;
}

BestAnswer BestRecords::findAmong(llvm::ArrayRef<const TuningRecord *> records, const RecordTarget &target) const {
  const TuningRecord *best = nullptr;
  std::set<std::string> refusals;
  for (const TuningRecord *record : records) {
    std::string reason = refusal(*record, target);
    if (!reason.empty()) {
      refusals.insert(reason);
      continue;
    }
    bool isNearer = best && (record->cpu == target.cpu) != (best->cpu == target.cpu);
    if (!best || (isNearer ? record->cpu == target.cpu : isFaster(*record, *best)))
      best = record;
  }
  if (!best)
    return {nullptr, "its records are " + llvm::join(refusals, ", or ")};
  return {best, best->cpu == target.cpu ? "" : "measured on another processor, " + best->cpu};
}

/// Returns a key that is equal for records of the same border.
static auto placeOf(const TuningRecord &border) {
  return std::tuple(StringRef(border.task), border.split, border.merge, StringRef(border.with));
}

std::vector<const TuningRecord *> cameo::autotune::findBorders(llvm::ArrayRef<TuningRecord> borders,
                                                               const RecordTarget &target) {
  std::map<decltype(placeOf(borders.front())), const TuningRecord *> worst;
  for (const TuningRecord &border : borders) {
    if (!otherTarget(border, target).empty())
      continue;
    const TuningRecord *&each = worst[placeOf(border)];
    if (!each || border.relativeCost().high > each->relativeCost().high)
      each = &border;
  }
  std::map<StringRef, const TuningRecord *> splits;
  std::vector<const TuningRecord *> merges, found;
  for (const auto &[place, border] : worst) {
    if (border->relativeCost().high >= 1)
      continue;
    if (border->merge) {
      merges.push_back(border);
      continue;
    }
    const TuningRecord *&best = splits[border->task];
    if (!best || isFaster(*border, *best))
      best = border;
  }
  llvm::sort(merges, [](const TuningRecord *a, const TuningRecord *b) {
    return std::tuple(StringRef(a->time), placeOf(*a)) < std::tuple(StringRef(b->time), placeOf(*b));
  });
  for (const auto &[task, split] : splits)
    found.push_back(split);
  llvm::append_range(found, merges);
  return found;
}

std::vector<TuningRecord> cameo::autotune::distill(llvm::ArrayRef<TuningRecord> records) {
  std::map<std::tuple<std::string, std::string, std::string, unsigned, unsigned, std::string, std::string>,
           const TuningRecord *>
      bests;
  for (const TuningRecord *record : decisive(records))
    if (mayBeBest(*record))
      keepFaster(bests[{record->task, record->triple, record->cpu, record->threads, record->steps, record->nests,
                        rangesText(record->ranges)}],
                 *record);
  std::vector<TuningRecord> kept;
  for (const auto &[key, record] : bests)
    kept.push_back(*record);
  return kept;
}

std::vector<TuningRecord> cameo::autotune::distillBorders(llvm::ArrayRef<TuningRecord> borders) {
  std::map<std::tuple<std::string, std::string, unsigned>, std::vector<TuningRecord>> targets;
  for (const TuningRecord &border : borders)
    targets[{border.triple, border.cpu, border.threads}].push_back(border);
  std::vector<TuningRecord> kept;
  for (const auto &[place, own] : targets)
    for (const TuningRecord *border :
         findBorders(own, {own.front().triple, own.front().cpu, own.front().extensions, own.front().threads}))
      kept.push_back(*border);
  return kept;
}

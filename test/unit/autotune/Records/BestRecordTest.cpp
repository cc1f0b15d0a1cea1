// The choice of the record that a task is compiled with, and the reasons if there is none.
#include "autotune/Records/BestRecord.h"

#include <gtest/gtest.h>

using namespace cameo::autotune;

namespace {

TuningRecord record(double cost) {
  TuningRecord record;
  record.task = "k";
  record.triple = "x86_64-pc-linux-gnu";
  record.cpu = "haswell";
  record.extensions = {"avx2", "fma"};
  record.schedule = "s" + std::to_string(cost);
  record.isRelease = true;
  record.costs = {cost};
  record.proof = Proof();
  return record;
}

const RecordTarget haswell{"x86_64-unknown-linux-gnu", "haswell", {"avx2", "fma"}, 1};

TEST(BestRecords, TheFastestOneThatWasCompared) {
  std::vector<TuningRecord> records = {record(3), record(1), record(2)};
  records[1].proof.reset();
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[2]);
}

TEST(BestRecords, SayWhyThereIsNone) {
  EXPECT_EQ(BestRecords({}).find("k", haswell).reason, "no record has its key");
  auto reasonOf = [](auto change) {
    std::vector<TuningRecord> records = {record(1)};
    change(records[0]);
    BestAnswer answer = BestRecords(records).find("k", haswell);
    EXPECT_EQ(answer.record, nullptr);
    return answer.reason;
  };
  EXPECT_EQ(reasonOf([](TuningRecord &each) { each.isRelease = false; }),
            "its records are not compared with the naive path");
  EXPECT_EQ(reasonOf([](TuningRecord &each) { each.threads = 4; }), "its records are for 4 threads");
  EXPECT_EQ(reasonOf([](TuningRecord &each) { each.triple = "aarch64-linux-gnu"; }), "its records are for aarch64");
  EXPECT_EQ(reasonOf([](TuningRecord &each) { each.extensions = {"avx2", "avx512f"}; }),
            "its records are for processors with avx512f");
  EXPECT_EQ(reasonOf([](TuningRecord &each) { each.costs.clear(), each.error.kind = ErrorKind::Runtime; }),
            "its records are failed");
}

TEST(BestRecords, TheSameProcessorGoesFirst) {
  std::vector<TuningRecord> records = {record(1), record(2)};
  records[0].cpu = "znver3";
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]);
  records.pop_back();
  BestAnswer other = BestRecords(records).find("k", haswell);
  EXPECT_EQ(other.record, &records[0]);
  EXPECT_EQ(other.reason, "measured on another processor, znver3");
}

/// Returns a record of `cost`, relative to the default schedule, measured in turns that each take longer than the one
/// before.
TuningRecord compared(double cost) {
  TuningRecord both = record(cost);
  both.costs.clear();
  for (double slower : {1.0, 1.1, 1.2, 1.3, 1.4, 1.5}) {
    both.costs.push_back(cost * slower);
    both.defaultCosts.push_back(slower);
  }
  return both;
}

TEST(BestRecords, WhatIsNotClearlyFasterThanTheDefaultIsRefused) {
  std::vector<TuningRecord> records = {compared(1.01)};
  EXPECT_EQ(BestRecords(records).find("k", haswell).reason, "its records are not faster than the default schedule");
  EXPECT_TRUE(distill(records).empty());
  records = {compared(0.9)};
  records[0].defaultCosts[0] = records[0].defaultCosts[1] = 0.5;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, nullptr) << "two turns in which it was slower";
}

TEST(BestRecords, OfSeveralTimesTheWorstDecides) {
  std::vector<TuningRecord> records = {compared(0.8), compared(0.85), compared(0.9)};
  records[0].schedule = records[2].schedule;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]) << "0.8 was luck";
  std::swap(records[0], records[2]);
  EXPECT_EQ(fastest(records), &records[1]) << "in any order";
  records[0].costs.clear();
  records[0].error.kind = ErrorKind::Runtime;
  records.erase(records.begin() + 1);
  EXPECT_EQ(fastest(records), nullptr) << "it failed once";
  records[1].schedule = "another";
  EXPECT_EQ(fastest(records), &records[1]);
}

TEST(BestRecords, OrderedByWhatTheDefaultTookInTheSameTurns) {
  std::vector<TuningRecord> records = {compared(0.9), compared(0.8), record(0.5)};
  for (double &cost : records[1].costs)
    cost *= 3;
  for (double &cost : records[1].defaultCosts)
    cost *= 3;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]);
}

TEST(BestRecords, CallsInTheModelOverruleTheTaskAlone) {
  std::vector<TuningRecord> records = {compared(0.8), compared(0.7), compared(1.1)};
  records[1].schedule = "other";
  records[2].schedule = records[0].schedule;
  records[2].isInModel = true;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]);
  std::swap(records[0], records[2]);
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]) << "whatever the order";
  EXPECT_EQ(distill(records).front().schedule, "other");
  llvm::Expected<TuningRecord> again = parseRecord(toJsonLine(records[0]));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_TRUE(again->isInModel && again->isRelease);
}

TEST(BestRecords, WhatGainsNoMoreThanARefusedOneIsNotTriedInItsPlace) {
  std::vector<TuningRecord> records = {compared(0.8), compared(0.9), compared(1.1), record(1)};
  records[1].schedule = "other";
  records[2].schedule = records[0].schedule;
  records[2].isInModel = true;
  records[3].schedule = "the default";
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[3]);
  std::swap(records[1], records[2]);
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[3]) << "whatever the order";
  records[1].threads = 2;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[0]) << "two threads say nothing of one";
}

TEST(BestRecords, OfOpenSizesThoseCountThatWereMeasuredLast) {
  std::vector<TuningRecord> records = {compared(0.5), compared(0.8), compared(0.9)};
  records[0].sizes = "seq=16";
  records[1].sizes = records[2].sizes = "seq=16,128*3";
  records[0].time = "2026-01-01T10:00:00Z";
  records[1].time = records[2].time = "2026-01-02T10:00:00Z";
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]);
  EXPECT_EQ(distill(records).size(), 1u);
  std::swap(records[0], records[1]);
  EXPECT_EQ(fastest(records), &records[0]) << "whatever the order";
  records[2].isRelease = records[0].isRelease = false;
  EXPECT_EQ(fastest(records), &records[1]) << "what was measured briefly does not count";
  llvm::Expected<TuningRecord> again = parseRecord(toJsonLine(records[0]));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->sizes, "seq=16,128*3");
}

TEST(BestRecords, ForRangesOfSizesThoseAreBestThatGainThere) {
  std::vector<TuningRecord> records = {compared(0.9), compared(0.5), compared(0.6), compared(0.7), compared(1)};
  for (TuningRecord &each : records)
    each.sizes = "seq=16,128,512";
  records[1].ranges = {{"seq", 46, 255}};
  records[2].ranges = {{"seq", 0, 45}};
  records[3].ranges = {{"seq", 0, 63}};
  records[4].ranges = {{"seq", 256, std::nullopt}};
  BestRecords bests(records);
  EXPECT_EQ(bests.find("k", haswell).record, &records[0]) << "in every run";
  auto found = [&] {
    std::vector<const TuningRecord *> own;
    for (const BestAnswer &answer : BestRecords(records).findRanged("k", haswell))
      own.push_back(answer.record);
    return own;
  };
  using Found = std::vector<const TuningRecord *>;
  EXPECT_EQ(found(), (Found{&records[2], &records[1]})) << "one overlaps with more gain, one gains nothing";
  EXPECT_EQ(distill(records).size(), 4u);
  records[1].sizes = "seq=16,128";
  records[0].time = records[2].time = records[3].time = "2026-01-02T10:00:00Z";
  EXPECT_EQ(found(), Found{&records[2]}) << "other sizes were measured last";
  records[2].defaultCosts.clear();
  EXPECT_EQ(found(), Found{&records[3]}) << "what was not compared with that for all sizes gains nothing";
}

TEST(BestRecords, TheWholeModelOverrulesItsCalls) {
  std::vector<TuningRecord> records = {compared(0.8), compared(0.9), compared(1)};
  records[1].schedule = records[2].schedule = records[0].schedule;
  records[1].isInModel = true;
  EXPECT_EQ(BestRecords(records).find("k", haswell).record, &records[1]);
  records[2].isOfModel = true;
  EXPECT_EQ(BestRecords(records).find("k", haswell).reason, "its records are not faster than the default schedule");
  EXPECT_TRUE(distill(records).empty());
  llvm::Expected<TuningRecord> again = parseRecord(toJsonLine(records[2]));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_TRUE(again->isOfModel && again->isRelease && !again->isInModel);
}

TEST(BestRecords, OfOtherNestsSayNothingOfThese) {
  std::vector<TuningRecord> records = {compared(0.5), compared(1.5)};
  records[0].nests = "0000000000000001";
  records[1].nests = "0000000000000002";
  records[1].schedule = records[0].schedule;
  records[1].isOfModel = true;
  EXPECT_EQ(decisive(records).size(), 2u) << "the model refused a schedule of the same text";
  records[1].nests = records[0].nests;
  EXPECT_EQ(decisive(records).size(), 1u);
}

TEST(BestRecords, DistillingKeepsOnePerBuildOfTheNests) {
  std::vector<TuningRecord> records = {record(2), record(1), record(3)};
  records[0].nests = records[2].nests = "0000000000000001";
  records[1].nests = "0000000000000002";
  std::vector<TuningRecord> kept = distill(records);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].cost(), 2);
  EXPECT_EQ(kept[1].cost(), 1);
}

TEST(BestRecords, DistillingKeepsOnePerTaskProcessorAndThreads) {
  std::vector<TuningRecord> records = {record(2), record(1), record(3)};
  records[2].threads = 4;
  std::vector<TuningRecord> kept = distill(records);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].cost(), 1);
  EXPECT_EQ(kept[1].threads, 4u);
  std::swap(records[0], records[2]);
  std::vector<TuningRecord> again = distill(records);
  EXPECT_EQ(toJsonLine(again[0]), toJsonLine(kept[0]));
}

/// Returns a record of a split of task "k" after operation `number`; the model takes `cost` of its former time.
TuningRecord split(unsigned number, double cost) {
  TuningRecord both = compared(cost);
  both.isRelease = false;
  both.schedule = "";
  both.proof.reset();
  both.split = number;
  return both;
}

TEST(BestRecords, OfSplitsTheOneWithWhichModelsAreFastest) {
  std::vector<TuningRecord> splits = {split(0, 0.95), split(1, 0.9), split(2, 1.02)};
  EXPECT_EQ(findBorders(splits, haswell), (std::vector<const TuningRecord *>{&splits[1]}));
  EXPECT_TRUE(findBorders(llvm::ArrayRef(splits).drop_front(2), haswell).empty());
  RecordTarget threads = haswell;
  threads.threads = 2;
  EXPECT_TRUE(findBorders(splits, threads).empty()) << "measured with one thread";
}

TEST(BestRecords, ASplitThatWasSlowerOnceIsNotTaken) {
  std::vector<TuningRecord> splits = {split(0, 0.95), split(1, 0.9), split(1, 1.01)};
  EXPECT_EQ(findBorders(splits, haswell), (std::vector<const TuningRecord *>{&splits[0]}));
  std::vector<TuningRecord> kept = distillBorders(splits);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept.front().split, 0u);
}

/// Returns a record of a merge of task "k" into operand `operand` of another task, found at `time`.
TuningRecord merge(unsigned operand, double cost, llvm::StringRef time) {
  TuningRecord both = split(0, cost);
  both.split.reset();
  both.merge = operand;
  both.with = "other";
  both.time = time.str();
  return both;
}

/// Each merge was measured together with the earlier ones, so the order does not depend on the gains.
TEST(BestRecords, MergesComeInTheOrderInWhichTheyWereFound) {
  std::vector<TuningRecord> borders = {merge(2, 0.9, "2026-11-26T12:00:02Z"), merge(1, 0.95, "2026-11-26T12:00:01Z"),
                                       split(0, 0.99), merge(0, 0.9, "2026-11-26T12:00:00Z"),
                                       merge(0, 1.01, "2026-11-26T12:00:00Z")};
  EXPECT_EQ(findBorders(borders, haswell), (std::vector<const TuningRecord *>{&borders[2], &borders[1], &borders[0]}));
  EXPECT_EQ(distillBorders(borders).size(), 3u);
}

} // namespace

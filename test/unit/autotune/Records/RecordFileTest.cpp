// Reading and writing of record files, also damaged ones.
#include "autotune/Records/RecordFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <thread>

using namespace cameo::autotune;

namespace {

class RecordFileTest : public testing::Test {
protected:
  RecordFileTest() { EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("records", "jsonl", path)); }
  ~RecordFileTest() override { llvm::sys::fs::remove(path); }

  void fill(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  }
  std::string text() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }
  size_t count() {
    llvm::Expected<RecordFile> file = readRecords(path);
    EXPECT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
    return file ? file->records.size() : 0;
  }
  std::string readError() {
    llvm::Expected<RecordFile> file = readRecords(path);
    return file ? "" : llvm::toString(file.takeError());
  }

  llvm::SmallString<128> path;
};

TuningRecord someRecord(llvm::StringRef schedule = "#schedule.steps<>") {
  TuningRecord record;
  record.task = "0123abcd";
  record.name = "conv_relu_0";
  record.flops = 1e9;
  record.triple = "x86_64-pc-linux-gnu";
  record.cpu = "skylake-avx512";
  record.extensions = {"avx2", "fma"};
  record.threads = 2;
  record.schedule = schedule.str();
  record.steps = 1;
  record.nests = "0123456789abcdef";
  record.eachNest = {"00000000000000ab", "fedcba9876543210"};
  record.target = "#cameo.target<cpu = \"skylake-avx512\">";
  record.isRelease = true;
  record.costs = {1.5e-3, 1.25e-3, 1.75e-3};
  record.defaultCosts = {2e-3, 1.5e-3, 2.5e-3};
  record.isDisturbed = true;
  record.proof = Proof{7, 1e-6, 3.5, 2e-5};
  record.round = 3;
  record.seed = 42;
  record.time = "2026-01-02T03:04:05Z";
  return record;
}

TEST_F(RecordFileTest, ARecordReadsBackAsItWas) {
  TuningRecord failed = someRecord();
  failed.costs.clear();
  failed.proof.reset();
  failed.error = {ErrorKind::WrongAnswer, "off by \"2\"\n"};
  for (const TuningRecord &record : {someRecord(), failed}) {
    llvm::Expected<TuningRecord> again = parseRecord(toJsonLine(record));
    ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(toJsonLine(*again), toJsonLine(record));
    EXPECT_EQ(again->isValid(), record.isValid());
  }
}

TEST_F(RecordFileTest, WhatOlderRecordsDoNotSayIsNotKnown) {
  TuningRecord old = someRecord();
  old.nests.clear();
  old.eachNest.clear();
  old.target.clear();
  std::string line = toJsonLine(old);
  for (const char *field : {"\"steps\"", "\"nests\"", "\"each_nest\"", "\"target\""})
    EXPECT_EQ(line.find(field), std::string::npos) << field;
  llvm::Expected<TuningRecord> again = parseRecord(line);
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->steps, 0U);
  EXPECT_EQ(foreignLoops(*again, {1, "0123456789abcdef"}), "");
}

TEST_F(RecordFileTest, RecordsSayForWhichLoopsTheyWereMade) {
  EXPECT_EQ(foreignLoops(someRecord(), {1, "0123456789abcdef"}), "");
  EXPECT_EQ(foreignLoops(someRecord(), {1, "0123456789abcdee"}),
            "made for loop nests that differ from those of the task now");
  EXPECT_EQ(foreignLoops(someRecord(), {2, "0123456789abcdef"}),
            "made for version 1 of the schedule steps, and this compiler has version 2");
}

TEST_F(RecordFileTest, FormatIsTheFirstField) { EXPECT_EQ(toJsonLine(someRecord()).substr(0, 11), "{\"format\":1"); }

TEST_F(RecordFileTest, ErrorsNameFileLineAndField) {
  std::string line = toJsonLine(someRecord());
  auto with = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string changed = line;
    changed.replace(changed.find(from), from.size(), to);
    fill(line + "\n\n" + changed + "\n");
    return readError();
  };
  EXPECT_EQ(with("\"threads\":2", "\"threads\":0"),
            (path + ":3: expected 'threads' to be an integer of 1 to 65536").str());
  EXPECT_EQ(with("\"nests\":\"01", "\"nests\":\"xy"),
            (path + ":3: expected 'nests' to be 16 hexadecimal digits").str());
  EXPECT_EQ(with("\"steps\":1", "\"steps\":0"), (path + ":3: expected 'steps' to be an integer of 1 to 1048576").str());
  EXPECT_EQ(with("\"00000000000000ab\"", "\"ab\""),
            (path + ":3: expected 'each_nest' to be an array of at most 64 strings of 16 hexadecimal digits").str());
  EXPECT_EQ(with("\"target\":\"#cameo.target<cpu = \\\"skylake-avx512\\\">\"", "\"target\":7"),
            (path + ":3: expected 'target' to be a string").str());
  EXPECT_EQ(with("\"task\":", "\"tusk\":"), (path + ":3: expected a field 'task'").str());
  EXPECT_EQ(
      with("\"level\":\"release\"", "\"level\":\"best\""),
      (path + ":3: expected 'level' to be 'release', 'model', 'whole', 'tuning', 'seed', 'split' or 'merge'").str());
  EXPECT_EQ(with("\"format\":1", "\"format\":5"),
            (path + ":3: expected format 4 or older, got 5: written by a newer Cameo").str());
  EXPECT_NE(with("{\"format\"", "[\"format\"").find(":3: "), std::string::npos);
}

TEST_F(RecordFileTest, NumbersHaveLimits) {
  std::string line = toJsonLine(someRecord());
  auto with = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string changed = line;
    changed.replace(changed.find(from), from.size(), to);
    fill(changed + "\n");
    return readError();
  };
  std::string seconds = "to be an array of at most 10000 seconds from 1e-12 to 1e+09";
  for (llvm::StringRef cost : {"0", "-1e-3", "1e-300", "1e300", "null", "\"1\""})
    EXPECT_EQ(with("\"costs\":[", ("\"costs\":[" + cost + ",").str()),
              path.str().str() + ":1: expected 'costs' " + seconds);
  std::string most = "[0.001", more;
  for (int count = 1; count < 10000; ++count)
    most += ",0.001";
  more = most + ",0.001";
  EXPECT_EQ(with("\"default_costs\":", "\"default_costs\":" + most + "],\"old\":"), "");
  EXPECT_EQ(with("\"default_costs\":", "\"default_costs\":" + more + "],\"old\":"),
            path.str().str() + ":1: expected 'default_costs' " + seconds);
  EXPECT_EQ(with("\"threads\":2", "\"threads\":4294967297"),
            (path + ":1: expected 'threads' to be an integer of 1 to 65536").str());
  EXPECT_EQ(with("\"round\":3", "\"round\":4294967296"),
            (path + ":1: expected 'round' to be an integer of 0 to 4294967295").str());
  EXPECT_EQ(with("\"flops\":", "\"flops\":1e31,\"old\":"),
            (path + ":1: expected 'flops' to be a number from 0 to 1e+30").str());
}

TEST_F(RecordFileTest, LinesHaveLimits) {
  std::string line = toJsonLine(someRecord());
  auto with = [&](const std::string &more) {
    fill("{\"more\":" + more + "," + line.substr(1) + "\n");
    return readError();
  };
  EXPECT_EQ(with(std::string(63, '[') + std::string(63, ']')), "");
  EXPECT_EQ(with("\"\\\"" + std::string(100000, '[') + "\""), ""); // brackets inside a string do not nest
  for (size_t depth : {64, 100000})
    EXPECT_EQ(with(std::string(depth, '[') + std::string(depth, ']')),
              (path + ":1: expected arrays and objects nested at most 64 deep").str());
  EXPECT_NE(with("\"" + std::string(17 << 20, 'a') + "\"").find(":1: expected a line of at most 16777216 bytes"),
            std::string::npos);
}

TEST_F(RecordFileTest, SeedsAreNoRecords) {
  TuningRecord seed = someRecord();
  seed.costs.clear();
  seed.isRelease = false;
  seed.isSeed = true;
  seed.origin = "another tuner";
  fill(toJsonLine(seed) + "\n" + toJsonLine(someRecord()) + "\n");
  llvm::Expected<RecordFile> file = readRecords(path);
  ASSERT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
  EXPECT_EQ(file->records.size(), 1u);
  ASSERT_EQ(file->seeds.size(), 1u);
  EXPECT_EQ(file->seeds.front().origin, "another tuner");
  EXPECT_EQ(toJsonLine(file->seeds.front()), toJsonLine(seed));
}

/// Splits have another format version, so that older readers reject them instead of taking them for schedules.
TEST_F(RecordFileTest, SplitsAreNoRecords) {
  TuningRecord split = someRecord("");
  split.isRelease = false;
  split.nests = "";
  split.eachNest.clear();
  split.split = 3;
  std::string line = toJsonLine(split);
  EXPECT_EQ(line.substr(0, 11), "{\"format\":2");
  fill(line + "\n" + toJsonLine(someRecord()) + "\n");
  llvm::Expected<RecordFile> file = readRecords(path);
  ASSERT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
  EXPECT_EQ(file->records.size(), 1u);
  ASSERT_EQ(file->borders.size(), 1u);
  EXPECT_EQ(file->borders.front().split, 3u);
  EXPECT_EQ(toJsonLine(file->borders.front()), line);
  line.replace(line.find("\"split\":3"), 9, "\"split\":-1");
  fill(line + "\n");
  EXPECT_NE(readError().find("expected 'split' to be an integer of 0 to"), std::string::npos);
}

/// Records with ranges have another format version, so that older readers reject them instead of using them for all
/// sizes.
TEST_F(RecordFileTest, RangesOfSizes) {
  TuningRecord ranged = someRecord();
  ranged.sizes = "batch=1,8;seq=16,128";
  ranged.ranges = {{"batch", 0, 2}, {"seq", 46, std::nullopt}};
  std::string line = toJsonLine(ranged);
  EXPECT_EQ(line.substr(0, 11), "{\"format\":4");
  EXPECT_NE(line.find("\"dims\":{\"batch\":[0,2],\"seq\":[46]}"), std::string::npos);
  EXPECT_EQ(rangesText(ranged.ranges), "batch from 0 to 2, seq from 46");
  llvm::Expected<TuningRecord> again = parseRecord(line);
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->ranges, ranged.ranges);
  EXPECT_EQ(toJsonLine(*again), line);
  for (llvm::StringRef wrong : {"{}", "[46]", "{\"seq\":46}", "{\"seq\":[]}", "{\"seq\":[1,2,3]}", "{\"seq\":[-1,2]}",
                                "{\"seq\":[3,2]}", "{\"seq\":[1.5]}"}) {
    std::string changed = line;
    changed.replace(changed.find("\"dims\":"), 7, ("\"dims\":" + wrong + ",\"old\":").str());
    fill(changed + "\n");
    EXPECT_EQ(readError(), (path + ":1: expected 'dims' to be an object that maps each dimension to [smallest size, "
                                   "largest size], or to [smallest size] if it is unbounded")
                               .str());
  }
}

TEST_F(RecordFileTest, MergesAreNoRecords) {
  TuningRecord merge = someRecord("");
  merge.isRelease = false;
  merge.nests = "";
  merge.eachNest.clear();
  merge.merge = 1;
  merge.with = "k2";
  std::string line = toJsonLine(merge);
  EXPECT_EQ(line.substr(0, 11), "{\"format\":3");
  fill(line + "\n");
  llvm::Expected<RecordFile> file = readRecords(path);
  ASSERT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
  EXPECT_TRUE(file->records.empty());
  ASSERT_EQ(file->borders.size(), 1u);
  EXPECT_EQ(file->borders.front().merge, 1u);
  EXPECT_EQ(file->borders.front().with, "k2");
  EXPECT_EQ(toJsonLine(file->borders.front()), line);
  fill(line.replace(line.find("\"with\""), 6, "\"without\"") + "\n");
  EXPECT_NE(readError().find("expected a field 'with'"), std::string::npos);
}

TEST_F(RecordFileTest, CommentsAreSkipped) {
  fill("# of a board\n" + toJsonLine(someRecord()) + "\n");
  EXPECT_EQ(count(), 1u);
}

TEST_F(RecordFileTest, ATornLastLineIsLeftOutAndMended) {
  std::string line = toJsonLine(someRecord()) + "\n";
  for (size_t cut : {size_t(1), line.size() / 2, line.size() - 3}) {
    fill(line + line + line.substr(0, cut));
    llvm::Expected<RecordFile> file = readRecords(path);
    ASSERT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
    EXPECT_TRUE(file->endsTorn);
    EXPECT_EQ(file->records.size(), 2u);
    auto writer = RecordWriter::open(path);
    ASSERT_TRUE(static_cast<bool>(writer)) << llvm::toString(writer.takeError());
    EXPECT_FALSE(llvm::errorToBool((*writer)->append(someRecord())));
    EXPECT_EQ(text(), line + line + line);
  }
}

TEST_F(RecordFileTest, AWholeLastLineWithoutItsEndIsKept) {
  std::string line = toJsonLine(someRecord());
  fill(line);
  EXPECT_EQ(count(), 1u);
  auto writer = RecordWriter::open(path);
  ASSERT_TRUE(static_cast<bool>(writer)) << llvm::toString(writer.takeError());
  EXPECT_FALSE(llvm::errorToBool((*writer)->append(someRecord())));
  EXPECT_EQ(text(), line + "\n" + line + "\n");
}

TEST_F(RecordFileTest, SeveralWritersDoNotMixLines) {
  constexpr int each = 200;
  auto work = [&](int number) {
    auto writer = RecordWriter::open(path);
    ASSERT_TRUE(static_cast<bool>(writer)) << llvm::toString(writer.takeError());
    for (int i = 0; i < each; ++i)
      EXPECT_FALSE(llvm::errorToBool((*writer)->append(someRecord(std::string(1 + (number * 37 + i) % 500, 's')))));
  };
  std::thread other([&] { work(1); });
  work(2);
  other.join();
  EXPECT_EQ(count(), 2u * each);
}

TEST_F(RecordFileTest, AFileThatCannotBeWrittenIsAnErrorThatNamesIt) {
  auto writer = RecordWriter::open("/nonexistent/records.jsonl");
  ASSERT_FALSE(static_cast<bool>(writer));
  EXPECT_NE(llvm::toString(writer.takeError()).find("/nonexistent/records.jsonl"), std::string::npos);
}

} // namespace

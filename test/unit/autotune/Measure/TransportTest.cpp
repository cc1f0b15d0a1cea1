// Each candidate gets exactly one result, its own, for every fault of a transport.
#include "FaultyTransport.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// Returns the machine's result for an item.
MeasurementResult resultOf(const cameo_package_item &item) {
  MeasurementResult result;
  result.id = item.id;
  result.costs = {static_cast<double>(item.id) * 1e-6};
  return result;
}

MeasurementPackage packageOf(llvm::ArrayRef<uint64_t> ids) {
  MeasurementPackage package({});
  for (uint64_t id : ids) {
    cameo_package_item item = {};
    item.id = id;
    package.add(item);
  }
  return package;
}

TEST(Transport, ResultsAreThoseOfTheirItemsInAnyOrderLateAndTwice) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    FaultyTransport transport(resultOf, seed, /*loss=*/0);
    for (uint64_t first = 1; first < 100; first += 9) {
      std::vector<uint64_t> ids(9);
      std::iota(ids.begin(), ids.end(), first);
      std::vector<MeasurementResult> results = exchange(transport, packageOf(ids), 0.2);
      ASSERT_EQ(results.size(), ids.size());
      for (auto [result, id] : llvm::zip_equal(results, ids)) {
        EXPECT_EQ(result.id, id);
        EXPECT_EQ(result.error.kind, ErrorKind::None);
        EXPECT_EQ(result.costs, std::vector<double>{static_cast<double>(id) * 1e-6});
      }
    }
    EXPECT_EQ(transport.submitted, 11u) << "nothing is sent again while it may still come";
  }
}

TEST(Transport, WhatIsLostIsSentAgain) {
  FaultyTransport transport(resultOf, 1, /*loss=*/0.2);
  unsigned complete = 0;
  for (uint64_t id = 1; id <= 40; ++id)
    complete += exchange(transport, packageOf(id), 0.01).front().error.kind == ErrorKind::None;
  EXPECT_EQ(complete, 40u);
  EXPECT_GT(transport.submitted, 40u);
}

TEST(Transport, WhatIsLostForEverIsAnErrorOfTheWay) {
  FaultyTransport transport(resultOf, 1, /*loss=*/1);
  std::vector<MeasurementResult> results = exchange(transport, packageOf({3, 4}), 0.001);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].id, 4u);
  EXPECT_EQ(results[1].error.kind, ErrorKind::Unknown);
  EXPECT_EQ(results[1].error.message, "no result came back");
}

/// A transport that accepts several packages at a time.
class WideTransport : public FaultyTransport {
public:
  WideTransport(unsigned seed, double loss, unsigned width) : FaultyTransport(resultOf, seed, loss), width(width) {}
  unsigned packagesUnderWay() const override { return width; }

private:
  unsigned width;
};

TEST(PackageWindow, EachPackageHasItsResultOnceInAnyOrderLateLostAndTwice) {
  for (unsigned width : {1u, 3u, 16u})
    for (double loss : {0.0, 0.2}) {
      WideTransport transport(/*seed=*/width, loss, width);
      std::vector<unsigned> taken(60);
      unsigned complete = 0;
      PackageWindow window(transport);
      for (uint64_t id = 0; id < taken.size(); ++id)
        window.send(packageOf(id), /*seconds=*/0.005, [&, id](MeasurementResult result) {
          ++taken[id];
          EXPECT_EQ(result.id, id);
          complete += result.error.kind == ErrorKind::None &&
                      result.costs == std::vector<double>{static_cast<double>(id) * 1e-6};
        });
      window.finish();
      EXPECT_EQ(llvm::count(taken, 1u), 60) << width << " at a time";
      EXPECT_EQ(complete, 60u) << width << " at a time, loss " << loss;
    }
}

TEST(PackageWindow, WhatIsLostForEverIsAnErrorOfTheWay) {
  WideTransport transport(/*seed=*/1, /*loss=*/1, /*width=*/2);
  std::vector<std::string> messages;
  PackageWindow window(transport);
  for (uint64_t id : {1, 2, 3})
    window.send(packageOf(id), /*seconds=*/0.001,
                [&](MeasurementResult result) { messages.push_back(result.error.message); });
  window.finish();
  EXPECT_EQ(messages, std::vector<std::string>(3, "no result came back"));
}

TEST(MeasurementPackage, HoldsEqualBlobsOnceAndReadsBack) {
  MeasurementPackage package = packageOf({5, 6});
  std::vector<char> weights(1000, 'w'), image(10, 'i');
  EXPECT_EQ(package.add(weights), 0u);
  EXPECT_EQ(package.add(image), 1u);
  EXPECT_EQ(package.add(std::vector<char>(1000, 'w')), 0u);
  std::vector<char> bytes = package.serialize();
  PackageContents contents = llvm::cantFail(readPackageContents(bytes));
  EXPECT_EQ(contents.ids, (std::vector<uint64_t>{5, 6}));
  EXPECT_LT(bytes.size(), 2000u);
  bytes.pop_back();
  EXPECT_EQ(llvm::toString(readPackageContents(bytes).takeError()), "expected a measurement package of this version");
}

TEST(MeasurementResult, LinesAreReadAndRefused) {
  auto errorOf = [](llvm::StringRef line) { return llvm::toString(parseResultLine(line).takeError()); };
  EXPECT_EQ(errorOf("nonsense"), "expected an object of JSON");
  EXPECT_EQ(errorOf(R"({"format":2,"package":"0000000000000001"})"), "expected 'format' to be 1");
  EXPECT_EQ(errorOf(R"({"id":"12","error":"none"})"), "expected 'id' to be 16 hexadecimal digits");
  EXPECT_EQ(errorOf(R"({"id":"0000000000000012","error":"odd"})"), "expected 'error' to be a kind of error");
  EXPECT_EQ(errorOf(R"({"id":"0000000000000012","error":"none","costs":[]})"),
            "expected 'costs' of a candidate without an error");
  EXPECT_EQ(errorOf(R"({"id":"0000000000000012","error":"none","costs":["a"]})"),
            "expected 'costs' to be an array of positive numbers");
  ResultLine line = llvm::cantFail(
      parseResultLine(R"({"id":"00000000000000ff","error":"none","costs":[1e-3,2e-3],"time":"2026-01-01T00:00:00Z"})"));
  auto *result = std::get_if<MeasurementResult>(&line);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->id, 255u);
  EXPECT_EQ(result->costs, (std::vector<double>{1e-3, 2e-3}));
  ResultLine end = llvm::cantFail(parseResultLine(R"({"end":"00000000000000ff","results":3})"));
  ASSERT_TRUE(std::get_if<ResultsEnd>(&end));
}

TEST(MeasurementResult, IsOfTheMachineThatTheHeadBeforeNames) {
  ResultReader reader;
  auto machineOf = [&] {
    ResultLine line = llvm::cantFail(reader.read(R"({"id":"00000000000000ff","error":"none","costs":[1e-3]})"));
    return std::get<MeasurementResult>(line).device + " " + std::get<MeasurementResult>(line).machine;
  };
  EXPECT_EQ(machineOf(), " ");
  llvm::cantFail(
      reader.read(R"({"device":"one","format":1,"package":"0000000000000001","machine":{"identity":"x86, 2 CPUs"}})"));
  EXPECT_EQ(machineOf(), "one x86, 2 CPUs");
  EXPECT_EQ(machineOf(), "one x86, 2 CPUs");
  llvm::cantFail(reader.read(R"({"format":1,"package":"0000000000000002","machine":{"identity":"x86, 4 CPUs"}})"));
  EXPECT_EQ(machineOf(), " x86, 4 CPUs");
}

} // namespace

// The worker survives every fault of a candidate, and reports it.
#include "PlantedImages.h"

#include "autotune/Measure/PackageItems.h"
#include "autotune/Measure/WorkerTransport.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Triple.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

cameo_package_target thisMachine() {
  cameo_package_target target = {};
  target.machine = llvm::Triple(HOST_TRIPLE).isAArch64() ? llvm::ELF::EM_AARCH64 : llvm::ELF::EM_X86_64;
  return target;
}

MeasurementResult timeImage(Transport &transport, const CandidateImage &image, const MeasurementPolicy &policy,
                            double bestSeconds = 0, const TaskSource &source = plantedSource()) {
  MeasurementPackage package(thisMachine());
  cameo_package_item item = timeItem(package, policy, source, image, bestSeconds);
  item.id = 7;
  package.add(item);
  return exchange(transport, package, 30).front();
}

MeasurementResult timePlanted(Transport &transport, const std::string &fault) {
  return timeImage(transport, plantedImage(fault), quickPolicy());
}

MeasurementResult confirmPlanted(Transport &transport, const std::string &fault, bool hasReference) {
  CheckData data{1, {nullptr}, {{1, 1.0f, CAMEO_FLOAT32}}};
  MeasurementPackage package(thisMachine());
  CandidateImage image = plantedImage(fault), sound = plantedImage("sound");
  cameo_package_item item =
      confirmItem(package, quickPolicy(), plantedSource(), {image, data, &sound, hasReference ? &sound : nullptr});
  package.add(item);
  return exchange(transport, package, 60).front();
}

TEST(WorkerTransport, TimesASoundOne) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  MeasurementResult result = timePlanted(worker, "sound");
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  ASSERT_EQ(result.costs.size(), 5u);
  for (double cost : result.costs)
    EXPECT_TRUE(cost > 0 && cost < 0.1) << cost;
  EXPECT_EQ(result.time.size(), 20u) << result.time;
}

TEST(WorkerTransport, ConfirmsWhatComputesTheSame) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  MeasurementResult result = confirmPlanted(worker, "sound", /*hasReference=*/true);
  ASSERT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  EXPECT_EQ(result.costs.size(), 15u);
  EXPECT_EQ(result.defaultCosts.size(), 15u);
  ASSERT_TRUE(result.proof);
  EXPECT_EQ(result.proof->maxAbsolute, 0);
  EXPECT_GT(result.proof->bound, 0);
}

TEST(WorkerTransport, ReferencesAreKeptAndAskedFor) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  EXPECT_TRUE(confirmPlanted(worker, "sound", /*hasReference=*/false).needsReference);
  EXPECT_FALSE(confirmPlanted(worker, "sound", /*hasReference=*/true).needsReference);
  MeasurementResult wrong = confirmPlanted(worker, "is-wrong", /*hasReference=*/false);
  EXPECT_FALSE(wrong.needsReference);
  EXPECT_EQ(wrong.error.kind, ErrorKind::WrongAnswer);
  EXPECT_TRUE(llvm::StringRef(wrong.error.message).starts_with("result 0: element ")) << wrong.error.message;
}

TEST(WorkerTransport, EveryFaultIsItsErrorAndTheWorkerGoesOn) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  const std::pair<const char *, ErrorKind> faults[] = {{"crashes", ErrorKind::Runtime},
                                                       {"hangs", ErrorKind::RunTimeout},
                                                       {"eats-memory", ErrorKind::Runtime},
                                                       {"refuses", ErrorKind::Runtime}};
  for (auto [fault, kind] : faults) {
    MeasurementResult result = timePlanted(worker, fault);
    EXPECT_EQ(result.error.kind, kind) << fault << ": " << result.error.message;
    EXPECT_FALSE(result.error.message.empty()) << fault;
    EXPECT_EQ(timePlanted(worker, "sound").error.kind, ErrorKind::None) << "after one that " << fault;
  }
}

TEST(WorkerTransport, OtherPeoplesCandidatesGetNothingButMemoryThreadsAndTime) {
  WorkerTransport worker(WorkerCommand::shell("CAMEO_WORKER_CONFINES=1 exec " CAMEO_WORKER_PATH));
  const std::pair<const char *, const char *> faults[] = {{"opens-socket", "open a network connection"},
                                                          {"forks", "start a process"},
                                                          {"writes-file", "open a file for writing"}};
  for (auto [fault, what] : faults) {
    MeasurementResult result = timePlanted(worker, fault);
    EXPECT_EQ(result.error.kind, ErrorKind::Runtime) << fault;
    EXPECT_EQ(result.error.message,
              std::string("run failed: it tried to ") + what + ", which candidates are not allowed to do");
  }
  EXPECT_FALSE(llvm::sys::fs::exists("/tmp/cameo-planted-file"));
  EXPECT_EQ(timePlanted(worker, "eats-memory").error.kind, ErrorKind::Runtime);
  TaskSource threaded = plantedSource();
  threaded.threads = 2;
  EXPECT_EQ(timeImage(worker, plantedImage("sound"), quickPolicy(), 0, threaded).error.kind, ErrorKind::None);
  EXPECT_EQ(confirmPlanted(worker, "sound", /*hasReference=*/true).error.kind, ErrorKind::None);
}

TEST(WorkerTransport, RandomDataForAWholeModelIsKept) {
  MeasurementPolicy policy = quickPolicy();
  policy.rotationBytes = uint64_t(8) << 20;
  WorkerTransport worker(CAMEO_WORKER_PATH);
  for (cameo_element_type type : {CAMEO_FLOAT32, CAMEO_INT8, CAMEO_FLOAT32}) {
    TaskSource source = plantedSource();
    source.weightsType = type;
    MeasurementResult result = timeImage(worker, plantedImage("sound"), policy, 0, source);
    EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
    EXPECT_EQ(result.costs.size(), 5u);
  }
}

TEST(PackageItems, WeightsThatAreMadeLargerComeFromALargerModel) {
  MeasurementPolicy policy;
  policy.rotationBytes = 1000 * 64;
  policy.largestRotationBytes = 3000 * 64;
  TaskSource source;
  source.constantBytes = 100;
  auto bytesWith = [&](uint64_t weightBytes) {
    CandidateImage image;
    image.weightBytes = weightBytes;
    return rotationBytes(policy, source, image);
  };
  EXPECT_EQ(bytesWith(0), 1000u * 64);
  EXPECT_EQ(bytesWith(50), 1000u * 64) << "smaller ones";
  EXPECT_EQ(bytesWith(200), 2000u * 64);
  EXPECT_EQ(bytesWith(400), 3000u * 64) << "beyond all caches";
  policy.rotationBytes = 0;
  EXPECT_EQ(bytesWith(200), 0u) << "alone";
}

TEST(WorkerTransport, WhatIsNoLibraryIsACompilerError) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  CandidateImage image;
  image.library.assign(100, 'x');
  EXPECT_EQ(timeImage(worker, image, quickPolicy()).error.kind, ErrorKind::CompileHost);
}

TEST(WorkerTransport, SlowOnesAreGivenUp) {
  MeasurementPolicy policy = quickPolicy();
  policy.minRepeatSeconds = 1e-12;
  policy.repeats = 20;
  WorkerTransport worker(CAMEO_WORKER_PATH);
  MeasurementResult result = timeImage(worker, plantedImage("sound"), policy, /*bestSeconds=*/1e-12);
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  EXPECT_LE(result.costs.size(), 2u);
}

TEST(WorkerTransport, ShortOnesAreMeasuredWellHoweverSlow) {
  MeasurementPolicy policy = quickPolicy();
  policy.minRepeatSeconds = 1e-2;
  WorkerTransport worker(CAMEO_WORKER_PATH);
  MeasurementResult result = timeImage(worker, plantedImage("sound"), policy, /*bestSeconds=*/1e-12);
  EXPECT_EQ(result.error.kind, ErrorKind::None) << result.error.message;
  EXPECT_EQ(result.costs.size(), 5u);
}

TEST(WorkerTransport, AWorkerThatIsNotThereIsAnErrorThatNamesIt) {
  WorkerTransport worker("/nonexistent/cameo-worker");
  MeasurementResult result = timePlanted(worker, "sound");
  EXPECT_EQ(result.error.kind, ErrorKind::Unknown);
  EXPECT_NE(result.error.message.find("/nonexistent/cameo-worker"), std::string::npos);
}

TEST(WorkerTransport, AnotherMachineIsRefused) {
  WorkerTransport worker(CAMEO_WORKER_PATH);
  llvm::Expected<MachineFacts> here = worker.describe(thisMachine());
  ASSERT_TRUE(static_cast<bool>(here)) << llvm::toString(here.takeError());
  EXPECT_NE(here->text.find("Linux"), std::string::npos) << here->text;
  cameo_package_target other = thisMachine();
  other.machine = llvm::ELF::EM_RISCV;
  llvm::Expected<MachineFacts> refused = worker.describe(other);
  ASSERT_FALSE(static_cast<bool>(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("got candidates for RISC-V"), std::string::npos);
  EXPECT_EQ(timePlanted(worker, "sound").error.kind, ErrorKind::None) << "afterwards";
}

} // namespace

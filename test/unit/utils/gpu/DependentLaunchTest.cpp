// Dependent launches with planted faults: a thread accesses what earlier launches may still access before it waits for
// them, or does not wait at all. Faults are found for every order of threads, and none in the kernel without a fault.
#include "test/unit/utils/gpu/KernelVariables.h"
#include "utils/gpu/emulator/Block.h"
#include "utils/gpu/emulator/Check.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace emulator;

namespace {

using namespace kernel_variables;

int32_t (*arrive)(int32_t *, int32_t);
void (*waitForLaunches)();

ImageVariables allVariables(bool isChecked) {
  ImageVariables all = variablesOf(isChecked);
  all.arrive = &arrive;
  all.wait = &waitForLaunches;
  return all;
}

constexpr int32_t threads = 64;
alignas(64) float sharedMemory[2 * threads];

float *buffer(void **arguments, int index) { return *static_cast<float **>(arguments[index]); }

enum Fault { none, early, missing };

/// Copies constants and reads one, waits, and adds the numbers of an earlier launch. With `early` faults the access
/// comes before the wait.
template <Fault reads, Fault writes, Fault copies, Fault counts, Fault waits> void add(void **arguments) {
  float *constants = buffer(arguments, 0), *data = buffer(arguments, 1), *out = buffer(arguments, 2);
  auto *counter = reinterpret_cast<int32_t *>(buffer(arguments, 3));
  int32_t self = thread;
  copy(&sharedMemory[self], constants + self, sizeof(float), sizeof(float));
  if (copies == early)
    copy(&sharedMemory[threads + self], data + self, sizeof(float), sizeof(float));
  float number = read(constants + self);
  if (reads == early)
    number += read(data + self);
  if (writes == early)
    write(out + self, number);
  if (counts == early && self == 0)
    arrive(counter, 1);
  if (waits == missing && self == 7)
    return;
  waitForLaunches();
  if (copies == none)
    copy(&sharedMemory[threads + self], data + self, sizeof(float), sizeof(float));
  commit();
  await(0);
  write(out + self, number + read(data + self) + read(&sharedMemory[self]) + read(&sharedMemory[threads + self]));
  if (self == 0)
    arrive(counter, 1);
}

/// Does nothing, without a wait in some threads.
template <bool allWait> void doNothing(void **) {
  if (allWait || thread % 2 == 0)
    waitForLaunches();
}

/// Returns the fault of a launch behind another one that writes the second of four buffers; empty if there is none.
std::string check(Kernel kernel, bool isBackward, bool isDependent, bool isChecked = true) {
  ImageVariables variables = allVariables(isChecked);
  void *memory[4], *arguments[4];
  for (int index = 0; index < 4; ++index) {
    memory[index] = allocate(sizeof(float) * threads);
    arguments[index] = &memory[index];
    memset(memory[index], 0, sizeof(float) * threads);
    markWritten(memory[index], sizeof(float) * threads);
  }
  beginLaunch();
  beginBlock(0, nullptr, 0);
  setThread(0, 0);
  for (int index = 1; index < 4; ++index)
    noteAccess(memory[index], sizeof(float) * threads, writeAccess);
  beginLaunch(/*residentBlocks=*/0, isDependent);
  beginBlock(0, sharedMemory, sizeof sharedMemory);
  Order order(isBackward ? Order::Kind::Backward : Order::Kind::Forward);
  runBlock(variables, kernel, arguments, 0, threads, order);
  for (void *each : memory)
    release(each);
  return problem();
}

void expectFound(Kernel kernel, const char *what) {
  for (bool isBackward : {false, true}) {
    std::string found = check(kernel, isBackward, /*isDependent=*/true);
    EXPECT_NE(found.find(what), std::string::npos) << "got: " << found;
    EXPECT_EQ(check(kernel, isBackward, /*isDependent=*/false), "");
  }
}

TEST(DependentLaunch, ConstantsComeFirst) {
  for (bool isBackward : {false, true})
    EXPECT_EQ(check(add<none, none, none, none, none>, isBackward, /*isDependent=*/true), "");
}

TEST(DependentLaunch, ReadsBeforeTheWait) {
  expectFound(add<early, none, none, none, none>,
              " of an allocation of 256 bytes before it waits for earlier launches");
}

TEST(DependentLaunch, WritesBeforeTheWait) { expectFound(add<none, early, none, none, none>, "writes 4 bytes"); }

TEST(DependentLaunch, AsynchronousCopiesBeforeTheWait) {
  expectFound(add<none, none, early, none, none>, "copies 4 bytes");
}

TEST(DependentLaunch, CountsBeforeTheWait) { expectFound(add<none, none, none, early, none>, "counts 4 bytes"); }

TEST(DependentLaunch, AThreadThatDoesNotWait) {
  expectFound(add<none, none, none, none, missing>, "thread 7 of block 0 ends before it waits for earlier launches");
}

TEST(DependentLaunch, ThreadsWithoutWorkWaitToo) {
  EXPECT_EQ(check(doNothing<true>, false, /*isDependent=*/true), "");
  for (bool isChecked : {false, true})
    EXPECT_NE(check(doNothing<false>, false, /*isDependent=*/true, isChecked).find("ends before it waits"),
              std::string::npos);
}

} // namespace

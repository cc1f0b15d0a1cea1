// Persistent launches with planted faults: blocks exchange data by counters, with a part of the synchronisation
// missing. Faults are found for every order of blocks, and none in the same kernel without the fault.
#include "utils/gpu/emulator/Resident.h"
#include "utils/gpu/emulator/Check.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

using namespace emulator;

namespace {

volatile int32_t thread, block, grid;
void (*barrier)();
void (*access)(void *, int64_t, int32_t);
void (*barrierOf)(int32_t);
int32_t (*acquire)(const int32_t *);
int32_t (*release)(int32_t *, int32_t);
constexpr int32_t threads = 64, blocks = 3;
alignas(64) float sharedMemory[threads];

ImageVariables makeVariables() {
  ImageVariables all;
  all.thread = &thread;
  all.block = &block;
  all.barrier = &barrier;
  all.access = &access;
  all.grid = &grid;
  all.barrierOf = &barrierOf;
  all.acquire = &acquire;
  all.release = &release;
  return all;
}
const ImageVariables variables = makeVariables();

float read(float *from) {
  access(from, sizeof *from, readAccess);
  return *from;
}
void write(float *to, float value) {
  access(to, sizeof *to, writeAccess);
  *to = value;
}

/// The memory of a launch, initialised.
struct Buffers {
  float *numbers, *results;
  int32_t *counters;
};
template <typename Number> Number *make(size_t count) {
  auto *memory = static_cast<Number *>(allocate(count * sizeof(Number)));
  memset(memory, 0, count * sizeof(Number));
  markWritten(memory, count * sizeof(Number));
  return memory;
}

/// Returns the fault that is found in a launch; empty if there is none.
std::string run(Kernel kernel, Order order) {
  Buffers buffers{make<float>(threads * blocks), make<float>(threads * blocks), make<int32_t>(blocks)};
  void *arguments[] = {&buffers};
  beginLaunch(blocks);
  std::string wrong = runResident(variables, kernel, arguments, blocks, threads,
                                  {reinterpret_cast<char *>(sharedMemory), sizeof sharedMemory}, order);
  emulator::release(buffers.numbers);
  emulator::release(buffers.results);
  emulator::release(buffers.counters);
  return wrong;
}

std::vector<Order> orders() {
  std::vector<Order> all = {Order(Order::Kind::Forward), Order(Order::Kind::Backward)};
  constexpr uint64_t seeds = 20;
  for (uint64_t seed = 0; seed < seeds; ++seed)
    all.emplace_back(Order::Kind::Random, seed);
  return all;
}

void expectFound(Kernel kernel, const char *what) {
  for (const Order &order : orders())
    EXPECT_NE(run(kernel, order).find(what), std::string::npos) << "got: " << run(kernel, order);
}
void expectClean(Kernel kernel) {
  for (const Order &order : orders())
    EXPECT_EQ(run(kernel, order), "");
}

constexpr char noCounter[] = ", with no counter between them";

// ---- kernels ----

void waitFor(const int32_t *counter, int32_t count) {
  while (acquire(counter) < count)
    ;
}

enum class Fault {
  None,
  NoWait,
  OtherCounter,      ///< the reader waits for a counter that does not order the write
  NoRelease,         ///< the counter is incremented without release semantics
  NoBarrierBefore,   ///< the counter is incremented before all threads have written
  NoBarrierBehind,   ///< threads read without waiting for the thread that reads the counter
  TooFew,            ///< the reader waits for fewer blocks than write
  OverwritesTooSoon, ///< the writer overwrites an element that is still read
};

/// Blocks 0 and 1 write a row together, block 2 reverses it, then block 0 writes it again.
template <Fault fault> void handOn(void **arguments) {
  Buffers buffers = *static_cast<Buffers *>(arguments[0]);
  int32_t self = thread, *written = &buffers.counters[0], *isRead = &buffers.counters[1];
  auto raise = [&](int32_t *counter) {
    if (fault != Fault::NoBarrierBefore)
      barrier();
    if (self == 0 && fault == Fault::NoRelease)
      ++*counter;
    else if (self == 0)
      release(counter, 1);
  };
  auto waitTogether = [&](const int32_t *counter, int32_t count) {
    if (self == 0)
      waitFor(counter, count);
    if (fault != Fault::NoBarrierBehind)
      barrier();
  };
  if (block < 2) {
    if (self % 2 == block)
      write(&buffers.numbers[self], static_cast<float>(self));
    raise(written);
    if (block == 0 && fault != Fault::OverwritesTooSoon)
      waitTogether(isRead, 1);
    if (block == 0 && self % 2 == 0)
      write(&buffers.numbers[self], -1);
    return;
  }
  if (fault == Fault::OtherCounter)
    waitTogether(&buffers.counters[2], 0);
  else if (fault != Fault::NoWait)
    waitTogether(written, fault == Fault::TooFew ? 1 : 2);
  write(&buffers.results[self], read(&buffers.numbers[threads - 1 - self]));
  raise(isRead);
}

/// Every block waits for the previous block, the first one for the last one.
void waitInCircle(void **arguments) {
  Buffers buffers = *static_cast<Buffers *>(arguments[0]);
  if (thread == 0)
    waitFor(&buffers.counters[(block + 2) % blocks], 1);
  barrier();
  if (thread == 0)
    release(&buffers.counters[block], 1);
}

/// Only the first warp works on shared memory; then all threads read it.
template <bool hasBarrier> void workInPart(void **arguments) {
  Buffers buffers = *static_cast<Buffers *>(arguments[0]);
  int32_t self = thread;
  constexpr int32_t working = 32;
  write(&sharedMemory[self], 0);
  barrier();
  if (self < working) {
    write(&sharedMemory[self], static_cast<float>(block * working + self));
    if (hasBarrier)
      barrierOf(working);
    write(&sharedMemory[working + self], read(&sharedMemory[working - 1 - self]));
  }
  barrier();
  write(&buffers.results[block * threads + self], read(&sharedMemory[self]));
}

/// Each block keeps its own shared memory while blocks run in turns.
void keepOwn(void **arguments) {
  Buffers buffers = *static_cast<Buffers *>(arguments[0]);
  int32_t self = thread, own = block;
  write(&sharedMemory[self], static_cast<float>(own));
  for (int round = 0; round < 5; ++round)
    barrier();
  float kept = read(&sharedMemory[self]);
  write(&buffers.results[own * threads + self], kept);
  // If the element is from another block, the endless wait is reported.
  if (kept != static_cast<float>(own))
    waitFor(&buffers.counters[0], 1);
}

void waitTwice(void **arguments) {
  const Buffers &buffers = *static_cast<const Buffers *>(arguments[0]);
  int32_t self = thread;
  if (block == 0 && self == 0)
    release(buffers.counters, 1);
  for (int32_t wait = 0; wait < 2; ++wait) {
    if (self == 0)
      waitFor(buffers.counters, 1);
    barrier();
  }
}

} // namespace

TEST(EmulatedResident, BlocksHandOnByCounters) { expectClean(handOn<Fault::None>); }
TEST(EmulatedResident, AThreadWaitsTwiceForACounterThatIsReached) { expectClean(waitTwice); }
TEST(EmulatedResident, AMissingWaitShows) { expectFound(handOn<Fault::NoWait>, noCounter); }
TEST(EmulatedResident, AWrongDependenceShows) { expectFound(handOn<Fault::OtherCounter>, noCounter); }
TEST(EmulatedResident, AMissingReleaseShows) { expectFound(handOn<Fault::NoRelease>, noCounter); }
TEST(EmulatedResident, AMissingBarrierBeforeTheReleaseShows) { expectFound(handOn<Fault::NoBarrierBefore>, noCounter); }
TEST(EmulatedResident, AMissingBarrierBehindTheWaitShows) { expectFound(handOn<Fault::NoBarrierBehind>, noCounter); }
/// In orders in which both blocks have already written, there is no race.
TEST(EmulatedResident, AWaitForTooFewBlocksShowsInSomeOrder) {
  std::vector<Order> all = orders();
  auto found = std::count_if(all.begin(), all.end(), [](const Order &order) {
    return run(handOn<Fault::TooFew>, order).find(noCounter) != std::string::npos;
  });
  EXPECT_GT(found, 0);
}
TEST(EmulatedResident, MemoryThatIsStillReadShows) { expectFound(handOn<Fault::OverwritesTooSoon>, noCounter); }
TEST(EmulatedResident, ACircleOfWaitsIsAnError) {
  expectFound(waitInCircle, "all blocks wait for counters that no block increments");
}
TEST(EmulatedResident, SomeWarpsMeetAlone) {
  expectClean(workInPart<true>);
  expectFound(workInPart<false>, ", with no barrier between them");
}
TEST(EmulatedResident, BlocksHaveSharedMemoryOfTheirOwn) { expectClean(keepOwn); }

TEST(EmulatedOrder, IsRead) {
  EXPECT_TRUE(Order::parse("forward") && Order::parse("backward") && Order::parse("random:7"));
  for (const char *text : {"", "random", "random:", "random:x", "random:1x", "random:-1", "sideways"})
    EXPECT_FALSE(Order::parse(text)) << text;
}

TEST(EmulatedOrder, HasEachNumberOnce) {
  std::set<std::vector<int32_t>> found;
  Order order = *Order::parse("random:1");
  constexpr int32_t count = 5, tries = 2000, permutations = 120;
  for (int32_t each = 0; each < tries; ++each) {
    std::vector<int32_t> numbers = order.next(count);
    found.insert(numbers);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(numbers, (std::vector<int32_t>{0, 1, 2, 3, 4}));
  }
  EXPECT_EQ(found.size(), permutations);
  EXPECT_EQ(Order::parse("backward")->next(3), (std::vector<int32_t>{2, 1, 0}));
  EXPECT_EQ(Order::parse("random:3")->next(100), Order::parse("random:3")->next(100));
}

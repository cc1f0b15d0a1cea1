// Kernels with planted faults that report their accesses, as those of the compiler do: each fault is found for every
// order of threads, and none in the same kernel without the fault.
#include "utils/gpu/emulator/Check.h"
#include "test/unit/utils/gpu/KernelVariables.h"
#include "utils/gpu/emulator/Block.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

using namespace emulator;

namespace {

using namespace kernel_variables;

void (*loadMatrices)(const void *, int32_t, int32_t, uint32_t *);
void (*multiply)(int32_t, uint32_t *);
int32_t (*arrive)(int32_t *, int32_t);

ImageVariables allVariables() {
  ImageVariables all = variablesOf(/*isChecked=*/true);
  all.loadMatrices = &loadMatrices;
  all.multiply = &multiply;
  all.arrive = &arrive;
  return all;
}

const ImageVariables variables = allVariables();
constexpr int32_t threads = 64, blocks = 3;
alignas(64) float sharedMemory[threads];

void addAtomic(float *to, float value) {
  reportAccess(to, sizeof *to, atomicAccess);
  *to += value;
}

float *buffer(void **arguments, int index) { return *static_cast<float **>(arguments[index]); }

/// Returns the fault of a launch on an initialised input and an uninitialised output, with one element per thread of
/// all blocks; empty if there is none.
std::string check(Kernel kernel, bool isBackward, const std::function<void(float *&in)> &before = {}) {
  constexpr size_t bytes = sizeof(float) * threads * blocks;
  auto *in = static_cast<float *>(allocate(bytes)), *out = static_cast<float *>(allocate(bytes));
  memset(in, 0, bytes);
  markWritten(in, bytes);
  if (before)
    before(in);
  void *arguments[] = {&in, &out};
  beginLaunch();
  bool isDone = true;
  Order order(isBackward ? Order::Kind::Backward : Order::Kind::Forward);
  for (int32_t number : order.next(blocks)) {
    beginBlock(number, sharedMemory, sizeof sharedMemory);
    isDone = runBlock(variables, kernel, arguments, number, threads, order);
    if (!isDone || !problem().empty())
      break;
  }
  release(in);
  release(out);
  return !problem().empty() ? problem() : isDone ? "" : "barrier";
}

void expectFound(Kernel kernel, const char *what, const std::function<void(float *&)> &before = {}) {
  for (bool isBackward : {false, true})
    EXPECT_NE(check(kernel, isBackward, before).find(what), std::string::npos)
        << "got: " << check(kernel, isBackward, before);
}

void expectClean(Kernel kernel) {
  for (bool isBackward : {false, true})
    EXPECT_EQ(check(kernel, isBackward), "");
}

int32_t own() { return block * threads + thread; }

// ---- kernels ----

/// Each of two warps reads 8 x 8 elements of 16 bits that its threads have copied to shared memory together.
template <bool awaits, bool hasBarrier, bool copiesAll, bool isTransposed> void loadTogether(void **arguments) {
  int32_t self = thread;
  if (copiesAll || self < threads - 1)
    copy(&sharedMemory[self], buffer(arguments, 0) + self, sizeof(float), sizeof(float));
  commit();
  await(awaits ? 0 : 1);
  if (hasBarrier)
    barrier();
  uint32_t registers[4];
  loadMatrices(&sharedMemory[self / 32 * 32 + (self + 1) % 8 * 4], 1, isTransposed, registers);
}

/// A thread reads the element of shared memory that its neighbour wrote.
template <bool hasBarrier> void readNeighbour(void **arguments) {
  int32_t self = thread;
  write(&sharedMemory[self], 0);
  barrier();
  write(&sharedMemory[self], 1);
  if (hasBarrier)
    barrier();
  write(buffer(arguments, 1) + own(), read(&sharedMemory[(self + 1) % threads]));
}

enum class Fault { None, NoBarrierBefore, NoBarrierBehind, TooFewBlocks, OtherCounters };

/// Each block stores one element per thread, and the last block to arrive adds the elements of all blocks, as in
/// emitted split reductions. With OtherCounters each block has its own counter, and the block with the highest number
/// adds them without synchronisation.
template <Fault fault> void addUpParts(void **arguments) {
  int32_t self = thread, first = own() - self;
  auto *counters = reinterpret_cast<int32_t *>(buffer(arguments, 0));
  constexpr bool isAlone = fault == Fault::OtherCounters;
  write(buffer(arguments, 1) + first + self, 1);
  if constexpr (fault != Fault::NoBarrierBefore)
    barrier();
  if (self == 0) {
    int32_t count = isAlone ? 1 : fault == Fault::TooFewBlocks ? blocks - 1 : blocks;
    bool isLast = arrive(counters + (isAlone ? block : 0), count) != 0;
    write(&sharedMemory[0], isLast && (!isAlone || block == blocks - 1));
  }
  if constexpr (fault != Fault::NoBarrierBehind)
    barrier();
  if (read(&sharedMemory[0]) == 0)
    return;
  float sum = 0;
  for (int32_t part = 0; part < blocks; ++part)
    sum += read(buffer(arguments, 1) + part * threads + self);
  write(buffer(arguments, 1) + self, sum);
}

/// Without the barrier, the next round writes before all threads have read the previous one.
template <bool hasBarrier> void writeAgain(void **arguments) {
  int32_t self = thread;
  for (int round = 0; round < 2; ++round) {
    write(&sharedMemory[self], 1);
    barrier();
    write(buffer(arguments, 1) + own(), read(&sharedMemory[(self + 1) % threads]));
    if (hasBarrier)
      barrier();
  }
}

/// The thread, and then its neighbour, must wait for an asynchronous copy; the next copy overwrites an element that
/// others still read.
template <bool awaits, bool hasBarrier> void copyNeighbour(void **arguments) {
  int32_t self = thread;
  for (int round = 0; round < 2; ++round) {
    copy(&sharedMemory[self], buffer(arguments, 0) + own(), sizeof(float), sizeof(float));
    commit();
    if (awaits)
      await(0);
    barrier();
    write(buffer(arguments, 1) + own(), read(&sharedMemory[(self + 1) % threads]));
    if (hasBarrier)
      barrier();
  }
}

/// All threads have the sum, but only the first one may write it.
template <bool isGuarded> void writeSum(void **arguments) {
  if (!isGuarded || thread == 0)
    write(buffer(arguments, 1) + block, 1);
}

/// All blocks add to one element.
template <bool isAtomic> void addBlocks(void **arguments) {
  if (thread != 0)
    return;
  if (isAtomic)
    addAtomic(buffer(arguments, 0), 1);
  else
    write(buffer(arguments, 0), read(buffer(arguments, 0)) + 1);
}

/// A block reads the row of the next block, which that block changes.
template <bool isOwn> void shiftRows(void **arguments) {
  float *row = buffer(arguments, 0);
  float value = read(row + (own() + (isOwn ? 0 : threads)) % (threads * blocks));
  barrier();
  write(row + own(), value);
}

/// Some threads return before the others wait at the barrier.
template <bool isEarly> void leaveEarly(void **) {
  if (!isEarly || thread >= 8)
    barrier();
}

template <int offset> void readFrom(void **arguments) { (void)read(buffer(arguments, 0) + own() + offset); }
template <int offset> void writeTo(void **arguments) { write(buffer(arguments, 1) + own() + offset, 1); }

/// Half of the threads write the memory that all of them read.
template <bool isWhole> void fillPart(void **arguments) {
  int32_t self = thread;
  if (isWhole || self < threads / 2)
    write(&sharedMemory[self], 1);
  barrier();
  write(buffer(arguments, 1) + own(), read(&sharedMemory[self]));
}

/// The output is read before it is written.
template <bool isFirst> void addToOutput(void **arguments) {
  float *out = buffer(arguments, 1) + own();
  if (isFirst)
    write(out, 0);
  write(out, read(out) + 1);
}

/// A tree reduction without the last barriers, which the threads of a warp in lockstep would not need.
template <int lastBarrier> void sumByHalves(void **arguments) {
  int32_t self = thread;
  write(&sharedMemory[self], 1);
  for (int32_t half = threads / 2; half > 0; half /= 2) {
    if (half >= lastBarrier)
      barrier();
    if (self < half)
      write(&sharedMemory[self], read(&sharedMemory[self]) + read(&sharedMemory[self + half]));
  }
  if (self == 0)
    write(buffer(arguments, 1) + block, read(&sharedMemory[0]));
}

} // namespace

TEST(EmulatedCheck, MissingBarrierBeforeARead) {
  expectClean(readNeighbour<true>);
  expectFound(readNeighbour<false>, "with no barrier between them");
}

TEST(EmulatedCheck, MissingBarrierBeforeTheNextRound) {
  expectClean(writeAgain<true>);
  expectFound(writeAgain<false>, "with no barrier between them");
}

TEST(EmulatedCheck, CopiesThatNobodyWaitsForOrThatOthersStillRead) {
  expectClean(copyNeighbour<true, true>);
  expectFound(copyNeighbour<false, true>, "that were never written");
  expectFound(copyNeighbour<true, false>, "with no barrier between them");
}

TEST(EmulatedCheck, MatricesOfAWarp) {
  expectClean(loadTogether<true, true, true, false>);
  expectClean(loadTogether<true, true, true, true>);
  expectFound(loadTogether<false, true, true, false>, "that were never written");
  expectFound(loadTogether<true, false, true, false>, "with no barrier between them");
  expectFound(loadTogether<true, false, true, true>, "with no barrier between them");
  expectFound(loadTogether<true, true, false, false>, "that were never written");
}

TEST(EmulatedCheck, MissingBarrierInAWarp) {
  expectClean(sumByHalves<1>);
  expectFound(sumByHalves<16>, "with no barrier between them");
}

TEST(EmulatedCheck, SeveralThreadsWriteOneNumber) {
  expectClean(writeSum<true>);
  expectFound(writeSum<false>, "has written, with no barrier between them");
}

TEST(EmulatedCheck, SeveralBlocksWriteOneNumber) {
  expectClean(addBlocks<true>);
  expectFound(addBlocks<false>, "of the launch has written");
}

TEST(EmulatedCheck, OneBlockReadsWhatAnotherWrites) {
  expectClean(shiftRows<true>);
  expectFound(shiftRows<false>, "of the launch has");
}

TEST(EmulatedCheck, TheLastBlockReadsWhatOthersLeave) {
  expectClean(addUpParts<Fault::None>);
  expectFound(addUpParts<Fault::NoBarrierBefore>, "with no counter between them");
  expectFound(addUpParts<Fault::NoBarrierBehind>, "shared memory");
  expectFound(addUpParts<Fault::TooFewBlocks>, "that were never written");
  EXPECT_NE(check(addUpParts<Fault::OtherCounters>, /*isBackward=*/false).find("with no counter between them"),
            std::string::npos);
}

TEST(EmulatedCheck, SomeThreadsMissABarrier) {
  expectClean(leaveEarly<false>);
  expectFound(leaveEarly<true>, "barrier");
}

TEST(EmulatedCheck, ReadBehindTheEnd) {
  expectClean(readFrom<0>);
  expectFound(readFrom<1>, "outside of allocated memory");
}

TEST(EmulatedCheck, WriteBehindTheEnd) {
  expectClean(writeTo<0>);
  expectFound(writeTo<1>, "outside of allocated memory");
}

TEST(EmulatedCheck, WriteInFrontOfTheBegin) { expectFound(writeTo<-1>, "outside of allocated memory"); }

TEST(EmulatedCheck, SharedMemoryThatNothingHasWritten) {
  expectClean(fillPart<true>);
  expectFound(fillPart<false>, "that were never written");
}

TEST(EmulatedCheck, OutputThatNothingHasWritten) {
  expectClean(addToOutput<true>);
  expectFound(addToOutput<false>, "that were never written");
}

TEST(EmulatedCheck, MemoryThatWasFreed) {
  expectFound(readFrom<0>, "of memory that was freed", [](float *&in) { release(in); });
}

TEST(EmulatedCheck, PartOfAnAccessIsOutside) {
  auto *memory = static_cast<char *>(allocate(6));
  markWritten(memory, 6);
  beginLaunch();
  beginBlock(0, nullptr, 0);
  setThread(0, 0);
  EXPECT_TRUE(noteAccess(memory + 2, 4, readAccess));
  EXPECT_FALSE(noteAccess(memory + 4, 4, readAccess));
  EXPECT_EQ(problem(),
            "thread 0 of block 0 reads 4 bytes at byte 4 of an allocation of 6 bytes, and reaches beyond its end");
  release(memory);
}

TEST(EmulatedCheck, CopiesOfWhatNothingHasWrittenAreSuch) {
  auto *from = static_cast<char *>(allocate(4)), *to = static_cast<char *>(allocate(4));
  markWritten(to, 4);
  markWritten(from, 2);
  beginLaunch();
  beginBlock(0, nullptr, 0);
  setThread(0, 0);
  EXPECT_TRUE(noteAccess(from, 4, copyFromAccess) && noteAccess(from, 4, copySource) &&
              noteAccess(to, 4, copyToAccess) && noteAccess(to, 2, readAccess));
  EXPECT_EQ(problem(), "");
  EXPECT_TRUE(noteAccess(to, 4, readAccess));
  EXPECT_EQ(problem(),
            "thread 0 of block 0 reads 4 bytes at byte 0 of an allocation of 4 bytes that were never written");
  release(from);
  release(to);
}

TEST(EmulatedCheck, CopiesOfMemoryCarryMarks) {
  // More than a page, of which the first bytes are never written.
  constexpr size_t bytes = 4096 + 100, unwritten = 10;
  auto *from = static_cast<char *>(allocate(bytes)), *to = static_cast<char *>(allocate(bytes));
  markWritten(to, bytes);
  markWritten(from + unwritten, bytes - unwritten);
  copyMarks(to, from, bytes);
  EXPECT_FALSE(isWritten(to + unwritten - 1, 1));
  EXPECT_TRUE(isWritten(to + unwritten, bytes - unwritten));
  // Within an allocation, both ways.
  copyMarks(to + 4, to, unwritten);
  EXPECT_FALSE(isWritten(to + unwritten + 3, 1));
  EXPECT_TRUE(isWritten(to + unwritten + 4, 1));
  copyMarks(to, to + unwritten + 4, unwritten + 4);
  EXPECT_TRUE(isWritten(to, bytes));
  release(from);
  release(to);
}

TEST(EmulatedCheck, WrittenPages) {
  // More than two pages, the last one in part. The first bytes of the memory stay unwritten.
  constexpr size_t bytes = 2 * 4096 + 100, begin = 10;
  auto *memory = static_cast<char *>(allocate(bytes));
  markWritten(memory + begin, bytes - begin);
  EXPECT_TRUE(isWritten(memory + begin, bytes - begin));
  EXPECT_FALSE(isWritten(memory, bytes));
  beginLaunch();
  beginBlock(0, nullptr, 0);
  setThread(0, 0);
  // An access across pages.
  EXPECT_TRUE(noteAccess(memory + 4096 - 4, 8, readAccess));
  EXPECT_TRUE(noteAccess(memory + bytes - 8, 8, readAccess));
  EXPECT_EQ(problem(), "");
  // A copy on its way makes a part of a page unwritten.
  markInFlight(memory + 4096 + 8, 4);
  EXPECT_TRUE(isWritten(memory + 4096, 8));
  EXPECT_FALSE(isWritten(memory + 4096, 9));
  EXPECT_TRUE(noteAccess(memory + 8, 4, readAccess));
  EXPECT_NE(problem().find("at byte 8 of an allocation of 8292 bytes that were never written"), std::string::npos)
      << problem();
  release(memory);
}

TEST(EmulatedCheck, LaunchesFollowEachOther) {
  auto *memory = static_cast<char *>(allocate(4));
  beginLaunch();
  beginBlock(0, nullptr, 0);
  setThread(1, 0);
  EXPECT_TRUE(noteAccess(memory, 4, writeAccess));
  beginLaunch();
  beginBlock(1, nullptr, 0);
  setThread(2, 0);
  EXPECT_TRUE(noteAccess(memory, 4, readAccess));
  EXPECT_EQ(problem(), "");
  EXPECT_TRUE(isWritten(memory, 4));
  release(memory);
}

// Clusters with planted faults: blocks read each other's shared memory, with a part of the synchronisation missing.
// Faults are found for every order of blocks, and none in the same kernel without the fault.
#include "utils/gpu/emulator/Cluster.h"
#include "test/unit/utils/gpu/KernelVariables.h"
#include "utils/gpu/emulator/Check.h"
#include "utils/gpu/emulator/Memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

using namespace emulator;

namespace {

using namespace kernel_variables;

void (*meetCluster)();
void (*readNeighbour)(const void *, int32_t, int32_t, uint32_t *);
constexpr int32_t threads = 64, blocks = 3;
alignas(64) float sharedMemory[threads];

ImageVariables allVariables() {
  ImageVariables all = variablesOf(/*isChecked=*/true);
  all.meetCluster = &meetCluster;
  all.readNeighbour = &readNeighbour;
  return all;
}

enum class Fault {
  None,
  NoMeeting,     ///< before the first read
  LateWrite,     ///< of what others read, behind the meeting
  EarlyEnd,      ///< of a block that others still read
  EarlyWrite,    ///< over what others have read
  Unwritten,     ///< memory is read
  BlockLeftOut,  ///< of a meeting
  ThreadLeftOut, ///< of a meeting
  OtherCluster,  ///< whose block is read
};

/// Each thread adds up what the threads of its number have in all blocks.
template <Fault fault> void add(void **arguments) {
  float *out = *static_cast<float **>(arguments[0]), sum = 0;
  int32_t self = thread, number = block % blocks;
  if (fault != Fault::Unwritten && fault != Fault::LateWrite)
    write(&sharedMemory[self], static_cast<float>(number + self));
  if (fault == Fault::BlockLeftOut && number == 1)
    return;
  if (fault == Fault::ThreadLeftOut && self == 5)
    return;
  if (fault != Fault::NoMeeting)
    meetCluster();
  if (fault == Fault::LateWrite)
    write(&sharedMemory[self], static_cast<float>(number + self));
  for (int32_t other = 0; other < blocks; ++other) {
    uint32_t bits = 0;
    readNeighbour(&sharedMemory[self], fault == Fault::OtherCluster ? blocks : other, 1, &bits);
    sum += std::bit_cast<float>(bits);
  }
  if (fault == Fault::EarlyWrite)
    write(&sharedMemory[self], 0);
  if (fault != Fault::EarlyEnd)
    meetCluster();
  if (fault == Fault::None)
    write(&sharedMemory[self], 0);
  write(out + block * threads + self, sum);
}

constexpr int32_t clusters = 2;

/// Returns the fault that is found in a launch; empty if there is none.
std::string run(Kernel kernel, Order order, float *results = nullptr) {
  constexpr size_t numbers = size_t(clusters) * blocks * threads;
  auto *out = static_cast<float *>(allocate(numbers * sizeof(float)));
  void *arguments[] = {&out};
  beginLaunch(/*residentBlocks=*/0, /*isDependent=*/false, blocks);
  std::string wrong;
  for (int32_t cluster : order.next(clusters))
    if (wrong.empty())
      wrong = runCluster(allVariables(), kernel, arguments, cluster * blocks, blocks, threads,
                         {reinterpret_cast<char *>(sharedMemory), sizeof sharedMemory}, order);
  if (results)
    std::copy_n(out, numbers, results);
  release(out);
  return wrong;
}

std::vector<Order> orders() {
  std::vector<Order> all = {Order(Order::Kind::Forward), Order(Order::Kind::Backward)};
  for (uint64_t seed = 0; seed < 20; ++seed)
    all.emplace_back(Order::Kind::Random, seed);
  return all;
}

void expectFault(Kernel kernel, const std::string &text) {
  for (const Order &order : orders())
    EXPECT_NE(run(kernel, order).find(text), std::string::npos) << run(kernel, order);
}

} // namespace

TEST(Cluster, BlocksReadEachOther) {
  for (const Order &order : orders())
    EXPECT_EQ(run(add<Fault::None>, order), "");
  float results[clusters * blocks * threads];
  EXPECT_EQ(run(add<Fault::None>, Order(Order::Kind::Forward), results), "");
  for (int32_t number = 0; number < clusters * blocks * threads; ++number)
    EXPECT_EQ(results[number], static_cast<float>(0 + 1 + 2 + blocks * (number % threads)));
}

TEST(Cluster, ReadBeforeMeeting) { expectFault(add<Fault::NoMeeting>, "of shared memory of block"); }

TEST(Cluster, WriteBehindMeeting) { expectFault(add<Fault::LateWrite>, "of shared memory of block"); }

TEST(Cluster, EndBeforeMeeting) { expectFault(add<Fault::EarlyEnd>, ", which has ended"); }

TEST(Cluster, WriteBeforeMeeting) {
  expectFault(add<Fault::EarlyWrite>, "with no meeting of the cluster between them");
}

TEST(Cluster, UnwrittenMemory) { expectFault(add<Fault::Unwritten>, "that were never written"); }

TEST(Cluster, BlockThatDoesNotCome) { expectFault(add<Fault::BlockLeftOut>, "wait for others that have ended"); }

TEST(Cluster, ThreadThatDoesNotCome) {
  expectFault(add<Fault::ThreadLeftOut>, "wait at a barrier that others never reach");
}

TEST(Cluster, BlockOfAnotherCluster) {
  expectFault(add<Fault::OtherCluster>, "reads shared memory of a block that is not in its cluster");
}

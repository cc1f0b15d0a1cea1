// Runs the threads of a block one at a time, each on its own stack, so that they can wait for each other.
#ifndef CAMEO_UTILS_GPU_EMULATOR_BLOCK_H
#define CAMEO_UTILS_GPU_EMULATOR_BLOCK_H

#include "Matrices.h"
#include "Order.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace emulator {

/// The variables of an image, by which kernels get the numbers of thread and block and call the emulator; see
/// passes/Codegen/Gpu/DeviceCode.h.
struct ImageVariables {
  volatile int32_t *thread = nullptr, *block = nullptr;
  void (**barrier)() = nullptr;
  void (**access)(void *address, int64_t bytes,
                  int32_t kind) = nullptr; ///< called by checked kernels; null unless a checked kernel runs
  void (**copy)(void *to, const void *from, int32_t bytes,
                int32_t copiedBytes) = nullptr; ///< bytes after `copiedBytes` are zeroed; these three are null in older
                                                ///< images
  void (**commit)() = nullptr;
  void (**await)(int32_t groups) = nullptr;
  /// Warp operations. loadMatrices: each thread passes the address of a row of eight 16-bit numbers as `row`, and
  /// `registers` receives its part of `count` matrices. These two are null in older images.
  void (**loadMatrices)(const void *row, int32_t count, int32_t isTransposed, uint32_t *registers) = nullptr;
  /// multiply: `registers` holds four registers of the left factor, two of the right one, and four sums, which are
  /// updated; `numbers` is the element type, as numbered in Matrices.h.
  void (**multiply)(int32_t numbers, uint32_t *registers) = nullptr;
  /// For persistent launches: the number of blocks, a barrier of the first `threads` threads of a block, and operations
  /// on counters in device memory, by which blocks wait for each other. `arrive` is for all launches: it returns
  /// whether the block is the last of `count`. All are null in older images.
  volatile int32_t *grid = nullptr;
  void (**barrierOf)(int32_t threads) = nullptr;
  int32_t (**acquire)(const int32_t *counter) = nullptr;              ///< acquire load
  int32_t (**release)(int32_t *counter, int32_t increment) = nullptr; ///< release addition; returns the old value
  int32_t (**arrive)(int32_t *counter, int32_t count) = nullptr;
  void (**wait)() = nullptr; ///< waits for earlier launches; null in older images
  /// Products of groups of four warps. sharedBegin: the begin of shared memory, from which its addresses count.
  /// multiplyGroup: the matrices have descriptors as on a device and are of f16, or of bf16 if `isBf16`, and
  /// `registers` has the thread's sums. They are NaN until awaitProducts returns them. All are null in older images.
  const char *volatile *sharedBegin = nullptr;
  void (**multiplyGroup)(uint64_t left, uint64_t right, int32_t isLeftTransposed, int32_t isRightTransposed,
                         int32_t isBf16, int32_t count, float *registers) = nullptr;
  void (**fenceProducts)() = nullptr; ///< wgmma.fence
  void (**commitProducts)() = nullptr;
  void (**awaitProducts)(int32_t groups, int32_t count, float *registers) = nullptr;
  void (**publish)() = nullptr; ///< fence.proxy.async
  /// A barrier of all blocks of a cluster, and a read of `count` numbers of 32 bits from the shared memory of block
  /// number `number` of the cluster, at the place that `address` has in that of this block. Both are null in older
  /// images.
  void (**meetCluster)() = nullptr;
  void (**readNeighbour)(const void *address, int32_t number, int32_t count, uint32_t *registers) = nullptr;
};

/// A kernel of an image; takes an array with the addresses of its arguments.
using Kernel = void (*)(void **arguments);

struct Fiber;

/// The descriptors of each product that a group of four warps has started, by the number of the group.
using GroupDescriptors = std::map<int32_t, std::vector<std::array<uint64_t, 2>>>;

/// The threads of a running block, their states, and the registers that the threads of a warp exchange.
class BlockThreads {
public:
  BlockThreads(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
               Order &order);

  enum class Progress {
    GoesOn,    ///< threads have passed a barrier
    AtCounter, ///< some threads wait for a counter to change, and all others wait for them
    AtMeeting, ///< all threads wait for the other blocks of the cluster
    Ended,
    Stuck ///< some threads wait at a barrier that others never reach, or a checked kernel cannot continue
  };
  /// Runs all threads until each of them ends or waits, and releases those that have met at a barrier.
  Progress advance();
  /// Whether the block cannot continue now.
  bool isWaiting() const;
  /// Continues behind a meeting of the cluster.
  void passMeeting();

private:
  enum class State { Ready, AtBarrier, InWarp, AtCounter, AtMeeting, Ended };
  struct Thread {
    Fiber *fiber = nullptr; ///< null if the thread has ended or not started
    State state = State::Ready;
  };
  bool runThread(int32_t number);
  bool runWarp(int32_t warp);
  bool meet();
  size_t count(State state) const;

  const ImageVariables &variables;
  Kernel kernel;
  void **arguments;
  int32_t block;
  Order &order;
  std::vector<Thread> threads;
  std::vector<std::array<WarpRegisters, 2>> registers; ///< for each warp
  uint32_t phase = 0;                                  ///< number of barriers that were passed
  std::vector<Fiber *> groups;                         ///< of the first threads of groups of warps that have multiplied
  GroupDescriptors multiplied;
};

/// Returns where the byte of shared memory at `address` lies in that of block number `number` of a cluster. Returns
/// null if there is no such block or no such byte.
using FindNeighbour = std::function<const void *(const void *address, int32_t number)>;

/// Sets the functions that an image calls, before its blocks run. Only blocks of clusters have neighbours.
void setFunctions(const ImageVariables &variables, FindNeighbour findNeighbour = nullptr);

/// Returns the message for a block that is stuck.
std::string stuckText(int32_t block);

/// Runs block number `block` with `threads` threads until it ends. Returns false if it is stuck.
bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
              Order &order);

} // namespace emulator

#endif

// Runs the threads of a block one by one, each on a stack of its own, so that they can wait for each other.
#ifndef CAMEO_UTILS_GPU_EMULATOR_BLOCK_H
#define CAMEO_UTILS_GPU_EMULATOR_BLOCK_H

#include "Matrices.h"
#include "Order.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

/// The variables of an image that stand for what a thread knows: see passes/Codegen/Gpu/DeviceCode.h.
struct ImageVariables {
  volatile int32_t *thread = nullptr, *block = nullptr;
  void (**barrier)() = nullptr;
  void (**access)(void *address, int64_t bytes,
                  int32_t kind) = nullptr; ///< called by checked kernels; null where none of these runs
  void (**copy)(void *to, const void *from, int32_t bytes,
                int32_t copiedBytes) = nullptr; ///< zeros behind `copiedBytes`; these three are null in older images
  void (**commit)() = nullptr;
  void (**await)(int32_t groups) = nullptr;
  /// Warps: `row` is where the thread says that a row of 8 numbers of 16 bits begins, `registers` gets its part of
  /// `count` matrices of such rows. These two are null in older images.
  void (**loadMatrices)(const void *row, int32_t count, int32_t isTransposed, uint32_t *registers) = nullptr;
  /// `registers` has four of the left factor, two of the right one, and four sums, which become the new ones; `numbers`
  /// is what they hold, as Matrices.h numbers it.
  void (**multiply)(int32_t numbers, uint32_t *registers) = nullptr;
  /// Blocks of a persistent launch: how many they are, a barrier of the first `threads` threads of a block, and
  /// counters of the device's memory, by which blocks wait for each other. These are null in older images, and so is
  /// the last one, by which a block of any launch asks a counter whether it is the last of `count`.
  volatile int32_t *grid = nullptr;
  void (**barrierOf)(int32_t threads) = nullptr;
  int32_t (**acquire)(const int32_t *counter) = nullptr;              ///< reads it
  int32_t (**release)(int32_t *counter, int32_t increment) = nullptr; ///< adds to it, and gives what it was
  int32_t (**arrive)(int32_t *counter, int32_t count) = nullptr;
};

/// A kernel of an image: takes the addresses of its arguments.
using Kernel = void (*)(void **arguments);

struct Fiber;

/// The threads of a block that runs, which of them wait, and what those of a warp exchange.
class BlockThreads {
public:
  BlockThreads(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
               Order &order);

  enum class Progress {
    GoesOn,    ///< threads have met at a barrier
    AtCounter, ///< some threads wait until it is something else, and all others for them
    Ended,
    Stuck ///< some threads wait at a barrier that others never come to, or a checked kernel cannot go on
  };
  /// Runs all threads as far as they come, and lets those go on that have met.
  Progress advance();
  /// Whether it would not come any further.
  bool isWaiting() const;

private:
  enum class State { Ready, AtBarrier, InWarp, AtCounter, Ended };
  struct Thread {
    Fiber *fiber = nullptr; ///< null: has ended, or not begun
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
  std::vector<std::array<WarpRegisters, 2>> registers; ///< of each warp
  uint32_t phase = 0;                                  ///< barriers that threads have met at
};

/// Tells an image what it calls, before blocks of it run.
void setFunctions(const ImageVariables &variables);

/// What is wrong with a block that is stuck.
std::string stuckText(int32_t block);

/// Runs block number `block` of `threads` threads to its end. False where it is stuck.
bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
              Order &order);

} // namespace emulator

#endif

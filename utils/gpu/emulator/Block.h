// Runs the threads of a block one by one, each on a stack of its own, so that they can wait for each other.
#ifndef CAMEO_UTILS_GPU_EMULATOR_BLOCK_H
#define CAMEO_UTILS_GPU_EMULATOR_BLOCK_H

#include <cstdint>

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
};

/// A kernel of an image: takes the addresses of its arguments.
using Kernel = void (*)(void **arguments);

/// Runs block number `block` of `threads` threads. `isBackward`: the last thread first, after every barrier. False
/// where some threads wait at a barrier that others never come to, or a checked kernel cannot go on.
bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
              bool isBackward);

} // namespace emulator

#endif

// The shared memory of blocks that run in turns.
#ifndef CAMEO_UTILS_GPU_EMULATOR_SHAREDMEMORIES_H
#define CAMEO_UTILS_GPU_EMULATOR_SHAREDMEMORIES_H

#include <cstdint>
#include <string>
#include <vector>

namespace emulator {

/// The shared memory of an image, which blocks use in turns.
struct SharedMemory {
  char *begin = nullptr;
  size_t bytes = 0;
};

/// Saves the shared memory of blocks while other blocks run. All are NaN at first.
class SharedMemories {
public:
  SharedMemories(SharedMemory memory, int32_t blocks);

  /// Continues block number `block`.
  void enter(int32_t block);
  /// Returns where the byte of the image's memory at `address` lies for a block. Returns null if there is no such byte
  /// or block.
  const void *find(const void *address, int32_t block) const;

private:
  SharedMemory memory;
  std::vector<std::string> kept;
  int32_t current = -1;
};

} // namespace emulator

#endif

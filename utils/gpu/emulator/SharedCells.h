// What the checks know of a byte of memory.
#ifndef CAMEO_UTILS_GPU_EMULATOR_SHAREDCELLS_H
#define CAMEO_UTILS_GPU_EMULATOR_SHAREDCELLS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

struct Reader {
  int32_t thread;
  uint32_t phase;
};

/// All zeros: no access. Accesses of other launches do not count.
struct Cell {
  bool isWritten, hasWriter, hasReader, isReadByBlocks, isAtomic;
  uint32_t launch;
  int32_t writeBlock, writeThread;
  uint32_t writePhase;
  uint32_t publications; ///< of the writing thread, before the write
  int32_t readBlock;
  Reader readers[2]; ///< of readBlock, the latest one first
};

/// The cells of a block's shared memory. A block may access a small part of it, so only cells that may have changed are
/// cleared for the next one.
class SharedCells {
public:
  void clear(size_t bytes);
  size_t size() const { return bytes; }
  /// Returns the cell of a byte. The caller may change the cells of `count` bytes from there on.
  Cell *access(size_t begin, size_t count);

private:
  static constexpr size_t partBytes = 256;

  size_t bytes = 0;
  std::vector<Cell> cells;      ///< those behind `bytes` belong to kernels with more shared memory
  std::vector<bool> isAccessed; ///< by part
};

} // namespace emulator

#endif

// What the checks know of the bytes of an allocation.
#ifndef CAMEO_UTILS_GPU_EMULATOR_ALLOCATIONCELLS_H
#define CAMEO_UTILS_GPU_EMULATOR_ALLOCATIONCELLS_H

#include "Check.h"
#include "SharedCells.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace emulator {

/// The phase after the last read of each resident block in this launch; 0: no read.
struct Reads {
  uint32_t behind[mostResidentBlocks];
};

/// One `Cell` for each byte of an allocation. The pages are committed when they are accessed.
template <typename Cell> class Cells {
public:
  explicit Cells(size_t bytes) : size(bytes * sizeof(Cell)) {
    void *mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
      abort();
    first = static_cast<Cell *>(mapping);
  }
  Cells(Cells &&other) noexcept : first(std::exchange(other.first, nullptr)), size(other.size) {}
  ~Cells() {
    if (first)
      munmap(first, size);
  }
  Cell *at(size_t byte) { return first + byte; }

private:
  Cell *first;
  size_t size;
};

/// The cells of an allocation. A page that the host or a copy has written as a whole needs none until an access of a
/// kernel: most of the memory that is cleared to measure times is never accessed.
class AllocationCells {
public:
  const uint64_t number; ///< number of the allocation
  Cells<Cell> cells;
  Cells<Reads> reads;
  bool isConstant = true; ///< no kernel has written it, and no copy in the order of a stream

  AllocationCells(uint64_t number, size_t bytes)
      : number(number), cells(bytes), reads(bytes), bytes(bytes), isWhole(bytes / pageBytes + 1) {}

  /// Makes the cells of these bytes hold what is known of them.
  void fill(size_t begin, size_t count);
  void markWritten(size_t begin, size_t count);
  bool isWritten(size_t begin, size_t count);
  /// Marks `count` bytes like those from `from` on.
  void copyMarks(size_t begin, AllocationCells &source, size_t from, size_t count);

private:
  static constexpr size_t pageBytes = 4096;

  /// Calls `each(page, first, end)` for the part of these bytes in each page.
  template <typename Function> static void forPages(size_t begin, size_t count, Function each) {
    for (size_t end = begin + count; begin < end;) {
      size_t page = begin / pageBytes, next = std::min(end, (page + 1) * pageBytes);
      each(page, begin, next);
      begin = next;
    }
  }

  size_t bytes;
  std::vector<bool> isWhole; ///< by page: all bytes are written, and the cells do not say so yet
};

} // namespace emulator

#endif

#include "AllocationCells.h"

namespace emulator {

void AllocationCells::fill(size_t begin, size_t count) {
  forPages(begin, count, [&](size_t page, size_t, size_t) {
    if (!isWhole[page])
      return;
    isWhole[page] = false;
    for (size_t byte = page * pageBytes, end = std::min(bytes, byte + pageBytes); byte < end; ++byte)
      cells.at(byte)->isWritten = true;
  });
}

void AllocationCells::markWritten(size_t begin, size_t count) {
  forPages(begin, count, [&](size_t page, size_t first, size_t end) {
    if (first == page * pageBytes && end == std::min(bytes, first + pageBytes))
      isWhole[page] = true;
    for (size_t byte = first; !isWhole[page] && byte < end; ++byte)
      cells.at(byte)->isWritten = true;
  });
}

bool AllocationCells::isWritten(size_t begin, size_t count) {
  bool isAll = true;
  forPages(begin, count, [&](size_t page, size_t first, size_t end) {
    for (size_t byte = first; isAll && !isWhole[page] && byte < end; ++byte)
      isAll = cells.at(byte)->isWritten;
  });
  return isAll;
}

void AllocationCells::copyMarks(size_t begin, AllocationCells &source, size_t from, size_t count) {
  if (source.isWritten(from, count))
    return markWritten(begin, count);
  // The parts may overlap.
  std::vector<bool> marks(count);
  source.fill(from, count);
  for (size_t byte = 0; byte < count; ++byte)
    marks[byte] = source.cells.at(from + byte)->isWritten;
  fill(begin, count);
  for (size_t byte = 0; byte < count; ++byte)
    cells.at(begin + byte)->isWritten = marks[byte];
}

} // namespace emulator

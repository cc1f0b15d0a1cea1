#include "SharedCells.h"

#include <algorithm>

namespace emulator {

void SharedCells::clear(size_t newBytes) {
  for (size_t part = 0; part < isAccessed.size(); ++part)
    if (isAccessed[part])
      std::fill_n(cells.begin() + static_cast<ptrdiff_t>(part * partBytes), partBytes, Cell{});
  bytes = newBytes;
  size_t parts = std::max((bytes + partBytes - 1) / partBytes, isAccessed.size());
  cells.resize(parts * partBytes);
  isAccessed.assign(parts, false);
}

Cell *SharedCells::access(size_t begin, size_t count) {
  for (size_t part = begin / partBytes, end = std::min(begin + count, bytes); part * partBytes < end; ++part)
    isAccessed[part] = true;
  return &cells[begin];
}

} // namespace emulator

#include "passes/Schedule/Rules/PlaceRows.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include <set>

namespace cameo::schedule {

/// Returns the row buffers that nests of `groups`, which one kernel runs, access.
static std::set<unsigned> rowsPassedIn(llvm::ArrayRef<NestGroup> groups, const TaskProgram &program) {
  std::set<unsigned> rows;
  for (const NestGroup &group : groups)
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
        if (program.buffers[buffer].perRow)
          rows.insert(buffer);
      });
  return rows;
}

void placeRows(TaskProgram &program) {
  for (llvm::ArrayRef<NestGroup> left = program.groups; !left.empty();) {
    size_t count = 1;
    while (count < left.size() && left[count].sharesKernel)
      ++count;
    std::set<unsigned> rows = rowsPassedIn(left.take_front(count), program);
    left = left.drop_front(count);
    int64_t bytes = 0;
    for (unsigned row : rows)
      if (const Buffer &buffer = program.buffers[row]; buffer.elements.isKnown())
        bytes += int64_t(buffer.elements) * bytesOf(buffer.elementType);
    for (unsigned row : rows) {
      Buffer &buffer = program.buffers[row];
      buffer.space = bytes <= maxRowBytes && buffer.elements.isKnown() ? loop::Space::Stack : loop::Space::Arena;
    }
  }
}

} // namespace cameo::schedule

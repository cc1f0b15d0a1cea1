#include "passes/Schedule/Rules/Gpu/PlaceRows.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "llvm/ADT/SetVector.h"

namespace cameo::schedule {

/// Reserved for the buffers of reductions and for padding between buffers.
static constexpr int64_t reservedBytes = 12 << 10;

void placeRows(TaskProgram &program, const GpuMachine &gpu) {
  for (const NestGroup &group : program.groups) {
    llvm::SmallSetVector<unsigned, 8> rows;
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
        if (program.buffers[buffer].perRow)
          rows.insert(buffer);
      });
    int64_t bytes = 0;
    bool isKnown = true;
    for (unsigned row : rows) {
      bytes += program.buffers[row].elements * bytesOf(program.buffers[row].elementType);
      isKnown &= program.buffers[row].elements.isKnown();
    }
    bool fits = isKnown && bytes <= std::min(gpu.sharedBytes, GpuMachine::staticSharedBytes) - reservedBytes;
    // Data that ordered rows pass to the next row stay valid, because a block keeps its shared memory from its first
    // row to its last.
    for (unsigned row : rows)
      program.buffers[row].space = fits ? loop::Space::Shared : loop::Space::Arena;
  }
}

} // namespace cameo::schedule

// Assigns slots to blocks of dynamic sizes.
#ifndef CAMEO_PASSES_MEMORY_ASSIGNSLOTS_H
#define CAMEO_PASSES_MEMORY_ASSIGNSLOTS_H

#include "dialects/Onnx/DimList.h"

#include <vector>

namespace cameo {

/// Memory of `bytes` bytes that is in use from step `first` to step `last`, both included.
struct SlotBlock {
  Dim bytes;
  int64_t first, last;
  unsigned slot = 0;
};

/// The size of a slot is the maximum of these sizes in bytes.
using SlotSizes = llvm::SmallVector<Dim, 1>;

/// Sets the slot of every block, so that blocks in use at the same step have different slots, and returns the sizes of
/// the slots. Sizes that are never the maximum, whatever the dynamic sizes are, are left out. A block shares a slot
/// that is large enough for all dynamic sizes, otherwise the free slot whose size is closest if all dynamic sizes are
/// 64: sharing never takes more memory than separate slots.
std::vector<SlotSizes> assignSlots(std::vector<SlotBlock> &blocks);

} // namespace cameo

#endif

// Places for blocks with dynamic sizes.
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

/// A slot is as large as the largest of these.
using SlotSizes = llvm::SmallVector<Dim, 1>;

/// Sets every slot, so that blocks in use at the same step have different ones. Sizes that are never the largest,
/// whatever the model's dimensions are, do not appear. A block goes where it surely fits, else into the slot that is
/// closest in size when all dimensions are 64: a slot that is shared is never larger than two.
std::vector<SlotSizes> assignSlots(std::vector<SlotBlock> &blocks);

} // namespace cameo

#endif

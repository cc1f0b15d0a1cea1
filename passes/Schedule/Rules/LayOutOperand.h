// Where an operand that is laid out anew has its elements: blocks of the vector dimension, in each of them the
// reduction in loop order, innermost one block of vectors. Blocks of what is read once are of one vector.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_LAYOUTOPERAND_H
#define CAMEO_PASSES_SCHEDULE_RULES_LAYOUTOPERAND_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A strided copy of a part of an operand.
struct PackedRegion {
  Size target, source;
  llvm::SmallVector<Size> sizes, targetStrides, sourceStrides;
  llvm::SmallVector<DimensionTransform, 0> transforms; ///< by dimensions of the copy

  bool operator==(const PackedRegion &other) const = default;

  void add(const Size &size, const Size &targetStride, const Size &sourceStride) {
    sizes.push_back(size);
    targetStrides.push_back(targetStride);
    sourceStrides.push_back(sourceStride);
  }
};

/// The layout of an operand, and the copies that fill it.
struct Packing {
  PackedLayout layout; ///< of the first load
  int64_t apart = 0;   ///< elements from there to that of the next one
  std::vector<PackedRegion> regions;
  Size elements = 0; ///< up to the end of this packing

  bool operator==(const Packing &other) const = default;
};

/// Whether what `node` reads of its packed buffer is fetched ahead block by block. What a reduction reads once is not:
/// it lies in streams, which the processor fetches by itself.
bool isFetchedInBlocks(const LoopNest &nest, const NestSchedule &schedule, const Node &node);

/// Lays out what `loads` read of one buffer, of a range that is known before the run. If there are several, they differ
/// in the constants of their addresses only, and what a row of the nest's group, whose dimensions are the first
/// `rowDims`, reads of all of them lies side by side.
Packing layOut(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims,
               llvm::ArrayRef<const Node *> loads);

/// Lays out what `node` reads where it is known only at run time how much that is: the vector dimension whole,
/// innermost, and in front of it the others as they are. Behind all of it a block may load what it does not use.
Packing layOutWhole(const LoopNest &nest, const NestSchedule &schedule, const Node &node);

} // namespace cameo::schedule

#endif

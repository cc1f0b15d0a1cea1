// The layout of packed operands: blocks of the vector dimension, each with the reduction in loop order, and innermost
// one block of vectors. For an operand that is read once, blocks have one vector.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_LAYOUTOPERAND_H
#define CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_LAYOUTOPERAND_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A strided copy of a part of an operand.
struct PackedRegion {
  Size target, source;
  llvm::SmallVector<Size> sizes, targetStrides, sourceStrides;
  llvm::SmallVector<DimensionTransform, 0> transforms; ///< indexed by dimensions of the copy

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
  int64_t apart = 0;   ///< distance in elements between the layouts of consecutive loads
  std::vector<PackedRegion> regions;
  Size elements = 0; ///< elements up to the end of this packing

  bool operator==(const Packing &other) const = default;
};

/// Whether the operand that `node` reads has no transforms, or is packed with them if the vectors run along
/// `vectorDim`: it has elements along that dimension, and they are not transformed themselves.
bool canPackTransformed(const Node &node, unsigned vectorDim);

/// Whether the packed operand that `node` reads is prefetched block by block. An operand that a reduction reads once is
/// not: it is laid out in streams, which the hardware prefetcher recognises.
bool isFetchedInBlocks(const LoopNest &nest, const NestSchedule &schedule, const Node &node);

/// Packs what `loads` read from one buffer; the range must be known at compile time. Several loads may differ only in
/// the constants of their addresses. The elements that one row of the group (the first `rowDims` dimensions) reads
/// through all of them are then contiguous.
Packing layOut(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims,
               llvm::ArrayRef<const Node *> loads);

/// Packs what `node` reads if the range is known only at run time: the whole vector dimension is innermost, the other
/// dimensions are as they were. A block may load past the end, but does not use these elements.
Packing layOutWhole(const LoopNest &nest, const NestSchedule &schedule, const Node &node);

} // namespace cameo::schedule

#endif

// Contractions of bytes in groups of four: recognises them in a nest, and knows which machines have instructions for
// them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H
#define CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A factor of a product: the load of a byte, and how it is extended. If a byte holds several numbers, the factor is
/// the one of `bits` bits from bit `shift` on.
struct ByteFactor {
  NodeId load;
  bool isSigned;
  int64_t shift = 0, bits = 8;

  bool isWhole() const { return bits == 8; }
  bool operator==(const ByteFactor &other) const = default;
};

/// Returns the factors of a reduction acc + i32(a) * i32(b) of bytes, in their order.
std::optional<std::pair<ByteFactor, ByteFactor>> matchByteProducts(const LoopNest &nest);

/// Two factors of a product: all lanes of the vector dimension share one, the other varies along it.
struct ByteProduct {
  ByteFactor shared, varying;
};

/// A reduction of products of bytes: either acc + i32(a) * i32(b), or acc + f32(sum of i32(a) * i32(b)) * scale with
/// one or several products per step. In the second form the varying byte may hold several numbers; along a dimension on
/// which the scale does not depend, the sums of many steps stay integers. The first step along it may add `start`.
struct ByteDot {
  llvm::SmallVector<ByteProduct, 1> products; ///< all of them have the same varying byte
  std::optional<NodeId> sum = {};             ///< the integer sum that is scaled
  std::optional<NodeId> start = {};           ///< an integer that is added to the products

  bool isScaled() const { return sum.has_value(); }
  NodeId varying() const { return products.front().varying.load; }
};

/// Returns nothing if the nest is not such a reduction or has no vector dimension along which only one factor varies.
std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule);

/// Whether groups can be formed along the reduction `dim`: the shared factors are contiguous along it, the varying
/// factor can be packed so, and nothing else depends on it within a group.
bool hasGroupsAlong(const LoopNest &nest, const ByteDot &dot, unsigned dim);

/// Whether `machine` has instructions for `dot` with vectors of `lanes` sums.
bool canMultiply(const Machine &machine, const ByteDot &dot, unsigned lanes);

/// Whether `machine` multiplies the bytes of `dot` as pairs of 16 bits, for want of an instruction for their signs.
bool multipliesPairs(const Machine &machine, const ByteDot &dot);

} // namespace cameo::schedule

#endif

// Contractions of bytes in groups of four: what they look like in a nest, and which units multiply them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H
#define CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A factor of the products: the load of a byte, and how it is extended. Of a byte with several numbers it is the one
/// of `bits` bits from `shift` on.
struct ByteFactor {
  NodeId load;
  bool isSigned;
  int64_t shift = 0, bits = 8;

  bool isWhole() const { return bits == 8; }
  bool operator==(const ByteFactor &other) const = default;
};

/// The factors of a reduction acc + i32(a) * i32(b), of bytes, in their order.
std::optional<std::pair<ByteFactor, ByteFactor>> matchByteProducts(const LoopNest &nest);

/// Two factors of bytes: one is shared by all lanes of the vector dimension, the other varies along it.
struct ByteProduct {
  ByteFactor shared, varying;
};

/// A reduction of products of bytes. Either it is acc + i32(a) * i32(b), or it scales what a step adds up: acc +
/// f32(sum of i32(a) * i32(b)) * scale, of one or several numbers in the byte that varies. Along a dimension on which
/// the scale does not depend the sums of many steps are integers. The first step along it may add `start`.
struct ByteDot {
  llvm::SmallVector<ByteProduct, 1> products; ///< the byte that varies is the same in all
  std::optional<NodeId> sum = {};             ///< what is scaled
  std::optional<NodeId> start = {};           ///< what the sum has beside the products

  bool isScaled() const { return sum.has_value(); }
  NodeId varying() const { return products.front().varying.load; }
};

/// Nothing when the nest is not such a reduction, or has no vector dimension that only one factor varies along.
std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule);

/// Whether groups along the reduction `dim` are neighbours of the factors that lanes share, and can be of the other,
/// and all else is the same for them.
bool hasGroupsAlong(const LoopNest &nest, const ByteDot &dot, unsigned dim);

/// Whether `machine` multiplies such bytes in vectors of `lanes` sums.
bool canMultiply(const Machine &machine, const ByteDot &dot, unsigned lanes);

} // namespace cameo::schedule

#endif

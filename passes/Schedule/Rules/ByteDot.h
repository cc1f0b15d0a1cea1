// Contractions of bytes in groups of four: what they look like in a nest, and which units multiply them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H
#define CAMEO_PASSES_SCHEDULE_RULES_BYTEDOT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A factor of the products: the load of a byte, and how it is extended.
struct ByteFactor {
  NodeId load;
  bool isSigned;
};

/// The factors of a reduction acc + i32(a) * i32(b), of bytes, in their order.
std::optional<std::pair<ByteFactor, ByteFactor>> matchByteProducts(const LoopNest &nest);

/// The two factors of such a reduction acc + i32(a) * i32(b), of bytes: one is shared by all lanes of the vector dimension, the
/// other varies along it.
struct ByteDot {
  ByteFactor shared, varying;
};

/// Nothing when the nest is not such a reduction, or has no vector dimension that only one factor varies along.
std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule);

/// Whether `machine` multiplies such bytes in vectors of `lanes` sums.
bool canMultiply(const Machine &machine, const ByteDot &dot, unsigned lanes);

} // namespace cameo::schedule

#endif

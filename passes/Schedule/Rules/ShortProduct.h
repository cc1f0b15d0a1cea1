// Rules for products of few steps: loading vectors and storing results take as long as multiplying.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_SHORTPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_RULES_SHORTPRODUCT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether the points of a block of the product `nest` share vectors, and its steps are so few that none has a loop.
/// What a block multiplies then stays in registers for the next block along another dimension.
bool isShortProduct(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine);

/// Whether results of products in `steps` steps leave the first-level cache, and storing them takes as long as the
/// products.
bool storesFar(const LoopNest &nest, const NestSchedule &schedule, int64_t steps);

/// Whether vectors that each row of such a product reads again do not stay in the first-level cache.
bool readsVectorsFar(const LoopNest &nest, const NestSchedule &schedule);

/// Whether a block of `points` points, vectors along the vector dimension, stores no more lines at once than have left
/// when the next block stores.
bool storesInTime(const LoopNest &nest, const NestSchedule &schedule, int64_t points);

} // namespace cameo::schedule

#endif

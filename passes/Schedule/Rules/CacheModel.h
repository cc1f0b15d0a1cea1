// What rules, emission and the estimates of a search take every processor's caches to be. What differs among processors
// is in Machine.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CACHEMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_CACHEMODEL_H

#include <cstdint>

namespace cameo::schedule {

constexpr int64_t lineBytes = 64;

/// What stays in the first level, on processors with more of it, too.
constexpr int64_t firstLevelBytes = 32 * 1024;

} // namespace cameo::schedule

#endif

// Cache parameters that rules, emitters and the cost model of a search assume for every processor. Parameters that
// differ among processors are in Machine.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CACHEMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_CACHEMODEL_H

#include <cstdint>

namespace cameo::schedule {

constexpr int64_t lineBytes = 64;

/// The size of the first-level cache; a lower bound for processors with a larger one.
constexpr int64_t firstLevelBytes = 32 * 1024;

constexpr int64_t pageBytes = 4096;

} // namespace cameo::schedule

#endif

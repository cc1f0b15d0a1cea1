#include "autotune/Features/FeatureVector.h"

namespace cameo::autotune {

const char *nameOf(Feature feature) {
  static constexpr const char *names[] = {
      "operations",
      "parallel-points",
      "reduction-points",
      "reductions",
      "outputs",
      "transcendentals",
      "lanes",
      "lane-use",
      "reduces-lanes",
      "strided-loads",
      "strided-stores",
      "block-vectors",
      "block-points",
      "block-total",
      "unrolled",
      "inner-trips",
      "registers",
      "spilled",
      "emitted-points",
      "parallel-depth",
      "reduction-depth",
      "parallel-pieces",
      "balance",
      "partial",
      "packed-bytes",
      "copied-bytes",
      "prefetched-bytes",
      "loads-per-step",
      "operations-per-load",
      "step-bytes",
      "block-bytes",
      "tile-bytes",
      "outer-tile-bytes",
      "total-bytes",
      "first-level-traffic",
      "second-level-traffic",
      "arithmetic-cycles",
      "load-cycles",
      "latency-cycles",
      "store-cycles",
      "overhead-cycles",
      "first-level-cycles",
      "memory-cycles",
      "nest-cycles",
      "task-cycles",
      "task-share",
      "task-nests",
      "cycles-per-operation",
  };
  static_assert(sizeof(names) / sizeof(names[0]) == featureCount, "every feature has a name");
  return names[static_cast<size_t>(feature)];
}

} // namespace cameo::autotune

// Searches the schedules of a task for the blocks and threads of a GPU.
#ifndef CAMEO_AUTOTUNE_SEARCH_GPUSEARCH_H
#define CAMEO_AUTOTUNE_SEARCH_GPUSEARCH_H

#include "autotune/Search/SearchPolicy.h"

namespace cameo::autotune {

/// Creates a search for a task that runs on a GPU. The policy is "random", or "evolutionary", which starts with the
/// schedules that the cost model of the device predicts best and mutates those that were measured best. Fails if the
/// policy is another one, or if a part of the task has no schedules.
llvm::Expected<std::unique_ptr<SearchPolicy>> createGpuSearch(SearchTask task, SearchOptions options);

} // namespace cameo::autotune

#endif

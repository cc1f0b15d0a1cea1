// A search over what blocks and threads of a GPU do of the nests of a task.
#ifndef CAMEO_AUTOTUNE_SEARCH_GPUSEARCH_H
#define CAMEO_AUTOTUNE_SEARCH_GPUSEARCH_H

#include "autotune/Search/SearchPolicy.h"

namespace cameo::autotune {

/// Of a task that a GPU runs. The policy is "evolutionary", which begins with what the rules' model of the device puts
/// first and changes what was measured best, or "random". An error says that it is another one, or what of the task has
/// no schedules.
llvm::Expected<std::unique_ptr<SearchPolicy>> createGpuSearch(SearchTask task, SearchOptions options);

} // namespace cameo::autotune

#endif

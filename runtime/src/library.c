/* The only symbol that the runtime exports from shared libraries. It is linked only on request, because no other file
 * refers to it. */
#include "cameo/runtime.h"

__attribute__((visibility("default"))) const cameo_library_functions cameo_library = {
    CAMEO_ABI_VERSION,         sizeof(cameo_library_functions), cameo_status_message,          cameo_thread_pool_create,
    cameo_thread_pool_destroy, cameo_thread_pool_size,          cameo_thread_pool_parallel_for};

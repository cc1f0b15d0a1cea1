#include "cameo/runtime.h"

void cameo_context_init(cameo_context *context, cameo_thread_pool *pool) {
  if (!context)
    return;
  *context = (cameo_context){
      .abi_version = CAMEO_ABI_VERSION,
      .thread_count = cameo_thread_pool_size(pool),
      .parallel_for = pool ? cameo_thread_pool_parallel_for : NULL,
      .parallel_user = pool,
  };
}

/* Loads a candidate's shared library into this process. Workers that are linked with a shared C library use its loader,
 * so that debuggers and profilers see the candidate (load_shared.c); static ones have their own loader (load_static.c).
 */
#ifndef CAMEO_WORKER_LOAD_IMAGE_H
#define CAMEO_WORKER_LOAD_IMAGE_H

#include "cameo/gpu.h"

#include <stddef.h>

/* Returns the candidate's description, or null and a message in `reason`, which has room for `size` bytes. Stores its
 * GPU code in `*gpu`: null if it has none, or if this worker cannot open a driver. */
const cameo_model_description *load_image(const char *bytes, size_t count, const cameo_gpu_model **gpu, char *reason,
                                          size_t size);

#endif

/* A candidate's shared library in this process. Workers that are linked with a shared C library leave it to that one's
 * loader, where debuggers and profilers see it (load_shared.c); static ones have a loader of their own (load_static.c).
 */
#ifndef CAMEO_WORKER_LOAD_IMAGE_H
#define CAMEO_WORKER_LOAD_IMAGE_H

#include "cameo/gpu.h"

#include <stddef.h>

/* The candidate's description; null, and what is wrong in `reason`, of `size` bytes. `*gpu` is its code for a GPU: null
 * where it has none, and in workers that cannot open a driver. */
const cameo_model_description *load_image(const char *bytes, size_t count, const cameo_gpu_model **gpu, char *reason,
                                          size_t size);

#endif

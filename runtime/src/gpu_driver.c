/* Loads the driver by dlopen, and formats its errors. */
#include "gpu_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char message[1024];

const char *cameo_gpu_error(void) { return message; }

cameo_status cameo_gpu_fail(cameo_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return status;
}

cameo_status cameo_gpu_fail_driver(const gpu_driver *driver, const char *what, cuda_result result) {
  const char *text = NULL;
  if (driver->cuGetErrorString(result, &text) != 0 || !text)
    text = "unknown error";
  cameo_status status = result == CUDA_OUT_OF_MEMORY                                ? CAMEO_OUT_OF_MEMORY
                        : result == CUDA_NO_DEVICE || result == CUDA_INVALID_DEVICE ? CAMEO_NO_GPU
                                                                                    : CAMEO_GPU_FAILED;
  return cameo_gpu_fail(status, "%s: the driver reported error %d: %s", what, result, text);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static gpu_driver functions;
static int is_open;
static char reason[512]; /* why the driver could not be loaded */

static void open_driver(void) {
  const char *path = getenv("CAMEO_CUDA_DRIVER");
  void *library = dlopen(path && *path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, sizeof reason, "the model is compiled for NVIDIA GPUs, and their driver cannot be loaded: %s",
             dlerror());
    return;
  }
#define CAMEO_GPU_LOAD(name, arguments)                                                                                \
  *(void **)&functions.name = dlsym(library, #name);                                                                   \
  if (!functions.name) {                                                                                               \
    snprintf(reason, sizeof reason, "the driver of the GPU is too old: it has no function " #name);                    \
    return;                                                                                                            \
  }
  CAMEO_GPU_DRIVER_FUNCTIONS(CAMEO_GPU_LOAD)
#undef CAMEO_GPU_LOAD
#define CAMEO_GPU_LOAD(name, arguments) *(void **)&functions.name = dlsym(library, #name);
  CAMEO_GPU_NEWER_FUNCTIONS(CAMEO_GPU_LOAD)
#undef CAMEO_GPU_LOAD
  cuda_result result = functions.cuInit(0);
  if (result != 0) {
    const char *text = NULL;
    if (functions.cuGetErrorString(result, &text) != 0 || !text)
      text = "unknown error";
    snprintf(reason, sizeof reason, "the driver of the GPU cannot be initialised: error %d: %s", result, text);
    return;
  }
  is_open = 1;
}

const gpu_driver *cameo_gpu_driver(void) {
  pthread_once(&once, open_driver);
  if (is_open)
    return &functions;
  cameo_gpu_fail(CAMEO_NO_GPU, "%s", reason);
  return NULL;
}

cameo_status cameo_gpu_enter(const cameo_gpu *gpu) {
  cuda_result result = gpu->driver->cuCtxPushCurrent_v2(gpu->context);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(gpu->driver, "setting the context of the device", result);
}

void cameo_gpu_leave(const cameo_gpu *gpu) {
  void *popped;
  gpu->driver->cuCtxPopCurrent_v2(&popped);
}

/* The functions of NVIDIA's driver that the runtime calls, by their names in libcuda.so.1. */
#ifndef CAMEO_GPU_DRIVER_H
#define CAMEO_GPU_DRIVER_H

#include "cameo/gpu.h"

#include <stddef.h>

typedef int cuda_result; /* 0: success */
typedef uint64_t device_address;

/* CUlaunchAttribute and CUlaunchConfig. The value of an attribute has 64 bytes. */
typedef struct launch_attribute {
  int id;
  char padding[4];
  int value[16];
} launch_attribute;

typedef struct launch_config {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  void *stream;
  const launch_attribute *attributes;
  unsigned attribute_count;
} launch_config;

enum { CUDA_OUT_OF_MEMORY = 2, CUDA_NO_DEVICE = 100, CUDA_INVALID_DEVICE = 101 };

/* Name in the library, arguments. The suffix _v2 stands for the version with 64-bit sizes and addresses. */
#define CAMEO_GPU_DRIVER_FUNCTIONS(X)                                                                                  \
  X(cuInit, (unsigned flags))                                                                                          \
  X(cuDriverGetVersion, (int *version))                                                                                \
  X(cuDeviceGet, (int *device, int ordinal))                                                                           \
  X(cuDeviceGetName, (char *name, int bytes, int device))                                                              \
  X(cuDeviceGetAttribute, (int *value, int attribute, int device))                                                     \
  X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                            \
  X(cuDevicePrimaryCtxRelease_v2, (int device))                                                                        \
  X(cuCtxPushCurrent_v2, (void *context))                                                                              \
  X(cuCtxPopCurrent_v2, (void **context))                                                                              \
  X(cuModuleLoadDataEx, (void **module, const void *image, unsigned option_count, int *options, void **values))        \
  X(cuModuleUnload, (void *module))                                                                                    \
  X(cuModuleGetFunction, (void **function, void *module, const char *name))                                            \
  X(cuFuncSetAttribute, (void *function, int attribute, int value))                                                    \
  X(cuMemAlloc_v2, (device_address * address, size_t bytes))                                                           \
  X(cuMemFree_v2, (device_address address))                                                                            \
  X(cuMemcpyHtoD_v2, (device_address to, const void *from, size_t bytes))                                              \
  X(cuMemcpyHtoDAsync_v2, (device_address to, const void *from, size_t bytes, void *stream))                           \
  X(cuMemcpyDtoHAsync_v2, (void *to, device_address from, size_t bytes, void *stream))                                 \
  X(cuMemcpyDtoDAsync_v2, (device_address to, device_address from, size_t bytes, void *stream))                        \
  X(cuMemsetD8Async, (device_address to, unsigned char value, size_t bytes, void *stream))                             \
  X(cuStreamCreate, (void **stream, unsigned flags))                                                                   \
  X(cuStreamDestroy_v2, (void *stream))                                                                                \
  X(cuStreamSynchronize, (void *stream))                                                                               \
  X(cuEventCreate, (void **event, unsigned flags))                                                                     \
  X(cuEventDestroy_v2, (void *event))                                                                                  \
  X(cuEventRecord, (void *event, void *stream))                                                                        \
  X(cuEventElapsedTime, (float *milliseconds, void *begin, void *end))                                                 \
  X(cuStreamBeginCapture_v2, (void *stream, unsigned mode))                                                            \
  X(cuStreamEndCapture, (void *stream, void **graph))                                                                  \
  X(cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags))                           \
  X(cuGraphLaunch, (void *executable, void *stream))                                                                   \
  X(cuGraphDestroy, (void *graph))                                                                                     \
  X(cuGraphExecDestroy, (void *executable))                                                                            \
  X(cuLaunchKernel,                                                                                                    \
    (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,            \
     unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra))                           \
  X(cuLaunchCooperativeKernel,                                                                                         \
    (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,            \
     unsigned block_z, unsigned shared_bytes, void *stream, void **arguments))                                         \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, void *function, int threads, size_t shared_bytes))      \
  X(cuGetErrorString, (cuda_result result, const char **text))

/* Those that an older driver may not have; null there. */
#define CAMEO_GPU_NEWER_FUNCTIONS(X)                                                                                   \
  X(cuLaunchKernelEx, (const launch_config *config, void *function, void **arguments, void **extra))

typedef struct gpu_driver {
#define CAMEO_GPU_MEMBER(name, arguments) cuda_result(*name) arguments;
  CAMEO_GPU_DRIVER_FUNCTIONS(CAMEO_GPU_MEMBER)
  CAMEO_GPU_NEWER_FUNCTIONS(CAMEO_GPU_MEMBER)
#undef CAMEO_GPU_MEMBER
} gpu_driver;

/* The driver, opened by the first call: libcuda.so.1, or the library that the environment variable CAMEO_CUDA_DRIVER
 * names. Null, with the reason for cameo_gpu_error, where it does not open. */
const gpu_driver *cameo_gpu_driver(void);

/* Notes what went wrong for cameo_gpu_error and returns `status`. */
cameo_status cameo_gpu_fail(cameo_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of a result of the driver that is no success: `what` failed. */
cameo_status cameo_gpu_fail_driver(const gpu_driver *driver, const char *what, cuda_result result);

/* A model on a device. */
struct cameo_gpu {
  const gpu_driver *driver;
  const cameo_gpu_model *model;
  int device;
  void *context, *module;
  void **functions;         /* of the kernels */
  unsigned resident_blocks; /* of the persistent kernel; 0 where there is none */
  int dependent_launch;     /* launches may begin before earlier ones have ended */
  device_address weights, strings;
  const char *host_weights; /* for host kernels */
};

/* Makes the context of the model's device that of the thread, until cameo_gpu_leave. */
cameo_status cameo_gpu_enter(const cameo_gpu *gpu);
void cameo_gpu_leave(const cameo_gpu *gpu);

#endif

/* A kernel whose launches ask for shared memory: what the driver refuses, and that the runtime reports it. */
#include "gpu_program.h"
#include "net.h"

int main(void) {
  enum { MOST_DYNAMIC_SHARED_BYTES = 8, INVALID_VALUE = 1, ILLEGAL_ADDRESS = 700 };
  cameo_gpu *gpu;

  /* More than the device has. */
  expect(net_gpu.kernel_count == 1, "one kernel");
  cameo_gpu_kernel large = net_gpu.kernels[0];
  uint32_t needed = large.dynamic_shared_bytes;
  large.dynamic_shared_bytes = 300 << 10;
  cameo_gpu_model other = net_gpu;
  other.kernels = &large;
  expect(cameo_gpu_load(&other, 0, NULL, &gpu) == CAMEO_GPU_FAILED && !gpu, "too much for the device");
  printf("%s\n", cameo_gpu_error());
  expect(cameo_gpu_load(&net_gpu, 0, NULL, &gpu) == CAMEO_OK, "load");
  cameo_gpu_unload(gpu);

  driver = dlopen(getenv("CAMEO_CUDA_DRIVER"), RTLD_NOW);
  expect(driver != NULL, "driver");
  void *context, *module, *kernel;
  int (*retain)(void **, int) = (int (*)(void **, int))function("cuDevicePrimaryCtxRetain");
  int (*push)(void *) = (int (*)(void *))function("cuCtxPushCurrent_v2");
  int (*load)(void **, const void *, unsigned, int *, void **) =
      (int (*)(void **, const void *, unsigned, int *, void **))function("cuModuleLoadDataEx");
  int (*find)(void **, void *, const char *) = (int (*)(void **, void *, const char *))function("cuModuleGetFunction");
  int (*allow)(void *, int, int) = (int (*)(void *, int, int))function("cuFuncSetAttribute");
  int (*occupy)(int *, void *, int, size_t) =
      (int (*)(int *, void *, int, size_t))function("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                void **) = (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                    void *, void **, void **))function("cuLaunchKernel");
  expect(retain(&context, 0) == 0 && push(context) == 0, "context");
  expect(load(&module, net_gpu.images[0].code, 0, NULL, NULL) == 0, "module");
  expect(find(&kernel, module, large.name) == 0, "kernel");
  void *arguments[8] = {0};
  int blocks = 0;
  expect(launch(kernel, 1, 1, 1, large.threads, 1, 1, needed, NULL, arguments, NULL) == INVALID_VALUE,
         "more than was set");
  expect(occupy(&blocks, kernel, (int)large.threads, needed) == 0 && blocks == 0, "no block");
  expect(launch(kernel, 1, 1, 1, large.threads, 1, 1, 0, NULL, arguments, NULL) == ILLEGAL_ADDRESS,
         "less than the kernel has");
  expect(allow(kernel, MOST_DYNAMIC_SHARED_BYTES, 228 << 10) == INVALID_VALUE, "more than the device has");
  expect(allow(kernel, MOST_DYNAMIC_SHARED_BYTES, (int)needed) == 0, "as much as it has");
  expect(occupy(&blocks, kernel, (int)large.threads, needed) == 0 && blocks > 0, "blocks");
  expect(launch(kernel, 1, 1, 1, large.threads, 1, 1, needed + 1, NULL, arguments, NULL) == INVALID_VALUE,
         "more than was set, again");
  printf("refused\n");
  return 0;
}

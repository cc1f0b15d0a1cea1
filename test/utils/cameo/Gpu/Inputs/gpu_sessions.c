/* Two sessions of a model on a GPU: one runs on memory of the device that the program has, the other on memory of the
 * host. And what calls that are wrong return. */
#include "gpu_program.h"
#include "net.h"

#include <string.h>

int main(void) {
  static int64_t ids[NET_INPUT_IDS_ELEMENTS] = {3, 1, 4, 1, 5};
  static float on_device[NET_OUTPUT_Y_ELEMENTS], on_host[NET_OUTPUT_Y_ELEMENTS];
  net_inputs in = {.ids = ids};
  net_outputs out = {.y = on_host};
  cameo_gpu *gpu = (cameo_gpu *)&gpu;
  cameo_gpu_session *first, *second;

  expect(cameo_gpu_load(&net_gpu, 7, NULL, &gpu) == CAMEO_NO_GPU && !gpu, "a device that is not there");
  printf("%s\n", cameo_gpu_error());
  expect(cameo_gpu_load(NULL, 0, NULL, &gpu) == CAMEO_INVALID_ARGUMENT, "no model");
  cameo_gpu_model other = net_gpu;
  other.abi_version = 0;
  expect(cameo_gpu_load(&other, 0, NULL, &gpu) == CAMEO_ABI_MISMATCH, "another version");
  expect(net_run(NULL, &in, &out) == CAMEO_INVALID_ARGUMENT, "no session");

  expect(cameo_gpu_load(&net_gpu, 0, NULL, &gpu) == CAMEO_OK, "load");
  expect(cameo_gpu_session_create(gpu, NULL, &first) == CAMEO_OK &&
             cameo_gpu_session_create(gpu, NULL, &second) == CAMEO_OK,
         "sessions");
  net_inputs missing = {0};
  expect(net_run(first, &missing, &out) == CAMEO_INVALID_ARGUMENT, "no input");
  expect(net_description.run(NULL, NULL, NULL, NULL, NULL) == CAMEO_NO_GPU, "run of a processor");

  driver = dlopen(getenv("CAMEO_CUDA_DRIVER"), RTLD_NOW);
  expect(driver != NULL, "driver");
  void *context, *memory[2];
  int (*retain)(void **, int) = (int (*)(void **, int))function("cuDevicePrimaryCtxRetain");
  int (*push)(void *) = (int (*)(void *))function("cuCtxPushCurrent_v2");
  int (*allocate)(void **, size_t) = (int (*)(void **, size_t))function("cuMemAlloc_v2");
  int (*upload)(void *, const void *, size_t) = (int (*)(void *, const void *, size_t))function("cuMemcpyHtoD_v2");
  int (*download)(void *, void *, size_t, void *) =
      (int (*)(void *, void *, size_t, void *))function("cuMemcpyDtoHAsync_v2");
  expect(retain(&context, 0) == 0 && push(context) == 0, "context");
  expect(allocate(&memory[0], sizeof ids) == 0 && allocate(&memory[1], sizeof on_device) == 0, "memory");
  expect(upload(memory[0], ids, sizeof ids) == 0, "upload");
  net_inputs device_in = {.ids = memory[0]};
  net_outputs device_out = {.y = memory[1]};
  for (int run = 0; run < 2; ++run) {
    expect(net_enqueue(first, &device_in, &device_out, NULL) == CAMEO_OK, "enqueue");
    expect(net_run(second, &in, &out) == CAMEO_OK, "run");
  }
  expect(download(on_device, memory[1], sizeof on_device, NULL) == 0, "download");
  expect(memcmp(on_device, on_host, sizeof on_host) == 0, "equal results");
  cameo_gpu_session_destroy(first);
  cameo_gpu_session_destroy(second);
  cameo_gpu_session_destroy(NULL);
  cameo_gpu_unload(gpu);
  cameo_gpu_unload(NULL);
  printf("same\n");
  return 0;
}

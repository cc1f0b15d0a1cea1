/* Runs a model with memory of its own for each output, and then with caches that are input and output, in the memory of
 * the host and in that of the device. Prints "same" where the outputs are the same bytes. The arguments are the sizes
 * of the symbols, in their order. MODEL is the model's cameo_gpu_model. */
#include "gpu_program.h"

#include <cameo/runtime.h>
#include <stdint.h>
#include <string.h>

extern const cameo_gpu_model MODEL;

enum { MOST = 16 };

static int64_t symbols[MOST];
static void *expected[MOST], *results[MOST]; /* outputs in memory of their own, and those of a run with caches */

static uint64_t bytes_of(const cameo_tensor_description *tensor) {
  uint64_t bytes = 0;
  expect(cameo_tensor_bytes(MODEL.description, tensor, symbols, &bytes) == CAMEO_OK, tensor->name);
  return bytes;
}

/* Returns the input whose memory the output may be, or -1. */
static int32_t cache_of(uint32_t output) {
  return MODEL.description->shared_inputs ? MODEL.description->shared_inputs[output] : -1;
}

/* Allocates the inputs, with the same numbers in each call. */
static void make_inputs(void **inputs) {
  for (uint32_t i = 0; i < MODEL.description->input_count; ++i) {
    const cameo_tensor_description *input = &MODEL.description->inputs[i];
    uint64_t bytes = bytes_of(input);
    inputs[i] = malloc(bytes);
    expect(input->element_type == CAMEO_FLOAT32 || input->element_type == CAMEO_INT64, input->name);
    if (input->element_type == CAMEO_FLOAT32)
      for (uint64_t k = 0; k < bytes / sizeof(float); ++k)
        ((float *)inputs[i])[k] = (float)((k * 37 + i * 11) % 19) / 8 - 1;
    else
      for (uint64_t k = 0; k < bytes / sizeof(int64_t); ++k)
        ((int64_t *)inputs[i])[k] = 1;
  }
}

static void compare(const char *where) {
  for (uint32_t i = 0; i < MODEL.description->output_count; ++i) {
    const cameo_tensor_description *output = &MODEL.description->outputs[i];
    expect(memcmp(expected[i], results[i], bytes_of(output)) == 0, output->name);
  }
  printf("same on the %s\n", where);
}

static void run_on_host(cameo_gpu_session *session) {
  void *inputs[MOST], *before[MOST], *outputs[MOST];
  int caches = 0;
  make_inputs(inputs);
  make_inputs(before);
  for (uint32_t i = 0; i < MODEL.description->output_count; ++i) {
    expected[i] = malloc(bytes_of(&MODEL.description->outputs[i]));
    outputs[i] = results[i] = malloc(bytes_of(&MODEL.description->outputs[i]));
    if (cache_of(i) < 0)
      continue;
    outputs[i] = inputs[cache_of(i)];
    ++caches;
  }
  printf("%d caches\n", caches);
  expect(cameo_gpu_run(session, (const void *const *)inputs, expected, symbols) == CAMEO_OK, "run");
  for (uint32_t i = 0; i < MODEL.description->input_count; ++i)
    expect(memcmp(inputs[i], before[i], bytes_of(&MODEL.description->inputs[i])) == 0, "an input is as before");
  expect(cameo_gpu_run(session, (const void *const *)inputs, outputs, symbols) == CAMEO_OK, "run with caches");
  for (uint32_t i = 0; i < MODEL.description->output_count; ++i)
    memcpy(results[i], outputs[i], bytes_of(&MODEL.description->outputs[i]));
  compare("host");
}

static void run_on_device(cameo_gpu_session *session) {
  void *context = NULL;
  driver = dlopen(getenv("CAMEO_CUDA_DRIVER"), RTLD_NOW);
  expect(driver != NULL, "driver");
  int (*retain)(void **, int) = (int (*)(void **, int))function("cuDevicePrimaryCtxRetain");
  int (*push)(void *) = (int (*)(void *))function("cuCtxPushCurrent_v2");
  int (*allocate)(void **, size_t) = (int (*)(void **, size_t))function("cuMemAlloc_v2");
  int (*upload)(void *, const void *, size_t) = (int (*)(void *, const void *, size_t))function("cuMemcpyHtoD_v2");
  int (*download)(void *, void *, size_t, void *) =
      (int (*)(void *, void *, size_t, void *))function("cuMemcpyDtoHAsync_v2");
  int (*wait)(void *) = (int (*)(void *))function("cuStreamSynchronize");
  expect(retain(&context, 0) == 0 && push(context) == 0, "context");
  void *given[MOST], *inputs[MOST], *outputs[MOST];
  make_inputs(given);
  for (uint32_t i = 0; i < MODEL.description->input_count; ++i) {
    uint64_t bytes = bytes_of(&MODEL.description->inputs[i]);
    expect(allocate(&inputs[i], bytes) == 0 && upload(inputs[i], given[i], bytes) == 0, "memory for an input");
  }
  for (uint32_t i = 0; i < MODEL.description->output_count; ++i)
    if (cache_of(i) >= 0)
      outputs[i] = inputs[cache_of(i)];
    else
      expect(allocate(&outputs[i], bytes_of(&MODEL.description->outputs[i])) == 0, "memory for an output");
  expect(cameo_gpu_enqueue(session, (const void *const *)inputs, outputs, symbols, NULL) == CAMEO_OK, "enqueue");
  for (uint32_t i = 0; i < MODEL.description->output_count; ++i)
    expect(download(results[i], outputs[i], bytes_of(&MODEL.description->outputs[i]), NULL) == 0, "download");
  expect(wait(NULL) == 0, "wait");
  compare("device");
}

int main(int argc, char **argv) {
  cameo_gpu *gpu;
  cameo_gpu_session *session = NULL;
  for (int i = 1; i < argc && i <= MOST; ++i)
    symbols[i - 1] = atoll(argv[i]);
  expect(MODEL.description->input_count <= MOST && MODEL.description->output_count <= MOST, "number of tensors");
  expect(cameo_gpu_load(&MODEL, 0, NULL, &gpu) == CAMEO_OK, "load");
  expect(cameo_gpu_session_create(gpu, symbols, &session) == CAMEO_OK, "session");
  run_on_host(session);
  run_on_device(session);
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  return 0;
}

/* The main of `cameo compile --emit=exe`: runs the model on random inputs, prints a summary of the outputs and the
 * latency. Also an example of a host program that knows its model only by the description. */
#include "cameo/runtime.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const cameo_model_description MODEL_DESCRIPTION;

static void fail(const char *what, cameo_status status) {
  fprintf(stderr, "error: %s: %s\n", what, cameo_status_message(status));
  exit(1);
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Floats in [-1, 1); every other type 0 or 1, which is valid as an id, a mask and a position. */
static void fill(void *data, uint64_t bytes, int32_t type, uint64_t *state) {
  uint64_t count = bytes / cameo_element_bytes(type);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = next_random(state);
    double value = (double)(bits >> 11) * 0x1p-52 - 1;
    switch (type) {
    case CAMEO_FLOAT32:
      ((float *)data)[i] = (float)value;
      break;
    case CAMEO_FLOAT64:
      ((double *)data)[i] = value;
      break;
    case CAMEO_FLOAT16:
      ((uint16_t *)data)[i] = (bits & 1) ? 0x3c00 : 0;
      break;
    case CAMEO_BFLOAT16:
      ((uint16_t *)data)[i] = (bits & 1) ? 0x3f80 : 0;
      break;
    default:
      memset((char *)data + i * cameo_element_bytes(type), 0, cameo_element_bytes(type));
      ((char *)data)[i * cameo_element_bytes(type)] = (char)(bits & 1); /* little endian, as all targets so far */
    }
  }
}

static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, (bytes + CAMEO_ALIGNMENT) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT);
  if (!memory)
    fail("allocate", CAMEO_OUT_OF_MEMORY);
  return memory;
}

static void print_output(const cameo_tensor_description *output, const void *data, uint64_t bytes) {
  printf("%s:", output->name);
  for (int32_t axis = 0; axis < output->rank; ++axis)
    printf("%s%" PRId64, axis ? "x" : " ", output->shape[axis]);
  if (output->element_type == CAMEO_FLOAT32 && bytes > 0) {
    const float *values = data;
    uint64_t count = bytes / sizeof *values;
    double sum = 0, low = values[0], high = values[0];
    for (uint64_t i = 0; i < count; ++i) {
      sum += values[i];
      low = fmin(low, values[i]);
      high = fmax(high, values[i]);
    }
    printf("  min %g  max %g  mean %g", low, high, sum / (double)count);
  }
  printf("\n");
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  cameo_status status = cameo_model_check(model);
  if (status)
    fail("description", status);
  if (model->symbol_count > 0)
    fail("this program runs models with fixed shapes only; compile with --dim", CAMEO_INVALID_ARGUMENT);
  cameo_thread_pool *pool = NULL;
  if ((status = cameo_thread_pool_create(getenv("CAMEO_NUM_THREADS") ? 0 : 1, &pool)))
    fail("threads", status);
  cameo_weights weights;
  if ((status = cameo_weights_map(argc > 1 ? argv[1] : NULL, model, &weights)))
    fail("weights (usage: PROGRAM [WEIGHTS-FILE])", status);
  cameo_context context;
  cameo_context_init(&context, pool);
  context.weights = weights.base;

  const void **inputs = allocate(model->input_count * sizeof *inputs);
  void **outputs = allocate(model->output_count * sizeof *outputs);
  uint64_t state = 1;
  for (uint32_t i = 0; i < model->input_count; ++i) {
    void *data = allocate(model->inputs[i].size_bytes);
    fill(data, model->inputs[i].size_bytes, model->inputs[i].element_type, &state);
    inputs[i] = data;
  }
  for (uint32_t i = 0; i < model->output_count; ++i)
    outputs[i] = allocate(model->outputs[i].size_bytes);
  void *workspace = allocate(model->workspace_size(NULL));

  enum { rounds = 20 };
  uint64_t times[rounds];
  for (int round = 0; round < rounds; ++round) {
    uint64_t begin = cameo_now();
    if ((status = model->run(inputs, outputs, NULL, workspace, &context)))
      fail("run", status);
    times[round] = cameo_now() - begin;
  }
  qsort(times, rounds, sizeof *times, compare);
  for (uint32_t i = 0; i < model->output_count; ++i)
    print_output(&model->outputs[i], outputs[i], model->outputs[i].size_bytes);
  printf("%s on %d thread(s): min %.3f ms, median %.3f ms of %d runs\n", model->name, (int)context.thread_count,
         (double)times[0] / 1e6, (double)times[rounds / 2] / 1e6, (int)rounds);
  cameo_weights_unmap(&weights);
  cameo_thread_pool_destroy(pool);
  return 0;
}

/* What the test programs share: a model known by its description, its buffers, inputs from a seed. */
#ifndef CAMEO_TEST_INTEGRATION_MODELPROGRAM_H
#define CAMEO_TEST_INTEGRATION_MODELPROGRAM_H

#include "cameo/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct instance {
  const cameo_model_description *model;
  void **inputs;
  void **outputs;
  void *workspace;
} instance;

static inline void require(int condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

static inline void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, (bytes / CAMEO_ALIGNMENT + 1) * CAMEO_ALIGNMENT);
  require(memory != NULL, "memory");
  memset(memory, 0, (bytes / CAMEO_ALIGNMENT + 1) * CAMEO_ALIGNMENT);
  return memory;
}

/* Floats in [-1, 1); all other types 0 or 1, valid as ids, masks and positions (little endian). */
static inline void fill(void *data, const cameo_tensor_description *tensor, uint32_t seed) {
  if (tensor->element_type != CAMEO_FLOAT32) {
    uint32_t stride = cameo_element_bytes(tensor->element_type);
    for (uint64_t byte = 0; byte < tensor->size_bytes; byte += stride) {
      seed = seed * 1664525u + 1013904223u;
      ((char *)data)[byte] = (char)(seed >> 31);
    }
    return;
  }
  float *values = data;
  for (uint64_t i = 0; i < tensor->size_bytes / sizeof *values; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)(seed >> 8) / 8388608.0f - 1;
  }
}

static inline instance make_instance(const cameo_model_description *model, uint32_t seed) {
  require(cameo_model_check(model) == CAMEO_OK, "description");
  require(model->symbol_count == 0, "fixed shapes");
  instance result = {model, allocate(model->input_count * sizeof(void *)), allocate(model->output_count * sizeof(void *)),
                     allocate(model->workspace_size(NULL))};
  for (uint32_t i = 0; i < model->input_count; ++i) {
    result.inputs[i] = allocate(model->inputs[i].size_bytes);
    fill(result.inputs[i], &model->inputs[i], seed + i);
  }
  for (uint32_t i = 0; i < model->output_count; ++i)
    result.outputs[i] = allocate(model->outputs[i].size_bytes);
  return result;
}

static inline cameo_status run_instance(const instance *it, const cameo_context *context) {
  return it->model->run((const void *const *)it->inputs, it->outputs, NULL, it->workspace, context);
}

/* Whether both hold the same outputs, bit by bit. */
static inline int equal_outputs(const instance *a, const instance *b) {
  for (uint32_t i = 0; i < a->model->output_count; ++i)
    if (memcmp(a->outputs[i], b->outputs[i], a->model->outputs[i].size_bytes) != 0)
      return 0;
  return 1;
}

#endif

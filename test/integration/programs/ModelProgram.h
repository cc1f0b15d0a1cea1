/* What the test programs share: a model known by its description, its buffers, inputs from a seed. Sizes that the run
 * chooses are all the same. */
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
  int64_t symbols[8]; /* sizes of this instance's runs */
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
static inline void fill(void *data, uint64_t bytes, int32_t type, uint32_t seed) {
  if (type != CAMEO_FLOAT32) {
    uint32_t stride = cameo_element_bytes(type);
    for (uint64_t byte = 0; byte < bytes; byte += stride) {
      seed = seed * 1664525u + 1013904223u;
      ((char *)data)[byte] = (char)(seed >> 31);
    }
    return;
  }
  float *values = data;
  for (uint64_t i = 0; i < bytes / sizeof *values; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = (float)(seed >> 8) / 8388608.0f - 1;
  }
}

static inline uint64_t bytes_of(const instance *it, const cameo_tensor_description *tensor) {
  uint64_t bytes = 0;
  require(cameo_tensor_bytes(it->model, tensor, it->symbols, &bytes) == CAMEO_OK, "bytes of a tensor");
  return bytes;
}

static inline instance make_sized_instance(const cameo_model_description *model, uint32_t seed, int64_t size) {
  require(cameo_model_check(model) == CAMEO_OK, "description");
  instance result = {
      model, allocate(model->input_count * sizeof(void *)), allocate(model->output_count * sizeof(void *)), NULL, {0}};
  require(model->symbol_count <= sizeof result.symbols / sizeof *result.symbols, "not too many symbols");
  for (uint32_t i = 0; i < model->symbol_count; ++i)
    result.symbols[i] = size;
  require(model->workspace_size(result.symbols) != UINT64_MAX, "sizes that the model takes");
  result.workspace = allocate(model->workspace_size(result.symbols));
  for (uint32_t i = 0; i < model->input_count; ++i) {
    uint64_t bytes = bytes_of(&result, &model->inputs[i]);
    result.inputs[i] = allocate(bytes);
    fill(result.inputs[i], bytes, model->inputs[i].element_type, seed + i);
  }
  for (uint32_t i = 0; i < model->output_count; ++i)
    result.outputs[i] = allocate(bytes_of(&result, &model->outputs[i]));
  return result;
}

static inline instance make_instance(const cameo_model_description *model, uint32_t seed) {
  return make_sized_instance(model, seed, 3);
}

static inline cameo_status run_instance(const instance *it, const cameo_context *context) {
  return it->model->run((const void *const *)it->inputs, it->outputs, it->symbols, it->workspace, context);
}

/* Whether both hold the same outputs, bit by bit. */
static inline int equal_outputs(const instance *a, const instance *b) {
  for (uint32_t i = 0; i < a->model->output_count; ++i)
    if (memcmp(a->outputs[i], b->outputs[i], bytes_of(a, &a->model->outputs[i])) != 0)
      return 0;
  return 1;
}

#endif

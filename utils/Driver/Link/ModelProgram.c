/* The main function of `cameo compile --emit=exe`. Runs the model on random inputs of the sizes that its arguments
 * give, and prints a summary of the outputs and the latency. Also an example of a host program that knows its model
 * only by the description. */
#include "cameo/gpu.h"
#include "cameo/runtime.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const cameo_model_description MODEL_DESCRIPTION;

#ifdef MODEL_GPU
extern const cameo_gpu_model MODEL_GPU;
#endif

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

/* Fills `data` with floats in [-1, 1), with strings, or with 0 and 1 of every other type, which are valid as ids, masks
 * and positions. */
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
    case CAMEO_STRING:
      ((const char **)data)[i] = (bits & 1) ? "1" : "some string";
      break;
    default:
      memset((char *)data + i * cameo_element_bytes(type), 0, cameo_element_bytes(type));
      ((char *)data)[i * cameo_element_bytes(type)] = (char)(bits & 1); /* all targets are little-endian */
    }
  }
}

static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, (bytes + CAMEO_ALIGNMENT) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT);
  if (!memory)
    fail("allocate", CAMEO_OUT_OF_MEMORY);
  return memory;
}

static uint64_t bytes_of(const cameo_model_description *model, const cameo_tensor_description *tensor,
                         const int64_t *symbols) {
  uint64_t bytes = 0;
  cameo_status status = cameo_tensor_bytes(model, tensor, symbols, &bytes);
  if (status)
    fail(tensor->name, status);
  return bytes;
}

static int64_t *shape_of(const cameo_model_description *model, const cameo_tensor_description *tensor,
                         const int64_t *symbols) {
  int64_t *shape = allocate((uint64_t)tensor->rank * sizeof *shape);
  cameo_status status = cameo_tensor_shape(model, tensor, symbols, shape);
  if (status)
    fail(tensor->name, status);
  return shape;
}

static void print_output(const cameo_tensor_description *output, const int64_t *shape, const void *data) {
  uint64_t count = 1;
  printf("%s:", output->name);
  for (int32_t axis = 0; axis < output->rank; ++axis) {
    printf("%s%" PRId64, axis ? "x" : " ", shape[axis]);
    count *= (uint64_t)shape[axis];
  }
  if (output->element_type == CAMEO_FLOAT32 && count > 0) {
    const float *values = data;
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

/* The values of the command line. */
typedef struct arguments {
  int64_t *symbols;
  const char *weights;
} arguments;

static void print_usage(const cameo_model_description *model, FILE *file) {
  fprintf(file, "usage: PROGRAM");
  for (uint32_t i = 0; i < model->symbol_count; ++i)
    fprintf(file, " %s=SIZE", model->symbols[i]);
  fprintf(file, "%s\n", model->external_weights_hash ? " WEIGHTS-FILE" : "");
}

/* Prints an error, with the wrong argument unless it is null, and the usage. Exits with 2. */
static void explain_usage(const cameo_model_description *model, const char *what, const char *argument) {
  fprintf(stderr, "error: %s", what);
  if (argument)
    fprintf(stderr, ", got '%s'", argument);
  fprintf(stderr, "; ");
  print_usage(model, stderr);
  exit(2);
}

/* Returns the index of the symbol in `text`, which is NAME=SIZE; symbol_count if there is none. */
static uint32_t find_symbol(const cameo_model_description *model, const char *text) {
  for (uint32_t i = 0; i < model->symbol_count; ++i) {
    size_t length = strlen(model->symbols[i]);
    if (strncmp(text, model->symbols[i], length) == 0 && text[length] == '=')
      return i;
  }
  return model->symbol_count;
}

static arguments read_arguments(const cameo_model_description *model, int argc, char **argv) {
  arguments result = {allocate(model->symbol_count * sizeof(int64_t)), NULL};
  for (uint32_t i = 0; i < model->symbol_count; ++i)
    result.symbols[i] = -1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      printf("Runs the model on random inputs; prints a summary of its outputs, and the latency.\n\n");
      print_usage(model, stdout);
      exit(0);
    }
    uint32_t symbol = find_symbol(model, argv[i]);
    if (symbol == model->symbol_count && model->external_weights_hash && !result.weights) {
      result.weights = argv[i];
      continue;
    }
    if (symbol == model->symbol_count)
      explain_usage(model, model->symbol_count ? "expected NAME=SIZE" : "expected no argument", argv[i]);
    char *end = NULL;
    const char *size = argv[i] + strlen(model->symbols[symbol]) + 1;
    result.symbols[symbol] = strtoll(size, &end, 10);
    if (end == size || *end || result.symbols[symbol] < 0)
      explain_usage(model, "expected a size of 0 or more", argv[i]);
  }
  for (uint32_t i = 0; i < model->symbol_count; ++i)
    if (result.symbols[i] < 0)
      explain_usage(model, "a size is missing", NULL);
  return result;
}

/* A model that is ready to run. */
typedef struct runner {
  const cameo_model_description *model;
  const int64_t *symbols;
  void *workspace;
  const cameo_context *context;
  cameo_gpu_session *session; /* null unless a GPU runs the model */
} runner;

#ifdef MODEL_GPU
static void fail_gpu(void) {
  fprintf(stderr, "error: %s\n", cameo_gpu_error());
  exit(1);
}

static void prepare(runner *runner) {
  cameo_gpu *gpu;
  if (cameo_gpu_load(&MODEL_GPU, 0, runner->context->weights, &gpu) != CAMEO_OK ||
      cameo_gpu_session_create(gpu, runner->symbols, &runner->session) != CAMEO_OK)
    fail_gpu();
}

static void run(const runner *runner, const void *const *inputs, void *const *outputs) {
  if (cameo_gpu_run(runner->session, inputs, outputs, runner->symbols) != CAMEO_OK)
    fail_gpu();
}
#else
static void prepare(runner *runner) { runner->workspace = allocate(runner->model->workspace_size(runner->symbols)); }

static void run(const runner *runner, const void *const *inputs, void *const *outputs) {
  cameo_status status = runner->model->run(inputs, outputs, runner->symbols, runner->workspace, runner->context);
  if (status)
    fail("run", status);
}
#endif

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  const cameo_model_description *model = &MODEL_DESCRIPTION;
  cameo_status status = cameo_model_check(model);
  if (status)
    fail("description", status);
  arguments given = read_arguments(model, argc, argv);
  cameo_thread_pool *pool = NULL;
  if ((status = cameo_thread_pool_create(getenv("CAMEO_NUM_THREADS") ? 0 : 1, &pool)))
    fail("threads", status);
  cameo_weights weights;
  if ((status = cameo_weights_map(given.weights, model, &weights)))
    fail("weights (usage: PROGRAM WEIGHTS-FILE)", status);
  cameo_context context;
  cameo_context_init(&context, pool);
  context.weights = weights.base;

  const void **inputs = allocate(model->input_count * sizeof *inputs);
  int64_t **shapes = allocate(model->output_count * sizeof *shapes);
  /* After the outputs, room for the pointers to data-dependent dimensions and to the area for strings that the run
   * makes. */
  void **outputs = allocate((2 * (uint64_t)model->output_count + 1) * sizeof *outputs),
       **next = outputs + model->output_count;
  uint64_t state = 1;
  for (uint32_t i = 0; i < model->input_count; ++i) {
    uint64_t bytes = bytes_of(model, &model->inputs[i], given.symbols);
    void *data = allocate(bytes);
    fill(data, bytes, model->inputs[i].element_type, &state);
    inputs[i] = data;
  }
  for (uint32_t i = 0; i < model->output_count; ++i) {
    outputs[i] = allocate(bytes_of(model, &model->outputs[i], given.symbols));
    shapes[i] = shape_of(model, &model->outputs[i], given.symbols);
    if (cameo_tensor_is_data_sized(model, &model->outputs[i]))
      *next++ = shapes[i];
  }
  cameo_text_area strings = {allocate(1 << 20), 1 << 20, 0};
  *next = &strings;
  uint64_t workspace_bytes = model->workspace_size(given.symbols);
  if (workspace_bytes == UINT64_MAX)
    fail("sizes", CAMEO_INVALID_ARGUMENT);
  runner runner = {model, given.symbols, NULL, &context, NULL};
  prepare(&runner);

  enum { rounds = 20 };
  uint64_t times[rounds];
  for (int round = 0; round < rounds; ++round) {
    uint64_t begin = cameo_now();
    run(&runner, inputs, outputs);
    times[round] = cameo_now() - begin;
  }
  qsort(times, rounds, sizeof *times, compare);
  for (uint32_t i = 0; i < model->output_count; ++i)
    print_output(&model->outputs[i], shapes[i], outputs[i]);
  printf("%s on %d thread(s): min %.3f ms, median %.3f ms of %d runs\n", model->name, (int)context.thread_count,
         (double)times[0] / 1e6, (double)times[rounds / 2] / 1e6, (int)rounds);
  cameo_weights_unmap(&weights);
  cameo_thread_pool_destroy(pool);
  return 0;
}

/* Runs libraries of the same model in turns, on one thread, and prints the shortest time of each in milliseconds and
 * the median of how long it took beside the first in the same turn: "min ratio" per line. Inputs are zeros. The script
 * `zoo processors` calls it.
 *
 *   turns RUNS SYMBOL LIBRARY LIBRARY...
 */
#define _GNU_SOURCE
#include "cameo/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_sides = 8 };

typedef struct {
  const cameo_model_description *model;
  const void **inputs;
  void **outputs;
  void *workspace;
  double *seconds; /* of each turn */
} side;

static void *allocate(uint64_t bytes) {
  uint64_t whole = (bytes + CAMEO_ALIGNMENT) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT;
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, whole);
  if (!memory)
    exit(1);
  return memset(memory, 0, whole);
}

static int open_side(side *opened, const char *path, const char *symbol, int runs) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const cameo_model_description *model = library ? dlsym(library, symbol) : NULL;
  if (!model || cameo_model_check(model) || model->symbol_count > 0) {
    fprintf(stderr, "%s: %s\n", path, library ? "expected a model of fixed sizes" : dlerror());
    return 1;
  }
  opened->model = model;
  opened->inputs = allocate(model->input_count * sizeof(void *));
  opened->outputs = allocate(2 * model->output_count * sizeof(void *));
  for (uint32_t i = 0; i < model->input_count; ++i)
    opened->inputs[i] = allocate(model->inputs[i].size_bytes);
  for (uint32_t i = 0; i < model->output_count; ++i) {
    uint64_t bytes = 0;
    if (cameo_tensor_bytes(model, &model->outputs[i], NULL, &bytes) != CAMEO_OK)
      return 1;
    opened->outputs[i] = allocate(bytes);
  }
  opened->workspace = allocate(model->workspace_size(NULL));
  opened->seconds = allocate((uint64_t)runs * sizeof(double));
  return 0;
}

/* Of the processor alone: what else runs takes less of it than of the clock on the wall. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run_once(side *chosen, int turn) {
  double begin = now();
  cameo_status status = chosen->model->run(chosen->inputs, chosen->outputs, NULL, chosen->workspace, NULL);
  if (turn >= 0)
    chosen->seconds[turn] = now() - begin;
  return status != CAMEO_OK;
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int count, char **arguments) {
  int runs = count > 1 ? atoi(arguments[1]) : 0, sides = count - 3;
  side opened[most_sides];
  if (runs < 1 || sides < 2 || sides > most_sides)
    return 1;
  for (int i = 0; i < sides; ++i)
    if (open_side(&opened[i], arguments[3 + i], arguments[2], runs) || run_once(&opened[i], -1))
      return 1;
  /* Each is first as often: what one leaves in the caches another one finds. */
  for (int turn = 0; turn < runs; ++turn)
    for (int i = 0; i < sides; ++i)
      if (run_once(&opened[(turn + i) % sides], turn))
        return 1;
  double *ratios = allocate((uint64_t)runs * sizeof(double));
  for (int i = 0; i < sides; ++i) {
    double shortest = opened[i].seconds[0];
    for (int turn = 0; turn < runs; ++turn) {
      ratios[turn] = opened[i].seconds[turn] / opened[0].seconds[turn];
      shortest = opened[i].seconds[turn] < shortest ? opened[i].seconds[turn] : shortest;
    }
    qsort(ratios, (size_t)runs, sizeof(double), compare);
    printf("%.6g %.4f\n", 1e3 * shortest, ratios[runs / 2]);
  }
  return 0;
}

/* Runs models that were compiled for a GPU on the device of this machine and compares their outputs with stored ones:
 * what `session make` packed. Needs the driver and nothing else.
 *
 * usage: run_cases FOLDER RESULTS [SECONDS]
 *
 * FOLDER holds a folder per case: model.so, inputs.bin and outputs.bin (all tensors in order, one behind the other) and
 * tolerance, a number. A line per case is appended to RESULTS: its name, "ok", "wrong" or "failed", the largest error
 * relative to the largest output, the microseconds of the fastest of some runs with its copies, without them by the
 * device's clock, and as a captured graph, and what went wrong. Cases that RESULTS has are not run again; after SECONDS
 * no other one begins. Exits 0 when all that ran were ok, 1 when one was not, 2 when time was up before. */
#include "cameo/gpu.h"
#include "cameo/gpu_time.h"
#include "cameo/runtime.h"

#include <dirent.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS = 5, TIMED_RUNS = 30, NAME_BYTES = 512 };

static void *read_file(const char *folder, const char *name, size_t *bytes) {
  char path[2 * NAME_BYTES];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  struct stat status;
  if (!file || fstat(fileno(file), &status) != 0)
    return NULL;
  *bytes = (size_t)status.st_size;
  char *data = malloc(*bytes + 1);
  if (data && fread(data, 1, *bytes, file) != *bytes) {
    free(data);
    data = NULL;
  }
  fclose(file);
  if (data)
    data[*bytes] = 0;
  return data;
}

static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                     : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                    : ldexp(mantissa, -24);
  return bits >> 15 ? -magnitude : magnitude;
}

/* Of a float; integers are compared byte by byte. */
static double value_at(const char *data, size_t index, int32_t type) {
  if (type == CAMEO_FLOAT64)
    return ((const double *)data)[index];
  if (type == CAMEO_FLOAT16)
    return half_value(((const uint16_t *)data)[index]);
  if (type == CAMEO_BFLOAT16) {
    uint32_t bits = (uint32_t)((const uint16_t *)data)[index] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  return ((const float *)data)[index];
}

static int is_float(int32_t type) {
  return type == CAMEO_FLOAT32 || type == CAMEO_FLOAT64 || type == CAMEO_FLOAT16 || type == CAMEO_BFLOAT16;
}

/* The largest error relative to the largest expected value; infinite where integers differ or only one is no number. */
static double compare(const char *expected, const char *actual, const cameo_tensor_description *tensor) {
  if (!is_float(tensor->element_type))
    return memcmp(expected, actual, tensor->size_bytes) == 0 ? 0 : INFINITY;
  size_t count = tensor->size_bytes / cameo_element_bytes(tensor->element_type);
  double largest = 0, error = 0;
  for (size_t i = 0; i < count; ++i) {
    double want = value_at(expected, i, tensor->element_type), got = value_at(actual, i, tensor->element_type);
    if (want == got || (isnan(want) && isnan(got)))
      want = isfinite(want) ? want : 0, got = want;
    double difference = fabs(want - got);
    largest = fmax(largest, fabs(want));
    error = difference >= 0 ? fmax(error, difference) : INFINITY;
  }
  return largest > 0 ? error / largest : error;
}

static uint64_t total_bytes(const cameo_tensor_description *tensors, uint32_t count) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i)
    bytes += tensors[i].size_bytes;
  return bytes;
}

struct outcome {
  double error, microseconds, stream_microseconds, graph_microseconds;
  const char *problem; /* null: it ran */
};

/* The fastest of some runs. */
static cameo_status time_runs(cameo_gpu_session *session, const void **in, void **out, int32_t uses_graph,
                              double *microseconds) {
  float milliseconds[TIMED_RUNS];
  cameo_status status = cameo_gpu_time_runs(session, in, out, NULL, uses_graph, TIMED_RUNS, milliseconds);
  for (int run = 0; run < TIMED_RUNS && status == CAMEO_OK; ++run)
    *microseconds = fmin(*microseconds, milliseconds[run] * 1e3);
  return status;
}

static struct outcome run_model(const cameo_gpu_model *model, char *inputs, const char *outputs) {
  const cameo_model_description *description = model->description;
  struct outcome outcome = {0, INFINITY, INFINITY, INFINITY, NULL};
  const void **in = calloc(description->input_count + 1, sizeof *in);
  void **out = calloc(description->output_count + 1, sizeof *out);
  uint64_t result_bytes = total_bytes(description->outputs, description->output_count);
  char *results = calloc(1, result_bytes + 1), *of_stream = malloc(result_bytes + 1);
  uint64_t at = 0;
  for (uint32_t i = 0; i < description->input_count; at += description->inputs[i++].size_bytes)
    in[i] = inputs + at;
  at = 0;
  for (uint32_t i = 0; i < description->output_count; at += description->outputs[i++].size_bytes)
    out[i] = results + at;
  cameo_gpu *gpu = NULL;
  cameo_gpu_session *session = NULL;
  cameo_status status = cameo_gpu_load(model, 0, NULL, &gpu);
  if (status == CAMEO_OK)
    status = cameo_gpu_session_create(gpu, NULL, &session);
  for (int run = 0; run < RUNS && status == CAMEO_OK; ++run) {
    uint64_t begin = cameo_now();
    status = cameo_gpu_run(session, in, out, NULL);
    outcome.microseconds = fmin(outcome.microseconds, (double)(cameo_now() - begin) / 1000);
  }
  memcpy(of_stream, results, result_bytes);
  if (status == CAMEO_OK)
    status = time_runs(session, in, out, 0, &outcome.stream_microseconds);
  if (status == CAMEO_OK)
    status = time_runs(session, in, out, 1, &outcome.graph_microseconds);
  if (status != CAMEO_OK)
    outcome.problem = cameo_gpu_error();
  else if (memcmp(results, of_stream, result_bytes) != 0)
    outcome.problem = "a captured graph computes something else than a stream";
  at = 0;
  for (uint32_t i = 0; i < description->output_count; at += description->outputs[i++].size_bytes)
    outcome.error = fmax(outcome.error, compare(outputs + at, results + at, &description->outputs[i]));
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  free(in), free(out), free(results), free(of_stream);
  return outcome;
}

static struct outcome run_case(const char *folder, double *tolerance) {
  struct outcome failed = {0, 0, 0, 0, NULL};
  char path[2 * NAME_BYTES];
  snprintf(path, sizeof path, "%s/model.so", folder);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  failed.problem = library ? "no model in the library" : dlerror();
  const cameo_gpu_model *model = library ? dlsym(library, "net_gpu") : NULL;
  if (!model)
    return failed;
  size_t bytes[3] = {0};
  char *inputs = read_file(folder, "inputs.bin", &bytes[0]), *outputs = read_file(folder, "outputs.bin", &bytes[1]),
       *text = read_file(folder, "tolerance", &bytes[2]);
  struct outcome outcome = failed;
  outcome.problem = "files of another model";
  if (inputs && outputs && text &&
      bytes[0] == total_bytes(model->description->inputs, model->description->input_count) &&
      bytes[1] == total_bytes(model->description->outputs, model->description->output_count)) {
    *tolerance = atof(text);
    outcome = run_model(model, inputs, outputs);
  }
  free(inputs), free(outputs), free(text);
  dlclose(library);
  return outcome;
}

/* Whether a line of `results` begins with `name`. */
static int is_known(const char *results, const char *name) {
  size_t length = strlen(name);
  for (const char *line = results; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (strncmp(line, name, length) == 0 && line[length] == ' ')
      return 1;
  return 0;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: run_cases FOLDER RESULTS [SECONDS]\n");
    return 1;
  }
  double seconds = count > 3 ? atof(arguments[3]) : INFINITY;
  uint64_t begin = cameo_now();
  size_t bytes;
  char *known = read_file(".", arguments[2], &bytes);
  if (!known && arguments[2][0] == '/')
    known = read_file("", arguments[2], &bytes);
  struct dirent **entries;
  int cases = scandir(arguments[1], &entries, NULL, alphasort), bad = 0;
  FILE *results = fopen(arguments[2], "a");
  if (cases < 0 || !results) {
    fprintf(stderr, "run_cases: expected a folder of cases and a file for results, got %s and %s\n", arguments[1],
            arguments[2]);
    return 1;
  }
  for (int i = 0; i < cases; ++i) {
    const char *name = entries[i]->d_name;
    if (name[0] == '.' || is_known(known, name))
      continue;
    if ((double)(cameo_now() - begin) / 1e9 > seconds)
      return 2;
    char folder[NAME_BYTES];
    snprintf(folder, sizeof folder, "%.200s/%.255s", arguments[1], name);
    double tolerance = 0;
    struct outcome outcome = run_case(folder, &tolerance);
    int is_right = !outcome.problem && outcome.error <= tolerance;
    const char *verdict = outcome.problem ? "failed" : is_right ? "ok" : "wrong";
    fprintf(results, "%s %s %.3g %.1f %.1f %.1f %s\n", name, verdict, outcome.error, outcome.microseconds,
            outcome.stream_microseconds, outcome.graph_microseconds, outcome.problem ? outcome.problem : "");
    fflush(results);
    bad += !is_right;
  }
  fclose(results);
  return bad > 0;
}

/* Runs models that were compiled for a GPU on the device of this machine, and compares their outputs with stored ones.
 * The cases are packed by `session make`. Needs only the driver.
 *
 * usage: run_cases FOLDER RESULTS [SECONDS]
 *
 * FOLDER holds a folder per case: model.so, inputs.bin and outputs.bin (all tensors in order, one after the other) and
 * tolerance, a number. A line per case is appended to RESULTS: its name, "ok", "wrong" or "failed", the largest error
 * relative to the largest output, the time of the fastest run in microseconds, with its copies, without them by the
 * device's clock, and as a captured graph (inf: it cannot be captured), and the problem. Cases in RESULTS are not run
 * again. No case starts after SECONDS. Exits with 0 if all cases that ran were ok, with 1 if one was not, and with 2 if
 * time was up before. */
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

enum { RUNS = 5, TIMED_RUNS = 30, NAME_BYTES = 512, MOST_RANK = 64 };

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

/* Returns an element of a float tensor; integers are compared byte by byte. */
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

/* Returns the largest error relative to the largest expected value. Returns infinity if integers differ, or if only one
 * of two floats is NaN. */
static double compare(const char *expected, const char *actual, const cameo_tensor_description *tensor,
                      uint64_t bytes) {
  if (!is_float(tensor->element_type))
    return memcmp(expected, actual, bytes) == 0 ? 0 : INFINITY;
  size_t count = bytes / cameo_element_bytes(tensor->element_type);
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

/* Returns the largest size of a tensor in bytes; 0 if it has dynamic sizes, with which no case is packed. */
static uint64_t most_bytes(const cameo_model_description *description, const cameo_tensor_description *tensor) {
  uint64_t bytes = 0;
  return cameo_tensor_bytes(description, tensor, NULL, &bytes) == CAMEO_OK ? bytes : 0;
}

static uint64_t total_bytes(const cameo_model_description *description, const cameo_tensor_description *tensors,
                            uint32_t count) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i)
    bytes += most_bytes(description, &tensors[i]);
  return bytes;
}

struct outcome {
  double error, microseconds, stream_microseconds, graph_microseconds;
  const char *problem; /* null if the model ran */
};

/* Measures the fastest of several runs. */
static cameo_status time_runs(cameo_gpu_session *session, const void **in, void **out, int32_t uses_graph,
                              double *microseconds) {
  float milliseconds[TIMED_RUNS];
  cameo_status status = cameo_gpu_time_runs(session, in, out, NULL, uses_graph, TIMED_RUNS, milliseconds);
  for (int run = 0; run < TIMED_RUNS && status == CAMEO_OK; ++run)
    *microseconds = fmin(*microseconds, milliseconds[run] * 1e3);
  return status;
}

/* Whether runs can be captured: they must not wait for data-dependent sizes. */
static int can_be_captured(const cameo_gpu_model *model) {
  for (uint32_t i = 0; i < model->step_count; ++i)
    if (model->steps[i].kind > CAMEO_GPU_PERSISTENT)
      return 0;
  return 1;
}

/* The results of a run: outputs of the largest possible size, and the values of data-dependent dimensions. */
struct results {
  char *memory;
  uint64_t bytes;
  void **out;
  int64_t (*shapes)[MOST_RANK];
};

static struct results make_results(const cameo_model_description *description) {
  uint32_t count = description->output_count;
  struct results made = {NULL, total_bytes(description, description->outputs, count),
                         calloc(2 * count + 1, sizeof *made.out), calloc(count + 1, sizeof *made.shapes)};
  made.memory = calloc(1, made.bytes + 1);
  uint64_t at = 0;
  uint32_t next = count;
  for (uint32_t i = 0; i < count; at += most_bytes(description, &description->outputs[i++])) {
    made.out[i] = made.memory + at;
    if (cameo_tensor_is_data_sized(description, &description->outputs[i]))
      made.out[next++] = made.shapes[i];
  }
  return made;
}

static uint64_t result_bytes(const cameo_model_description *description, const struct results *results, uint32_t i) {
  const cameo_tensor_description *output = &description->outputs[i];
  if (!cameo_tensor_is_data_sized(description, output))
    return most_bytes(description, output);
  uint64_t bytes = cameo_element_bytes(output->element_type);
  for (int32_t axis = 0; axis < output->rank; ++axis)
    bytes *= (uint64_t)results->shapes[i][axis];
  return bytes;
}

/* Compares the results with `outputs`, the expected ones, whose sizes follow from the dimensions. */
static void judge(struct outcome *outcome, const cameo_model_description *description, const struct results *results,
                  const char *outputs, uint64_t bytes) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < description->output_count; ++i) {
    uint64_t own = result_bytes(description, results, i);
    if (own > bytes - at) {
      outcome->problem = "outputs of other dimensions";
      return;
    }
    outcome->error = fmax(outcome->error, compare(outputs + at, results->out[i], &description->outputs[i], own));
    at += own;
  }
  if (at != bytes)
    outcome->problem = "outputs of other dimensions";
}

static struct outcome run_model(const cameo_gpu_model *model, char *inputs, const char *outputs, uint64_t bytes) {
  const cameo_model_description *description = model->description;
  struct outcome outcome = {0, INFINITY, INFINITY, INFINITY, NULL};
  const void **in = calloc(description->input_count + 1, sizeof *in);
  struct results results = make_results(description);
  char *of_stream = malloc(results.bytes + 1);
  uint64_t at = 0;
  for (uint32_t i = 0; i < description->input_count; at += most_bytes(description, &description->inputs[i++]))
    in[i] = inputs + at;
  cameo_gpu *gpu = NULL;
  cameo_gpu_session *session = NULL;
  cameo_status status = cameo_gpu_load(model, 0, NULL, &gpu);
  if (status == CAMEO_OK)
    status = cameo_gpu_session_create(gpu, NULL, &session);
  for (int run = 0; run < RUNS && status == CAMEO_OK; ++run) {
    uint64_t begin = cameo_now();
    status = cameo_gpu_run(session, in, results.out, NULL);
    outcome.microseconds = fmin(outcome.microseconds, (double)(cameo_now() - begin) / 1000);
  }
  memcpy(of_stream, results.memory, results.bytes);
  if (status == CAMEO_OK)
    status = time_runs(session, in, results.out, 0, &outcome.stream_microseconds);
  if (status == CAMEO_OK && can_be_captured(model))
    status = time_runs(session, in, results.out, 1, &outcome.graph_microseconds);
  if (status != CAMEO_OK)
    outcome.problem = cameo_gpu_error();
  else if (memcmp(results.memory, of_stream, results.bytes) != 0)
    outcome.problem = "a captured graph computes other results than a stream";
  else
    judge(&outcome, description, &results, outputs, bytes);
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  free(in), free(results.out), free(results.shapes), free(results.memory), free(of_stream);
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
      bytes[0] == total_bytes(model->description, model->description->inputs, model->description->input_count)) {
    *tolerance = atof(text);
    outcome = run_model(model, inputs, outputs, bytes[1]);
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

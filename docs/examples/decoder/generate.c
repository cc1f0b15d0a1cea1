/* Text from a decoder that was compiled as `decoder`: numbers of a prompt's tokens go in, those of the tokens that
 * follow come out.
 *
 *   generate [--steps N] [--rows N] [--threads N] [--temperature T] [--top-k K] [--seed S] TOKEN...
 *
 * Temperature 0, the default, takes the likeliest token; another one draws from the K likeliest, or from all with K 0.
 * Tokenizers are other programs' work. The decoder's inputs are `input_ids` and, if it has them, `attention_mask` and
 * `position_ids`, all int64; all others are caches in one buffer with an output. Its output `logits` is float32. The
 * batch is 1. */
#include "decoder.h"
#include <cameo/runtime.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
  const cameo_model_description *model;
  int64_t *symbols, *tokens, *mask, *positions; /* sizes of the run; its tokens; of all rows of the caches */
  void **inputs, **outputs, *workspace;
  float *logits; /* of each new token */
  int64_t rows;
  uint64_t workspace_bytes, logits_bytes;
  cameo_context context;
} session;

static void fail(const char *what, const char *name) {
  fprintf(stderr, "generate: %s: %s\n", name, what);
  exit(1);
}

static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, (bytes / CAMEO_ALIGNMENT + 1) * CAMEO_ALIGNMENT);
  if (!memory)
    fail("not enough memory", "decoder");
  return memset(memory, 0, bytes);
}

/* The symbol that dimension `axis` has in the model gets a size, unless it has one. */
static void set_size(session *s, const cameo_tensor_description *tensor, int axis, int64_t size) {
  int64_t stated = axis < tensor->rank ? tensor->shape[axis] : 0;
  if (stated < 0 && s->symbols[-1 - stated] < 0)
    s->symbols[-1 - stated] = size;
}

static int is_cache(const session *s, uint32_t input) {
  for (uint32_t i = 0; s->model->shared_inputs && i < s->model->output_count; ++i)
    if (s->model->shared_inputs[i] == (int32_t)input)
      return 1;
  return 0;
}

/* Sizes of a run of `count` tokens behind `past`, and memory for what depends on them. */
static void prepare(session *s, int64_t count, int64_t past) {
  const cameo_model_description *model = s->model;
  for (uint32_t i = 0; i < model->symbol_count; ++i)
    s->symbols[i] = -1;
  for (uint32_t i = 0; i < model->input_count; ++i) {
    set_size(s, &model->inputs[i], 0, 1);
    if (is_cache(s, i))
      set_size(s, &model->inputs[i], model->inputs[i].rank - 2, s->rows);
  }
  for (uint32_t i = 0; i < model->input_count; ++i)
    set_size(s, &model->inputs[i], 1, s->inputs[i] == s->mask ? past + count : count);
  uint64_t bytes = model->workspace_size(s->symbols), logits_bytes = 0;
  if (bytes == UINT64_MAX)
    fail("the model does not accept so many tokens", model->name);
  if (bytes > s->workspace_bytes || !s->workspace) {
    free(s->workspace);
    s->workspace = allocate(s->workspace_bytes = bytes);
  }
  for (uint32_t i = 0; i < model->output_count; ++i) {
    if (strcmp(model->outputs[i].name, "logits") != 0)
      continue;
    cameo_tensor_bytes(model, &model->outputs[i], s->symbols, &logits_bytes);
    if (logits_bytes > s->logits_bytes) {
      free(s->logits);
      s->logits = allocate(s->logits_bytes = logits_bytes);
    }
    s->outputs[i] = s->logits;
  }
}

/* Finds out what inputs and outputs are, and makes caches of `rows` rows. */
static void open_session(session *s, int64_t rows, cameo_thread_pool *pool) {
  const cameo_model_description *model = s->model = &decoder_description;
  cameo_context_init(&s->context, pool);
  s->rows = rows;
  s->symbols = allocate(model->symbol_count * sizeof(int64_t));
  s->inputs = allocate(model->input_count * sizeof(void *));
  s->outputs = allocate(model->output_count * sizeof(void *));
  s->tokens = allocate((uint64_t)rows * sizeof(int64_t));
  s->mask = allocate((uint64_t)rows * sizeof(int64_t));
  s->positions = allocate((uint64_t)rows * sizeof(int64_t));
  for (uint32_t i = 0; i < model->input_count; ++i) {
    const char *name = model->inputs[i].name;
    s->inputs[i] = !strcmp(name, "input_ids")        ? s->tokens
                   : !strcmp(name, "attention_mask") ? s->mask
                   : !strcmp(name, "position_ids")   ? s->positions
                                                     : NULL;
    if (!s->inputs[i] && !is_cache(s, i))
      fail("expected tokens, mask, positions or a cache in one buffer with an output (--alias)", name);
    if (s->inputs[i] == s->tokens && (model->inputs[i].rank != 2 || model->inputs[i].shape[1] >= 0))
      fail("expected as many tokens as a run chooses", name);
  }
  prepare(s, 1, 0);
  for (uint32_t i = 0; i < model->output_count; ++i) {
    int32_t shared = model->shared_inputs ? model->shared_inputs[i] : -1;
    uint64_t bytes = 0;
    if (shared < 0 && s->outputs[i] == NULL)
      fail("expected logits, or a cache in one buffer with an input", model->outputs[i].name);
    if (shared < 0)
      continue;
    cameo_tensor_bytes(model, &model->inputs[shared], s->symbols, &bytes);
    s->inputs[shared] = s->outputs[i] = allocate(bytes);
  }
}

/* Takes s->tokens, `count` of them behind `past` others; the logits of the token behind them, `*vocabulary` numbers. */
static const float *run(session *s, int64_t count, int64_t past, int64_t *vocabulary) {
  for (int64_t i = 0; i < count; ++i) {
    s->mask[past + i] = 1;
    s->positions[i] = past + i;
  }
  prepare(s, count, past);
  cameo_status status =
      s->model->run((const void *const *)s->inputs, s->outputs, s->symbols, s->workspace, &s->context);
  if (status != CAMEO_OK)
    fail(cameo_status_message(status), s->model->name);
  for (uint32_t i = 0; i < s->model->output_count; ++i)
    if (s->outputs[i] == s->logits)
      *vocabulary = s->model->outputs[i].shape[s->model->outputs[i].rank - 1];
  return s->logits + (count - 1) * *vocabulary;
}

/* The random numbers of splitmix64 (Steele, Lea, Flood, 2014), in [0, 1). */
static double draw(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int descending(const void *a, const void *b) {
  float left = *(const float *)a, right = *(const float *)b;
  return (left < right) - (left > right);
}

/* A token by its logits: softmax(logits / temperature) over the `top_k` largest, and those that equal the least of
 * them. */
static int64_t sample(const float *logits, int64_t count, double temperature, int64_t top_k, uint64_t *state) {
  int64_t likeliest = 0, token = 0;
  for (int64_t i = 1; i < count; ++i)
    if (logits[i] > logits[likeliest])
      likeliest = i;
  if (temperature <= 0)
    return likeliest;
  float least = -INFINITY;
  if (top_k > 0 && top_k < count) {
    float *sorted = allocate((uint64_t)count * sizeof(float));
    memcpy(sorted, logits, (size_t)count * sizeof(float));
    qsort(sorted, (size_t)count, sizeof(float), descending);
    least = sorted[top_k - 1];
    free(sorted);
  }
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += logits[i] >= least ? exp((logits[i] - logits[likeliest]) / temperature) : 0;
  double rest = draw(state) * sum;
  for (int64_t i = 0; i < count && rest >= 0; ++i)
    if (logits[i] >= least) {
      token = i;
      rest -= exp((logits[i] - logits[likeliest]) / temperature);
    }
  return token;
}

int main(int argc, char **argv) {
  static session s;
  double steps = 16, rows = 0, threads = 1, temperature = 0, top_k = 0, seed = 0;
  const struct option {
    const char *name;
    double *value;
  } options[] = {{"--steps", &steps}, {"--rows", &rows}, {"--threads", &threads}, {"--temperature", &temperature},
                 {"--top-k", &top_k}, {"--seed", &seed}};
  int first = 1;
  for (; first < argc && !strncmp(argv[first], "--", 2); first += 2) {
    size_t i = 0;
    while (i < sizeof options / sizeof *options && strcmp(argv[first], options[i].name) != 0)
      ++i;
    if (i == sizeof options / sizeof *options || first + 1 == argc)
      fail("unknown option, or one without a number", argv[first]);
    *options[i].value = atof(argv[first + 1]);
  }
  int64_t prompt = argc - first, needed = prompt + (int64_t)steps, vocabulary = 0;
  if (prompt < 1 || steps < 1 || (rows != 0 && rows < (double)needed))
    fail("expected tokens, one step or more, and as many --rows as all of these", "arguments");
  cameo_thread_pool *pool = NULL;
  if (cameo_thread_pool_create((int32_t)threads, &pool) != CAMEO_OK)
    fail("expected a number of threads", "--threads");
  open_session(&s, rows != 0 ? (int64_t)rows : needed, pool);
  for (int64_t i = 0; i < prompt; ++i)
    s.tokens[i] = atoll(argv[first + i]);
  uint64_t state = (uint64_t)seed;
  /* The prompt in one run, then each token in one of its own. */
  const float *logits = run(&s, prompt, 0, &vocabulary);
  for (int64_t past = prompt; past < needed; ++past) {
    s.tokens[0] = sample(logits, vocabulary, temperature, (int64_t)top_k, &state);
    printf("%lld%s", (long long)s.tokens[0], past + 1 < needed ? " " : "\n");
    fflush(stdout);
    if (past + 1 < needed)
      logits = run(&s, 1, past, &vocabulary);
  }
  cameo_thread_pool_destroy(pool);
  return 0;
}

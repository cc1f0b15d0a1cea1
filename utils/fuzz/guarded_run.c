/* Runs a compiled model with unreadable pages directly before and behind each of its buffers.
 *
 * usage: guarded_run LIBRARY PREFIX SECONDS < REQUEST > RESPONSE
 *
 * Everything below is little-endian 64-bit words unless it says bytes. REQUEST: the number of runs, and per run
 *     placement (0: buffers end at the page behind them, 1: they begin at the page before them), parts (0: no context,
 * n: parallel ranges are cut into as many parts, which run last one first), the number of named sizes, per name its
 * number of bytes, the bytes and the size, the number of inputs, and per input its number of bytes and the bytes;
 * strings are one after the other, each with its zero byte. RESPONSE: per run an outcome and what belongs to it. 0: the
 * status of `run`; for CAMEO_OK the number of outputs, and per output its rank, dimensions, number of bytes and bytes.
 * 1: a fault: signal, kind of buffer (see `kinds`), its number, offset of the address from its begin, its size, 1 for a
 * store 2: bytes outside a buffer were changed, which a page's granularity hid: kind, number, offset 3: no end after
 * SECONDS 4: the sizes make a buffer that is too large to try 5: the library cannot be used: a string follows, as bytes
 * with their number Inputs are read-only. What outputs and workspace hold before a run differs between placements, so
 * that a result that depends on it differs, too. */
#define _GNU_SOURCE
#include "cameo/gpu.h"
#include "cameo/runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { AtEnd, AtBegin };
enum { Returned, Fault, Changed, Timeout, TooLarge, Unusable };
enum { Elsewhere, Input, Output, Workspace, Dimensions, Strings, TextArea, Symbols };

#define CANARY 0xA5
#define MOST_BYTES (1ull << 28)
#define MOST_REGIONS 4096

typedef struct {
  int kind, number;
  unsigned char *begin, *page_begin, *page_end; /* readable pages are [page_begin, page_end) */
  uint64_t bytes;
} region;

static region regions[MOST_REGIONS];
static int region_count;
static uint64_t page_bytes;
static unsigned seconds;
static uint64_t running = 0; /* 1 while the model's code runs */

/* ---- messages ---- */

static void put(const void *data, size_t bytes) {
  const char *rest = data;
  while (bytes) {
    ssize_t written = write(1, rest, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      _exit(3);
    rest += written;
    bytes -= (size_t)written;
  }
}

static void put_word(uint64_t word) { put(&word, sizeof word); }

static void get(void *data, size_t bytes) {
  if (fread(data, 1, bytes, stdin) != bytes)
    exit(2);
}

static uint64_t get_word(void) {
  uint64_t word;
  get(&word, sizeof word);
  return word;
}

static void unusable(const char *string) {
  put_word(Unusable);
  put_word(strlen(string));
  put(string, strlen(string));
}

/* ---- buffers ---- */

static void *place(int kind, int number, uint64_t bytes, uint64_t alignment, int placement, int fill) {
  uint64_t pages = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  unsigned char *base =
      mmap(NULL, pages + 2 * page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED || region_count == MOST_REGIONS ||
      (pages && mprotect(base + page_bytes, pages, PROT_READ | PROT_WRITE))) {
    put_word(TooLarge);
    _exit(0);
  }
  region *made = &regions[region_count++];
  made->kind = kind, made->number = number, made->bytes = bytes;
  made->page_begin = base + page_bytes, made->page_end = made->page_begin + pages;
  made->begin = placement == AtBegin
                    ? made->page_begin
                    : (unsigned char *)((uintptr_t)(made->page_end - bytes) & ~(uintptr_t)(alignment - 1));
  if (made->begin < made->page_begin && bytes) /* cannot be: pages are aligned better */
    _exit(4);
  memset(made->page_begin, CANARY, pages);
  memset(made->begin, fill, bytes);
  return made->begin;
}

static void make_read_only(const void *begin) {
  for (int i = 0; i < region_count; ++i)
    if (regions[i].begin == begin && regions[i].page_end != regions[i].page_begin)
      mprotect(regions[i].page_begin, (size_t)(regions[i].page_end - regions[i].page_begin), PROT_READ);
}

static void check_canaries(void) {
  for (int i = 0; i < region_count; ++i)
    for (const unsigned char *at = regions[i].page_begin; at < regions[i].page_end; ++at) {
      if (at == regions[i].begin && regions[i].bytes)
        at += regions[i].bytes;
      if (at < regions[i].page_end && *at != CANARY) {
        put_word(Changed), put_word((uint64_t)regions[i].kind), put_word((uint64_t)regions[i].number);
        put_word((uint64_t)(at - regions[i].begin));
        _exit(0);
      }
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
  if (number == SIGALRM) {
    put_word(Timeout);
    _exit(0);
  }
  const unsigned char *address = info->si_addr;
  uint64_t kind = Elsewhere, which = 0, offset = (uint64_t)(uintptr_t)address, bytes = 0, is_store = 0;
  for (int i = 0; running && number != SIGFPE && number != SIGILL && i < region_count; ++i)
    if (address >= regions[i].page_begin - page_bytes && address < regions[i].page_end + page_bytes) {
      kind = (uint64_t)regions[i].kind, which = (uint64_t)regions[i].number, bytes = regions[i].bytes;
      offset = (uint64_t)(address - regions[i].begin);
    }
#if defined(__x86_64__)
  is_store = (((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
#endif
  put_word(Fault), put_word((uint64_t)number), put_word(kind), put_word(which), put_word(offset), put_word(bytes),
      put_word(is_store);
  _exit(0);
}

static void catch_signals(void) {
  static char stack[1 << 16];
  stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    sigaction(numbers[i], &action, NULL);
}

/* ---- one run ---- */

typedef struct {
  uint64_t placement, parts, symbol_count, input_count;
  char **names;
  int64_t *sizes;
  uint64_t *bytes;
  char **data;
} request;

static char *get_bytes(uint64_t *bytes) {
  *bytes = get_word();
  char *data = calloc(*bytes + 1, 1);
  get(data, *bytes);
  return data;
}

static request read_request(void) {
  request made = {.placement = get_word()};
  made.parts = get_word();
  made.symbol_count = get_word();
  made.names = calloc(made.symbol_count + 1, sizeof *made.names);
  made.sizes = calloc(made.symbol_count + 1, sizeof *made.sizes);
  for (uint64_t i = 0, bytes; i < made.symbol_count; ++i) {
    made.names[i] = get_bytes(&bytes);
    made.sizes[i] = (int64_t)get_word();
  }
  made.input_count = get_word();
  made.bytes = calloc(made.input_count + 1, sizeof *made.bytes);
  made.data = calloc(made.input_count + 1, sizeof *made.data);
  for (uint64_t i = 0; i < made.input_count; ++i)
    made.data[i] = get_bytes(&made.bytes[i]);
  return made;
}

static void free_request(request *each) {
  for (uint64_t i = 0; i < each->input_count; ++i)
    free(each->data[i]);
  for (uint64_t i = 0; i < each->symbol_count; ++i)
    free(each->names[i]);
  free(each->data), free(each->bytes), free(each->names), free(each->sizes);
}

/* Part of a range in the opposite order: iterations are independent of each other. */
static void parallel_backwards(void *user, cameo_kernel kernel, void *const *buffers, int64_t extent) {
  int64_t parts = *(const int64_t *)user < extent ? *(const int64_t *)user : extent;
  for (int64_t part = parts; part-- > 0;)
    kernel(buffers, extent / parts * part + (part < extent % parts ? part : extent % parts),
           extent / parts * (part + 1) + (part + 1 < extent % parts ? part + 1 : extent % parts));
}

static void *place_strings(const request *asked, uint64_t index, uint64_t count) {
  int placement = (int)asked->placement;
  uint64_t bytes = asked->bytes[index] ? asked->bytes[index] : 1; /* of no strings an empty one */
  char *strings = place(Strings, (int)index, bytes, 1, placement, 0);
  memcpy(strings, asked->data[index], asked->bytes[index]);
  const char **pointers = place(Input, (int)index, count * sizeof(char *), sizeof(char *), placement, 0);
  const char *next = strings, *end = strings + bytes;
  for (uint64_t i = 0; i < count; ++i) {
    if (next >= end) /* again from the first one, where a run of other sizes needs more */
      next = strings;
    pointers[i] = next;
    next += strlen(next) + 1;
  }
  make_read_only(strings);
  make_read_only(pointers);
  return pointers;
}

static uint64_t element_count(const int64_t *shape, int32_t rank) {
  uint64_t count = 1;
  for (int32_t i = 0; i < rank; ++i)
    count *= (uint64_t)shape[i];
  return count;
}

static void put_output(const cameo_tensor_description *output, const void *data, const int64_t *shape) {
  put_word((uint64_t)output->rank);
  put(shape, (size_t)output->rank * sizeof *shape);
  uint64_t count = element_count(shape, output->rank);
  if (output->element_type != CAMEO_STRING) {
    put_word(count * cameo_element_bytes(output->element_type));
    put(data, count * cameo_element_bytes(output->element_type));
    return;
  }
  uint64_t bytes = 0;
  const char *const *strings = data;
  for (uint64_t i = 0; i < count; ++i)
    bytes += strlen(strings[i]) + 1;
  put_word(bytes);
  for (uint64_t i = 0; i < count; ++i)
    put(strings[i], strlen(strings[i]) + 1);
}

/* A run of a model for a GPU, whose driver is the emulator: it guards the device's memory. Threads run in the opposite
 * order, copies arrive at once and accesses are checked where buffers begin at the page before them. */
static cameo_status run_on_gpu(const cameo_gpu_model *model, const request *asked, const void *const *inputs,
                               void *const *outputs, const int64_t *symbols) {
  int others = asked->placement == AtBegin;
  setenv("CAMEO_EMULATOR_ORDER", others ? "backward" : "forward", 1);
  setenv("CAMEO_EMULATOR_COPIES", others ? "early" : "late", 1);
  if (others)
    setenv("CAMEO_EMULATOR_CHECK", "on", 1);
  cameo_gpu *gpu = NULL;
  cameo_gpu_session *session = NULL;
  cameo_status status = cameo_gpu_load(model, 0, NULL, &gpu);
  if (status == CAMEO_OK)
    status = cameo_gpu_session_create(gpu, symbols, &session);
  if (status == CAMEO_OK)
    status = cameo_gpu_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK && status != CAMEO_INVALID_ARGUMENT)
    fprintf(stderr, "guarded_run: %s\n", cameo_gpu_error());
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  return status;
}

/* Whether an input or output has a negative size, or one that no memory has. A run of such sizes must be refused. */
static int has_impossible_tensor(const cameo_model_description *model, const int64_t *symbols) {
  uint64_t bytes;
  for (uint32_t i = 0; i < model->input_count; ++i)
    if (cameo_tensor_bytes(model, &model->inputs[i], symbols, &bytes))
      return 1;
  for (uint32_t i = 0; i < model->output_count; ++i)
    if (cameo_tensor_bytes(model, &model->outputs[i], symbols, &bytes))
      return 1;
  return 0;
}

static void run_once(const cameo_model_description *model, const cameo_gpu_model *gpu, const request *asked) {
  int placement = (int)asked->placement, fill = placement == AtEnd ? 0xFF : 0x5A;
  int64_t *symbols = place(Symbols, 0, model->symbol_count * sizeof *symbols, sizeof *symbols, placement, 0);
  for (uint32_t i = 0; i < model->symbol_count; ++i) {
    uint64_t named = 0;
    while (named < asked->symbol_count && strcmp(asked->names[named], model->symbols[i]))
      ++named;
    if (named == asked->symbol_count) {
      unusable("no size for a symbolic dimension");
      _exit(0);
    }
    symbols[i] = asked->sizes[named];
  }
  make_read_only(symbols);
  const void *inputs[MOST_REGIONS];
  void *outputs[MOST_REGIONS];
  int64_t *shapes[MOST_REGIONS];
  if (asked->input_count != model->input_count || model->input_count >= MOST_REGIONS ||
      model->output_count >= MOST_REGIONS / 4) {
    unusable("a different number of inputs than the model has, or too many");
    _exit(0);
  }

  running = 1;
  uint64_t workspace_bytes = model->workspace_size(symbols);
  running = 0;
  int refused = workspace_bytes == UINT64_MAX || has_impossible_tensor(model, symbols);
  for (uint32_t i = 0; i < model->input_count; ++i) {
    int64_t shape[64];
    uint64_t bytes = 0;
    if (refused) { /* `run` must say so before it touches anything */
      inputs[i] = place(Input, (int)i, 0, 1, placement, 0);
      continue;
    }
    if (cameo_tensor_bytes(model, &model->inputs[i], symbols, &bytes) ||
        cameo_tensor_shape(model, &model->inputs[i], symbols, shape) || bytes > MOST_BYTES) {
      put_word(TooLarge);
      _exit(0);
    }
    if (model->inputs[i].element_type == CAMEO_STRING) {
      inputs[i] = place_strings(asked, i, element_count(shape, model->inputs[i].rank));
      continue;
    }
    char *data = place(Input, (int)i, bytes, cameo_element_bytes(model->inputs[i].element_type), placement, 0);
    for (uint64_t at = 0; at < bytes && asked->bytes[i];
         at += asked->bytes[i]) /* again from the begin, where a run of other sizes needs more */
      memcpy(data + at, asked->data[i], bytes - at < asked->bytes[i] ? bytes - at : asked->bytes[i]);
    make_read_only(data);
    inputs[i] = data;
  }
  uint32_t pointer_count = model->output_count;
  for (uint32_t i = 0; i < model->output_count; ++i) {
    uint64_t bytes = 0;
    shapes[i] = NULL;
    if (!refused && (cameo_tensor_bytes(model, &model->outputs[i], symbols, &bytes) || bytes > MOST_BYTES)) {
      put_word(TooLarge);
      _exit(0);
    }
    outputs[i] = place(Output, (int)i, bytes, cameo_element_bytes(model->outputs[i].element_type), placement, fill);
    if (cameo_tensor_is_data_sized(model, &model->outputs[i])) {
      shapes[i] = place(Dimensions, (int)i, (uint64_t)model->outputs[i].rank * sizeof(int64_t), sizeof(int64_t),
                        placement, fill);
      outputs[pointer_count++] = shapes[i];
    }
  }
  cameo_text_area *area = NULL;
  if (model->makes_texts) {
    area = place(TextArea, 0, sizeof *area, 8, placement, 0);
    area->capacity = 1 << 16;
    area->memory = place(TextArea, 1, area->capacity, 1, placement, fill);
    outputs[pointer_count++] = area;
  }
  if (workspace_bytes > MOST_BYTES && !refused) {
    put_word(TooLarge);
    _exit(0);
  }
  void *workspace = place(Workspace, 0, refused || gpu ? 0 : workspace_bytes, CAMEO_ALIGNMENT, placement, fill);

  cameo_context context;
  int64_t parts = (int64_t)asked->parts;
  cameo_context_init(&context, NULL);
  context.thread_count = (int32_t)parts;
  context.parallel_for = parallel_backwards;
  context.parallel_user = &parts;
  running = 1;
  cameo_status status = gpu ? run_on_gpu(gpu, asked, inputs, outputs, symbols)
                            : model->run(inputs, outputs, symbols, workspace, parts ? &context : NULL);
  running = 0;
  check_canaries();
  put_word(Returned);
  put_word((uint64_t)status);
  if (status != CAMEO_OK)
    _exit(0);
  put_word(model->output_count);
  for (uint32_t i = 0; i < model->output_count; ++i) {
    int64_t shape[64];
    if (!shapes[i] && cameo_tensor_shape(model, &model->outputs[i], symbols, shape))
      _exit(6);
    put_output(&model->outputs[i], outputs[i], shapes[i] ? shapes[i] : shape);
  }
  _exit(0);
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
  seconds = (unsigned)atoi(argv[3]);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  char name[256];
  snprintf(name, sizeof name, "%s_description", argv[2]);
  const cameo_model_description *model = library ? dlsym(library, name) : NULL;
  snprintf(name, sizeof name, "%s_gpu", argv[2]);
  const cameo_gpu_model *gpu = library ? dlsym(library, name) : NULL;
  uint64_t runs = get_word();
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (uint64_t i = 0; i < runs; ++i) {
    request asked = read_request();
    if (!model || cameo_model_check(model) != CAMEO_OK) {
      unusable(!library ? dlerror() : !model ? "no description" : "cameo_model_check refuses it");
    } else {
      pid_t child = fork();
      if (child == 0) {
        catch_signals();
        alarm(seconds);
        run_once(model, gpu, &asked);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "guarded_run: the child ended with %d\n", status);
        return 3;
      }
    }
    free_request(&asked);
  }
  return 0;
}

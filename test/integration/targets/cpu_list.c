/* Runs a model, writes its outputs one behind the other to FILE, and prints the processor whose code ran, or the status
 * of a run that failed: cpu_list FILE [INPUTS]. MODEL_CPU is the function that names the processor, where the model is
 * compiled for several. */
#include "../programs/ModelProgram.h"

#include <pthread.h>

extern const cameo_model_description MODEL_DESCRIPTION;
#ifdef MODEL_CPU
const char *MODEL_CPU(void);
#else
static const char *MODEL_CPU(void) { return "the only one"; }
#endif

static void read_inputs(const char *path, instance *it) {
  FILE *file = fopen(path, "rb");
  require(file != NULL, "input file");
  for (uint32_t i = 0; i < it->model->input_count; ++i)
    require(fread(it->inputs[i], 1, bytes_of(it, &it->model->inputs[i]), file) == bytes_of(it, &it->model->inputs[i]),
            "read");
  require(fclose(file) == 0, "close");
}

/* A run of one of several threads, none of which knows the processor yet. */
typedef struct first_run {
  pthread_t thread;
  instance it;
  cameo_status status;
} first_run;

static pthread_barrier_t all_there;

static void *run_first(void *argument) {
  first_run *run = argument;
  pthread_barrier_wait(&all_there);
  run->status = run_instance(&run->it, NULL);
  return NULL;
}

int main(int argc, char **argv) {
  require(argc == 2 || argc == 3, "arguments");
  enum { thread_count = 4 };
  first_run runs[thread_count];
  require(pthread_barrier_init(&all_there, NULL, thread_count) == 0, "barrier");
  for (int i = 0; i < thread_count; ++i) {
    runs[i].it = make_instance(&MODEL_DESCRIPTION, 7);
    if (argc == 3)
      read_inputs(argv[2], &runs[i].it);
    require(pthread_create(&runs[i].thread, NULL, run_first, &runs[i]) == 0, "thread");
  }
  for (int i = 0; i < thread_count; ++i) {
    require(pthread_join(runs[i].thread, NULL) == 0, "join");
    require(runs[i].status == runs[0].status && equal_outputs(&runs[i].it, &runs[0].it), "the same of all threads");
  }
  instance it = runs[0].it;
  cameo_status status = runs[0].status;
  const char *cpu = MODEL_CPU();
  require((cpu != NULL) == (status == CAMEO_OK), "a processor where there is a result");
  if (status != CAMEO_OK) {
    printf("%s\n", cameo_status_message(status));
    return 0;
  }
  require(run_instance(&it, NULL) == CAMEO_OK, "another run");
  FILE *file = fopen(argv[1], "wb");
  require(file != NULL, "output file");
  for (uint32_t i = 0; i < it.model->output_count; ++i)
    require(fwrite(it.outputs[i], 1, bytes_of(&it, &it.model->outputs[i]), file) ==
                bytes_of(&it, &it.model->outputs[i]),
            "write");
  require(fclose(file) == 0, "close");
  puts(cpu);
  return 0;
}

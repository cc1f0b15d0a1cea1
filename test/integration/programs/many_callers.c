/* Two models in one program, each run from several threads at once on a shared pool, must give the bits of a lonely
 * serial run. Built with ThreadSanitizer. */
#include "ModelProgram.h"

#include <pthread.h>

extern const cameo_model_description FIRST_DESCRIPTION, SECOND_DESCRIPTION;

enum { callers = 4, rounds = 5 };

typedef struct caller {
  instance models[2];
  const instance *expected;
  const cameo_context *context;
} caller;

static void *call(void *argument) {
  caller *self = argument;
  for (int round = 0; round < rounds; ++round)
    for (int i = 0; i < 2; ++i) {
      require(run_instance(&self->models[i], self->context) == CAMEO_OK, "run");
      require(equal_outputs(&self->models[i], &self->expected[i]), "equal outputs from all threads");
    }
  return NULL;
}

int main(void) {
  const cameo_model_description *models[2] = {&FIRST_DESCRIPTION, &SECOND_DESCRIPTION};
  instance expected[2];
  for (int i = 0; i < 2; ++i) {
    expected[i] = make_instance(models[i], 7);
    require(run_instance(&expected[i], NULL) == CAMEO_OK, "run");
  }
  cameo_thread_pool *pool = NULL;
  require(cameo_thread_pool_create(3, &pool) == CAMEO_OK, "pool");
  cameo_context context;
  cameo_context_init(&context, pool);

  caller all[callers];
  pthread_t threads[callers];
  for (int i = 0; i < callers; ++i) {
    all[i] = (caller){{make_instance(models[0], 7), make_instance(models[1], 7)}, expected, &context};
    require(pthread_create(&threads[i], NULL, call, &all[i]) == 0, "thread");
  }
  for (int i = 0; i < callers; ++i)
    pthread_join(threads[i], NULL);
  cameo_thread_pool_destroy(pool);
  return 0;
}

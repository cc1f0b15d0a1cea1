/* Sleeping until an atomic word changes: a futex on Linux, a condition variable elsewhere (and with CAMEO_NO_FUTEX, so
 * that Linux tests it too). */
#ifndef CAMEO_SRC_WAIT_H
#define CAMEO_SRC_WAIT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct cameo_waiters {
  atomic_int sleeping; /* threads in or just before a sleep */
  pthread_mutex_t mutex;
  pthread_cond_t changed;
} cameo_waiters;

/* Returns 0 or an errno value. */
int cameo_waiters_init(cameo_waiters *waiters);
void cameo_waiters_destroy(cameo_waiters *waiters);

/* Sleeps while `*word == seen`; may return early. */
void cameo_wait_while(cameo_waiters *waiters, atomic_uint *word, unsigned seen);

/* Wakes up to `count` sleepers after `*word` was changed. Makes no system call if there are no sleepers. */
void cameo_wake(cameo_waiters *waiters, atomic_uint *word, int count);

#endif

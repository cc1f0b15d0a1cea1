#define _GNU_SOURCE /* syscall */
#include "wait.h"

#if defined(__linux__) && !defined(CAMEO_NO_FUTEX)
#define CAMEO_FUTEX 1
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

int cameo_waiters_init(cameo_waiters *waiters) {
  atomic_init(&waiters->sleeping, 0);
  int error = pthread_mutex_init(&waiters->mutex, NULL);
  if (error)
    return error;
  error = pthread_cond_init(&waiters->changed, NULL);
  if (error)
    pthread_mutex_destroy(&waiters->mutex);
  return error;
}

void cameo_waiters_destroy(cameo_waiters *waiters) {
  pthread_cond_destroy(&waiters->changed);
  pthread_mutex_destroy(&waiters->mutex);
}

/* No wake-up is lost: a sleeper first increments the count and then reads the word; a waker first changes the word and
 * then reads the count. All four operations are sequentially consistent, so at least one thread sees the other's
 * change. */
void cameo_wait_while(cameo_waiters *waiters, atomic_uint *word, unsigned seen) {
  atomic_fetch_add(&waiters->sleeping, 1);
#ifdef CAMEO_FUTEX
  if (atomic_load(word) == seen)
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
#else
  pthread_mutex_lock(&waiters->mutex);
  while (atomic_load(word) == seen)
    pthread_cond_wait(&waiters->changed, &waiters->mutex);
  pthread_mutex_unlock(&waiters->mutex);
#endif
  atomic_fetch_sub(&waiters->sleeping, 1);
}

void cameo_wake(cameo_waiters *waiters, atomic_uint *word, int count) {
  if (atomic_load(&waiters->sleeping) == 0)
    return;
#ifdef CAMEO_FUTEX
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
#else
  (void)word;
  (void)count; /* pthread_cond_signal could wake the wrong thread, which would sleep again */
  pthread_mutex_lock(&waiters->mutex);
  pthread_cond_broadcast(&waiters->changed);
  pthread_mutex_unlock(&waiters->mutex);
#endif
}

/* Preloaded: the wall clock of a process jumps, as when somebody sets it. By how many seconds it is off stands in the
 * file that CLOCK_OFFSET names, which a test writes to. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
  const char *path = getenv("CLOCK_OFFSET");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  offset = map == MAP_FAILED ? NULL : map;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long failed = syscall(SYS_clock_gettime, clock, now);
  if (!failed && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += *offset;
  return (int)failed;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (result)
    *result = exact.tv_sec;
  return exact.tv_sec;
}

/* The kernel looks again at what waits for a time of the wall clock when that is set. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  for (;;) {
    struct timespec now, piece;
    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec))
      return ETIMEDOUT;
    int64_t left = (until->tv_sec - now.tv_sec) * 1000000000LL + until->tv_nsec - now.tv_nsec, most = 50000000;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &piece);
    int64_t end = piece.tv_nsec + (left < most ? left : most);
    piece.tv_sec += end / 1000000000;
    piece.tv_nsec = end % 1000000000;
    int result = pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &piece);
    if (result != ETIMEDOUT)
      return result;
  }
}

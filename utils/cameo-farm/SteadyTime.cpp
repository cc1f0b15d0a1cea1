// NATS's client computes timeouts with the wall clock: if it is set back by an hour, a wait of a second takes an hour
// longer. In this program the wall clock is a monotonic clock with the wall time of the start. The client calls these
// two functions, which are found before those of the C library.
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static timespec systemTime(clockid_t clock) {
  timespec now = {};
  syscall(SYS_clock_gettime, clock, &now);
  return now;
}

static constexpr long perSecond = 1000000000;

/// Returns a + sign * b.
static timespec sum(timespec a, timespec b, int sign) {
  timespec result = {a.tv_sec + sign * b.tv_sec, a.tv_nsec + sign * b.tv_nsec};
  if (result.tv_nsec >= perSecond || result.tv_nsec < 0) {
    int carry = result.tv_nsec < 0 ? -1 : 1;
    result.tv_sec += carry;
    result.tv_nsec -= carry * perSecond;
  }
  return result;
}

/// Returns the difference between the wall clock and the monotonic clock at the start.
static timespec ahead() {
  static const timespec atStart = sum(systemTime(CLOCK_REALTIME), systemTime(CLOCK_MONOTONIC), -1);
  return atStart;
}

extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept {
  if (clock != CLOCK_REALTIME)
    return static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  *now = sum(systemTime(CLOCK_MONOTONIC), ahead(), 1);
  return 0;
}

extern "C" int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *until) {
  timespec steady = sum(*until, ahead(), -1);
  return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &steady);
}

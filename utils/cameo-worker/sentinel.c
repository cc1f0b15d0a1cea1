#include "sentinel.h"

#include "cameo/runtime.h"

double time_sentinel(void) {
  enum { rounds = 3, steps = 8192 };
  double fastest = 0;
  for (int round = 0; round < rounds; ++round) {
    /* Four dependence chains keep the multipliers half busy, so that load on the same core shows. */
    volatile double factor = 1.0000001;
    double a = factor, b = factor, c = factor, d = factor, by = factor;
    uint64_t begin = cameo_now();
    for (int step = 0; step < steps; ++step) {
      a *= by;
      b *= by;
      c *= by;
      d *= by;
    }
    double seconds = (double)(cameo_now() - begin) * 1e-9;
    factor = a + b + c + d;
    if (round == 0 || seconds < fastest)
      fastest = seconds;
  }
  return fastest;
}

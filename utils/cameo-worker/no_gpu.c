/* Static workers cannot open a driver: load_image finds no GPU code in them, and none of these functions is called. */
#include "candidate_state.h"
#include "machine.h"

#include <stdio.h>

const char *name_of_gpu(void) {
  fputs("cameo-worker: this worker cannot open the driver of a GPU\n", stderr);
  return "";
}

bool start_on_gpu(candidate *self) {
  return give_up(self, CANDIDATE_FAILED, "this worker cannot open the driver of a GPU");
}

bool run_on_gpu(candidate *self) { return start_on_gpu(self); }

double measure_on_gpu(candidate *self, uint64_t number) {
  (void)number;
  return start_on_gpu(self) ? 0 : -1;
}

/* What the programs of these tests share: they end at the first thing that does not hold, and call the driver that
 * takes the place of the GPU's. */
#include <cameo/gpu.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static inline void expect(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s: %s\n", what, cameo_gpu_error());
  exit(1);
}

static void *driver;

/* Returns a function of the driver, which the caller has opened as `driver`. */
static inline void *function(const char *name) {
  void *found = dlsym(driver, name);
  expect(found != NULL, name);
  return found;
}

#define _GNU_SOURCE
#include "load_image.h"

#include "autotune/Measure/PackageFormat.h"
#include "stream.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

const cameo_model_description *load_image(const char *bytes, size_t count, const cameo_gpu_model **gpu, char *reason,
                                          size_t size) {
  char path[64];
  int file = memfd_create("candidate", MFD_CLOEXEC);
  if (file < 0 || !write_all(file, bytes, count)) {
    snprintf(reason, size, "%s", strerror(errno));
    return NULL;
  }
  snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const cameo_model_description *found = library ? dlsym(library, CAMEO_CANDIDATE_SYMBOL) : NULL;
  *gpu = library ? dlsym(library, CAMEO_CANDIDATE_GPU_SYMBOL) : NULL;
  if (!found)
    snprintf(reason, size, "%s", library ? "expected the symbol " CAMEO_CANDIDATE_SYMBOL : dlerror());
  return found;
}

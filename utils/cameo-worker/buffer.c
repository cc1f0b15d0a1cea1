#define _GNU_SOURCE
#include "buffer.h"

#include "random_data.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t round_to_pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

/* Returns null if memory is exhausted. */
static char *map(size_t bytes, int flags, int file) {
  void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  return mapped == MAP_FAILED ? NULL : mapped;
}

bool reserve(buffer *self, size_t capacity) {
  if (capacity <= self->capacity)
    return true;
  size_t twice = 2 * self->capacity, size = self->size;
  size_t wanted = round_to_pages(capacity > twice ? capacity : twice);
  char *bytes = map(wanted, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (!bytes)
    return false;
  if (size)
    memcpy(bytes, self->bytes, size);
  release(self);
  *self = (buffer){bytes, size, wanted};
  return true;
}

bool reserve_random(buffer *self, size_t bytes, int32_t type) {
  release(self);
  size_t size = round_to_pages(bytes);
  if (size == 0)
    return true;
  int file = memfd_create("random", MFD_CLOEXEC);
  if (file < 0)
    return false;
  char *shared = ftruncate(file, (off_t)size) == 0 ? map(size, MAP_SHARED, file) : NULL;
  if (shared) {
    fill_random(shared, size, type);
    munmap(shared, size);
    char *own = map(size, MAP_PRIVATE, file);
    if (own)
      *self = (buffer){own, size, size};
  }
  close(file);
  return self->bytes != NULL;
}

void release(buffer *self) {
  if (self->bytes)
    munmap(self->bytes, self->capacity);
  *self = (buffer){0};
}

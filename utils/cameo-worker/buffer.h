/* Buffers of the worker, which its child processes can read. They have their own pages, which are returned to the
 * system on release. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_BUFFER_H
#define CAMEO_UTILS_CAMEO_WORKER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialised: empty. `bytes` is aligned to a page. */
typedef struct buffer {
  char *bytes;
  size_t size, capacity;
} buffer;

/* Grows the capacity to at least `capacity` bytes and keeps the contents. Returns false if memory is exhausted. */
bool reserve(buffer *self, size_t capacity);

/* Fills the buffer with at least `bytes` of random data of a type (fill_random()), in pages that fork() does not copy:
 * a child maps only the pages that it reads, and copies those that it writes. The old contents are lost. Returns false
 * and leaves the buffer empty if memory is exhausted. */
bool reserve_random(buffer *self, size_t bytes, int32_t type);

void release(buffer *self);

#endif

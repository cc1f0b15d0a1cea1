/* Memory of the worker that its children see: pages of its own, which go back to the system when they are released. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_BUFFER_H
#define CAMEO_UTILS_CAMEO_WORKER_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. `bytes` is aligned to a page. */
typedef struct buffer {
  char *bytes;
  size_t size, capacity;
} buffer;

/* Room for `capacity` bytes; what is in use stays. False when there is no memory. */
bool reserve(buffer *self, size_t capacity);

/* At least `bytes` of random data of a type (fill_random()), in pages that fork() does not copy: a child maps those
 * that it reads, and writes to copies of its own. What was in the buffer is lost. False when there is no memory: the
 * buffer is empty then. */
bool reserve_random(buffer *self, size_t bytes, int32_t type);

void release(buffer *self);

#endif

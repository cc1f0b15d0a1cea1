/* Complete reads and writes on pipes. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_STREAM_H
#define CAMEO_UTILS_CAMEO_WORKER_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/* Return false at the end of the stream or on an error. Signals are retried. */
bool read_all(int descriptor, void *bytes, size_t count);
bool write_all(int descriptor, const void *bytes, size_t count);

#endif

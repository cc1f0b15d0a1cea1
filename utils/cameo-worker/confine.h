/* What a candidate may ask the system for, where it is of somebody else's. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_CONFINE_H
#define CAMEO_UTILS_CAMEO_WORKER_CONFINE_H

#include <stdbool.h>

/* CAMEO_WORKER_CONFINES in the environment, as agents of a farm set it. */
bool confines_candidates(void);

/* From now on this process computes, and has memory, threads and clocks; `refuse` is called with a text when it asks
 * for a socket, a process or a file to write, and must not return. Without effect where the kernel has no filters, as
 * under an emulator. */
void confine_calls(void (*refuse)(const char *what));

#endif

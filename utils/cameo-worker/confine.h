/* Restricts the system calls of a candidate that comes from another user. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_CONFINE_H
#define CAMEO_UTILS_CAMEO_WORKER_CONFINE_H

#include <stdbool.h>

/* Returns whether CAMEO_WORKER_CONFINES is set in the environment, as agents of a farm do. */
bool confines_candidates(void);

/* From now on this process may only compute, allocate memory, and use threads and clocks. `refuse` is called with a
 * message when it tries to create a socket or a process, or to open a file for writing, and must not return. Has no
 * effect if the kernel does not support filters, as under an emulator. */
void confine_calls(void (*refuse)(const char *what));

#endif

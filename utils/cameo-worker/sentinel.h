/* A computation whose time only depends on how disturbed the machine is, and not on the candidate. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_SENTINEL_H
#define CAMEO_UTILS_CAMEO_WORKER_SENTINEL_H

/* Returns the current time of the sentinel in seconds, the fastest of three. It is a chain of multiplications, so its
 * time reflects the clock frequency of the processor and load on the same core. */
double time_sentinel(void);

#endif

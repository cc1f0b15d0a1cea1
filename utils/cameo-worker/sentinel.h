/* A computation that takes the same time on an undisturbed machine whatever the candidate. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_SENTINEL_H
#define CAMEO_UTILS_CAMEO_WORKER_SENTINEL_H

/* Seconds that the sentinel takes now: a chain of multiplications, so it follows the clock of the processor and a
 * neighbour on the same core. The fastest of three. */
double time_sentinel(void);

#endif

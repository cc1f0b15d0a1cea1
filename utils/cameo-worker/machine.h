/* What machine the worker is on. */
#ifndef CAMEO_WORKER_MACHINE_H
#define CAMEO_WORKER_MACHINE_H

#include "autotune/Measure/WorkerProtocol.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether this machine runs candidates for `target`; otherwise the reason is in `reason`, of `size` bytes with the 0 at its end. */
bool fits_machine(const cameo_worker_target *target, char *reason, size_t size);

/* Writes an object of JSON: machine, system, cpu, cpus, l2_bytes, l3_bytes, and governor and celsius where the system tells them. Cut off where `size`, at
 * least 1024, is not enough. */
void describe_machine(char *text, size_t size);

#endif

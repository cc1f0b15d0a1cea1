/* What machine the worker is on. */
#ifndef CAMEO_WORKER_MACHINE_H
#define CAMEO_WORKER_MACHINE_H

#include "autotune/Measure/PackageFormat.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether this machine runs candidates for `target`; otherwise the reason is in `reason`, of `size` bytes with the 0 at
 * its end. */
bool fits_machine(const cameo_package_target *target, char *reason, size_t size);

/* An object of JSON: machine, system, cpu, cpus, the bytes of three levels of caches, identity (a text that is the same
 * for machines whose costs compare), features, governor and mhz where the system tells them, and gpu where
 * CAMEO_WORKER_GPU in the environment is 1, as agents of a farm set it: identity names that, too. Asked for once. */
const char *describe_machine(void);

/* The name of the first GPU; empty where there is none, and standard error says why. */
const char *name_of_gpu(void);

/* In degrees Celsius; 0: the system does not tell. */
double temperature(void);

#endif

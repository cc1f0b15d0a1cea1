/* Describes the machine of the worker. */
#ifndef CAMEO_WORKER_MACHINE_H
#define CAMEO_WORKER_MACHINE_H

#include "autotune/Measure/PackageFormat.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns whether this machine supports candidates for `target`. If not, stores a message in `reason`, which has room
 * for `size` bytes including the terminating 0. */
bool fits_machine(const cameo_package_target *target, char *reason, size_t size);

/* Returns a JSON object: machine, system, cpu, cpus, the bytes of three levels of caches, identity (a string that is
 * equal for machines whose costs are comparable), features, governor and mhz if the system provides them, and gpu if
 * CAMEO_WORKER_GPU is 1 in the environment, as agents of a farm set it; identity then includes the GPU. Computed once.
 */
const char *describe_machine(void);

/* Returns the name of the first GPU. If there is none, returns "" and prints the reason on standard error. */
const char *name_of_gpu(void);

/* Returns the temperature in degrees Celsius, or 0 if the system does not provide it. */
double temperature(void);

#endif

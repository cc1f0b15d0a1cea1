/* Measures the items of a package. */
#ifndef CAMEO_WORKER_RUN_PACKAGE_H
#define CAMEO_WORKER_RUN_PACKAGE_H

#include "package.h"

/* Measures the items and writes each result to `file` when it is known. Returns null, or the reason why this machine
 * cannot measure the package; nothing was written then. If writing fails, the remaining items are not measured and
 * `*is_heard` is set to false. */
const char *run_package(const package *self, int file, bool *is_heard);

#endif

/* Measures what a package asks for. */
#ifndef CAMEO_WORKER_RUN_PACKAGE_H
#define CAMEO_WORKER_RUN_PACKAGE_H

#include "package.h"

/* Writes the results to `file`, one after the other as they come. Null, or why it cannot be measured: its target is
 * another machine, and nothing was written. What `file` does not take is not measured, either: `is_heard` is false
 * then. */
const char *run_package(const package *self, int file, bool *is_heard);

#endif

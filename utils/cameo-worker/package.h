/* A package in memory. Its numbers and offsets are validated, so readers need no further checks. */
#ifndef CAMEO_WORKER_PACKAGE_H
#define CAMEO_WORKER_PACKAGE_H

#include "autotune/Measure/PackageFormat.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct package {
  const cameo_package *header;
  const cameo_package_blob *blobs;
  const cameo_package_item *items;
} package;

typedef struct bytes {
  const char *begin; /* null: there is none */
  uint64_t count;
} bytes;

/* Returns null, or an error message about a header. */
const char *check_header(const cameo_package *header);
/* Opens a package at an address aligned to 8. Returns null or an error message. */
const char *open_package(package *self, const void *at, uint64_t count);
bytes blob_of(const package *self, uint32_t number);

/* Finds the package at the end of an open file, a bundle, or in a file that is a package. Stores its offset and size.
 * Returns false if there is none. */
bool find_package(int file, uint64_t *offset, uint64_t *count);

#endif

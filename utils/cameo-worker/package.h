/* A package in memory, whose numbers and places were looked at: who reads it may trust them. */
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

/* Null, or what is wrong with a header. */
const char *check_header(const cameo_package *header);
/* Opens a package that lies at a multiple of 8; null, or what is wrong with it. */
const char *open_package(package *self, const void *at, uint64_t count);
bytes blob_of(const package *self, uint32_t number);

/* Finds the package at the end of an open file, a bundle, or in a file that is a package. Its place and size; false if
 * there is none. */
bool find_package(int file, uint64_t *offset, uint64_t *count);

#endif

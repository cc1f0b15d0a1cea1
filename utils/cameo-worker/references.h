/* Outputs of naive paths, kept in files of memory for candidates that are compared with them later. */
#ifndef CAMEO_WORKER_REFERENCES_H
#define CAMEO_WORKER_REFERENCES_H

#include <stdint.h>

/* The file of a reference; -1: it is not kept, or not any more. */
int find_reference(uint64_t id);
/* Takes over an open file. The oldest ones make room for it. */
void keep_reference(uint64_t id, int file);

#endif

/* Keeps the outputs of naive paths in memory files, for later comparison with candidates. */
#ifndef CAMEO_WORKER_REFERENCES_H
#define CAMEO_WORKER_REFERENCES_H

#include <stdint.h>

/* Returns the file of a reference, or -1 if it is not kept (any more). */
int find_reference(uint64_t id);
/* Takes ownership of an open file. The oldest references are dropped to make room. */
void keep_reference(uint64_t id, int file);

#endif

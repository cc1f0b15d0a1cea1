/* The functions that candidates may call: they are not linked with libraries, and the worker resolves their symbols
 * here. */
#ifndef CAMEO_WORKER_FUNCTIONS_H
#define CAMEO_WORKER_FUNCTIONS_H

/* Returns the address of a function or constant, or null. */
void *find_function(const char *name);

#endif

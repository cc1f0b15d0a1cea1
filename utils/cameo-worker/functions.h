/* What candidates may call: they are linked with nothing, and find it here. */
#ifndef CAMEO_WORKER_FUNCTIONS_H
#define CAMEO_WORKER_FUNCTIONS_H

/* Null: there is no such function or constant. */
void *find_function(const char *name);

#endif

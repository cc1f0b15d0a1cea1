// What cameo-opt does, for the tests' program server, too.
#ifndef CAMEO_UTILS_CAMEOOPT_OPTIMIZER_H
#define CAMEO_UTILS_CAMEOOPT_OPTIMIZER_H

namespace cameo {

/// All that the program does with its command line; the process's exit status. Once in a process.
int runOptimizer(int argc, char **argv);

} // namespace cameo

#endif

// mlir-opt with the dialects and passes of this compiler: any phase from text to text.
#include "utils/cameo-opt/Optimizer.h"

int main(int argc, char **argv) { return cameo::runOptimizer(argc, argv); }

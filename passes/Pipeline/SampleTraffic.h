// Estimates how many samples should run together, from what leaves the caches.
#ifndef CAMEO_PASSES_PIPELINE_SAMPLETRAFFIC_H
#define CAMEO_PASSES_PIPELINE_SAMPLETRAFFIC_H

#include "dialects/Target/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo {

/// Returns the divisor of `count`, the number of samples in the first dimensions of @main, at which all samples take
/// the least time: with more samples at once activations come from memory, with fewer ones weights are read more often.
int64_t chooseSamples(mlir::func::FuncOp main, int64_t count, const Machine &machine);

} // namespace cameo

#endif

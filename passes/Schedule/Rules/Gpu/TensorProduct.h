// Which nests the matrix units of GPUs multiply.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

/// The contraction that `nest`, of known sizes, is, if it adds up in f32 products of two numbers of f16, or of two of
/// bf16, and `gpu` has a matrix unit for these. Both operands move along all of its depth.
std::optional<Contraction> findTensorProduct(const LoopNest &nest, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif

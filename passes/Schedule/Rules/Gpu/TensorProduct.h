// Which nests the matrix units of GPUs multiply, and by which instructions.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

struct TensorProduct {
  Contraction contraction;
  TensorShape shape; ///< of the instruction
};

/// What the matrix unit of `gpu` multiplies in `nest`, of known sizes: a contraction that adds up in i32 products of
/// two bytes, of any signs, or in f32 products of two numbers of f16, or of two of bf16, or of two of f32 where the
/// math of `gpu` is not that of f32. Both operands move along all of its depth.
std::optional<TensorProduct> findTensorProduct(const LoopNest &nest, const GpuMachine &gpu);

/// Whether a warp can read both operands of `nest`, whose constants have the addresses that packing gives them: bytes
/// have to be neighbours along the depth.
bool canReadOperands(const LoopNest &nest, const TensorProduct &product);

/// How many instructions of that kind one product of numbers takes.
int64_t productsOf(TensorKind kind);

} // namespace cameo::schedule

#endif

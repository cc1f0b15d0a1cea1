// Recognises nests that tensor cores can multiply, and chooses their instruction.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORPRODUCT_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// The most steps between fetches of a product without a window. Their products are unrolled.
inline constexpr int64_t mostTensorSteps = 128;

struct TensorProduct {
  Contraction contraction;
  TensorShape shape; ///< of the instruction
};

/// Returns the product that tensor cores of `gpu` can compute for `nest`: a contraction of known sizes that accumulates
/// i32 products of two bytes of any sign, or f32 products of two f16, two bf16, or two f32 elements unless `gpu`
/// requires f32 arithmetic. Both operands must vary along the whole depth.
std::optional<TensorProduct> findTensorProduct(const LoopNest &nest, const GpuMachine &gpu);

/// Whether a warp can load both operands of `nest`, whose constants have packed addresses: bytes must be contiguous
/// along the depth.
bool canReadOperands(const LoopNest &nest, const TensorProduct &product);

/// Whether tiles may have any number of points along `dims`, the rows or columns of `nest`, where their warps have
/// whole instructions: there is one dimension, and steps of `operand` lie side by side in shared memory.
bool canHaveUnevenPoints(const LoopNest &nest, llvm::ArrayRef<unsigned> dims, NodeId operand);

/// Returns the instruction by which four warps of `gpu` can compute `product` together (`wgmma`), with the fewest
/// columns. Other architectures lack it, newer ones too.
std::optional<TensorShape> groupShapeOf(const TensorProduct &product, const GpuMachine &gpu);

/// Returns the number of instructions of that kind per product of elements.
int64_t productsOf(TensorKind kind);

} // namespace cameo::schedule

#endif

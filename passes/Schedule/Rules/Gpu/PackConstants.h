// Packs the weights of products in the order in which the threads of a block fetch them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H

#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Rules/Operands/PackOperands.h"

namespace cameo::schedule {

/// Returns why `buffer`, which `nest` reads, cannot be packed; empty if it can. Requires that a single load inside of
/// the reduction reads all of a constant, each element at one point.
std::string findPackingFault(const TaskProgram &program, const LoopNest &nest, unsigned buffer);

/// The innermost dimension of a packed constant: points of a block, or steps of its depth.
enum class PackedOrder { PointsInner, DepthInner };

/// Returns the order for tensor cores whose tiles of `nest` have even points or not (`BlockTile::hasEvenPoints`):
/// DepthInner where they have not, and for operands that no instruction transposes while loading, which are all types
/// except 16-bit ones.
PackedOrder packedOrderFor(const LoopNest &nest, const Contraction &contraction, bool evenPoints);

/// Returns the order for a schedule of `nest`.
PackedOrder packedOrderOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Returns `nest` with the packed addresses of all loads inside of reductions that `packConstants` would pack. Points
/// are in the order of the nest; steps as well, or with the dimension innermost along which the left operand has its
/// nearest neighbours.
LoopNest packLoads(const TaskProgram &program, const LoopNest &nest, PackedOrder order);

/// Returns `nest` with the packed addresses for the given buffers.
LoopNest packLoads(const LoopNest &nest, llvm::ArrayRef<unsigned> packedBuffers, PackedOrder order);

/// Makes `chosen`, a schedule of `nest`, pack the constants that are read from shared memory if they are not contiguous
/// along the innermost dimension of the packed order.
void packConstants(const TaskProgram &program, const LoopNest &nest, ThreadSchedule &chosen);

/// Rewrites the loads that `schedules` (one per nest) pack to their packed addresses, and returns the new layouts by
/// argument number.
std::map<unsigned, ConstantPacking> layOutConstants(TaskProgram &program, llvm::ArrayRef<NestSchedule> schedules,
                                                    llvm::ArrayRef<GpuSchedule> gpuSchedules);

} // namespace cameo::schedule

#endif

// Weights of products in the order in which the threads of a block fetch them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Rules/PackOperands.h"

namespace cameo::schedule {

/// What keeps `buffer`, of which `nest` reads, from being packed; empty when nothing does. One load inside of the
/// reduction reads all of a constant, each element at one place.
std::string findPackingFault(const TaskProgram &program, const LoopNest &nest, unsigned buffer);

/// What becomes innermost in a packed constant: points of a block, or steps of its depth.
enum class PackedOrder { PointsInner, DepthInner };

/// The one that a schedule of `nest` takes: steps where the matrix unit multiplies numbers that no instruction turns
/// around as it reads them, which are all but those of 16 bits.
PackedOrder packedOrderOf(const LoopNest &nest, const GpuSchedule &gpu);

/// `nest`, whose loads have the addresses that packing gives them wherever `packConstants` packs what its reductions
/// read: points in the order of the nest; steps in its order, too, or innermost those along which the left operand has
/// its nearest neighbours.
LoopNest packLoads(const TaskProgram &program, const LoopNest &nest, PackedOrder order);

/// The same where a schedule packs these buffers.
LoopNest packLoads(const LoopNest &nest, llvm::ArrayRef<unsigned> packedBuffers, PackedOrder order);

/// Has `chosen`, which is for `nest`, pack the constants that it reads from shared memory, where neighbours among what
/// becomes innermost do not lie side by side.
void packConstants(const TaskProgram &program, const LoopNest &nest, ThreadSchedule &chosen);

/// Gives the loads of what `schedules`, one per nest, pack their addresses in the new layout, and that layout by number
/// of the argument.
std::map<unsigned, ConstantPacking> layOutConstants(TaskProgram &program, llvm::ArrayRef<NestSchedule> schedules,
                                                    llvm::ArrayRef<GpuSchedule> gpuSchedules);

} // namespace cameo::schedule

#endif

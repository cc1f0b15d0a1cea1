// Weights of products in the order in which the threads of a block fetch them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_PACKCONSTANTS_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Rules/PackOperands.h"

namespace cameo::schedule {

/// What keeps `buffer`, of which `nest` reads, from being packed; empty when nothing does. One load inside of the
/// reduction reads all of a constant, each element at one place.
std::string findPackingFault(const TaskProgram &program, const LoopNest &nest, unsigned buffer);

/// `nest`, whose loads have the addresses that packing gives them wherever `packConstants` packs what its reductions
/// read: reductions outermost, points innermost, each in the order of the nest.
LoopNest packLoads(const TaskProgram &program, const LoopNest &nest);

/// The same where a schedule packs these buffers.
LoopNest packLoads(const LoopNest &nest, llvm::ArrayRef<unsigned> packedBuffers);

/// Has `chosen`, which is for `nest`, pack the constants that it reads from shared memory, where neighbours among the
/// points of a block do not lie side by side.
void packConstants(const TaskProgram &program, const LoopNest &nest, ThreadSchedule &chosen);

/// Gives the loads of what `schedules`, one per nest, pack their addresses in the new layout, and that layout by number
/// of the argument.
std::map<unsigned, Relayout> layOutConstants(TaskProgram &program, llvm::ArrayRef<NestSchedule> schedules);

} // namespace cameo::schedule

#endif

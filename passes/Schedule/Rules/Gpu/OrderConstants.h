// Constants of products in the order in which the matrix unit of a GPU wants them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_ORDERCONSTANTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_ORDERCONSTANTS_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/PackOperands.h"

namespace cameo::schedule {

/// Lays constant operands of products of halves out anew where few of their elements lie side by side along one
/// dimension, as in the filters of a convolution: their points first, then the depth, neighbours of the other operand
/// side by side. Gives the layouts by argument; a constant that is in order already, or read elsewhere, stays.
std::map<unsigned, Relayout> orderConstants(TaskProgram &program, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif

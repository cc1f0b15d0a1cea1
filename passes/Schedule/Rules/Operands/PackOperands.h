// Packs operands of scheduled nests in the order in which their loops read them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_PACKOPERANDS_H
#define CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_PACKOPERANDS_H

#include "passes/Schedule/Rules/NestSchedule.h"

#include <map>

namespace cameo::schedule {

/// The packed layout of one constant argument: see #task.packing.
struct ConstantPacking {
  int64_t elements = 0;
  llvm::SmallVector<int64_t> nests;

  /// Adds a strided copy from element `source` to element `target`.
  void add(int64_t target, int64_t source, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> targetStrides,
           llvm::ArrayRef<int64_t> sourceStrides, llvm::ArrayRef<DimensionTransform> transforms = {});
};

/// Packs the operands that `schedules` (one per nest, in order) request. Returns the layouts of constant arguments by
/// argument number; their loads are rewritten. Other operands are copied by new nests before the group that reads them,
/// with schedules from `scheduleCopy`.
std::map<unsigned, ConstantPacking> packOperands(TaskProgram &program, std::vector<NestSchedule> &schedules,
                                                 llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy);

} // namespace cameo::schedule

#endif

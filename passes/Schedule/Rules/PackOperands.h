// Lays operands of scheduled nests out in the order their loops read them.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_PACKOPERANDS_H
#define CAMEO_PASSES_SCHEDULE_RULES_PACKOPERANDS_H

#include "passes/Schedule/Rules/NestSchedule.h"

#include <map>

namespace cameo::schedule {

/// The new layout of one constant argument: see #task.packing.
struct ConstantPacking {
  int64_t elements = 0;
  llvm::SmallVector<int64_t> nests;

  /// Adds a strided copy from element `source` on to element `target`.
  void add(int64_t target, int64_t source, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> targetStrides,
           llvm::ArrayRef<int64_t> sourceStrides, llvm::ArrayRef<DimensionTransform> transforms = {});
};

/// Packs what `schedules` (one per nest, in order) ask for. Loads of constant arguments read the layout that the result
/// gives for their argument number; other operands are copied by nests that are inserted, with schedules of their own
/// from `scheduleCopy`, before the group that reads them.
std::map<unsigned, ConstantPacking> packOperands(TaskProgram &program, std::vector<NestSchedule> &schedules,
                                                 llvm::function_ref<NestSchedule(const LoopNest &)> scheduleCopy);

} // namespace cameo::schedule

#endif

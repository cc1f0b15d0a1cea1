// Products of matrices in the task dialect, apart from TaskDialect.h because only GPU kernels use them.
#ifndef CAMEO_DIALECTS_TASK_TASKMATRIXOPS_H
#define CAMEO_DIALECTS_TASK_TASKMATRIXOPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskMatrixOps.h.inc"

namespace cameo::task {

/// A matrix of task.multiply_group: how it lies in shared memory, in bytes.
struct GroupMatrix {
  int64_t offset, row, stride, leading;
  bool isTurned; ///< whether rows lie along the points

  llvm::SmallVector<int64_t> numbers() const { return {offset, row, stride, leading, isTurned}; }
  static GroupMatrix of(llvm::ArrayRef<int64_t> numbers) {
    return {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4] != 0};
  }
};

} // namespace cameo::task

#endif

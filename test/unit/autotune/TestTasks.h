// Tasks of all kinds for tests of searches, small enough to be emitted hundreds of times.
#ifndef CAMEO_TEST_UNIT_AUTOTUNE_TESTTASKS_H
#define CAMEO_TEST_UNIT_AUTOTUNE_TESTTASKS_H

#include "autotune/Search/SearchTask.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace cameo::autotune {

/// Owns the IR of the tasks.
class TestTasks {
public:
  TestTasks();

  /// "conv3x3", the same for a processor with 16 registers of 32 bytes ("conv3x3_avx2"), "conv7x7", "conv1x1",
  /// "depthwise", "matmul", "matmul512", "gemv", "pooling", "softmax", "elementwise", "sum", "transpose", "walk",
  /// "shared_row", "mixed_rows"; "running_sum", which has few schedules and is not among names(). Arguments after the
  /// first are constants.
  SearchTask get(llvm::StringRef name) const;
  static llvm::ArrayRef<const char *> names();

  mlir::MLIRContext &getContext() { return context; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace cameo::autotune

#endif

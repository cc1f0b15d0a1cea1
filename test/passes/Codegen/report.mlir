// The call of the profiler's hook is behind a function of its own: `run` has one copy of every step, whether there is a hook or not.
// RUN: cameo compile %source/test/utils/cameo/Inputs/two_matmuls.onnxtxt --emit=llvm | FileCheck %s

// CHECK-LABEL: define {{.*}} @two_matmuls_run_buffers(
// CHECK-COUNT-4: call void @two_matmuls.report(
// CHECK-NOT:   call void @two_matmuls.report(
// CHECK-LABEL: define internal void @two_matmuls.report(
// CHECK:       call void %

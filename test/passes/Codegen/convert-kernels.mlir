// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --convert-kernels | FileCheck %s

// Buffers become plain pointers that keep their attributes; kernels are visible in the object only.
// CHECK: llvm.func internal @dense.k0(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.load
// CHECK: llvm.mlir.global private constant @dense.floor({{.*}}) {{.*}}alignment = 64 : i64
// CHECK: llvm.func internal @double.k0
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<3xf32>

// The plan is gone, and nothing is left between dialects.
// CHECK-NOT: task.
// CHECK-NOT: func.func
// CHECK-NOT: unrealized_conversion_cast

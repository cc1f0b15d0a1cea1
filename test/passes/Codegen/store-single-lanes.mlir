// RUN: cameo-opt %s --plan-buffers --emit-object="form=llvm triple=x86_64-linux-gnu cpu=x86-64-v4 prefix=net" -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --plan-buffers --emit-object="form=assembly triple=x86_64-linux-gnu cpu=x86-64-v4 prefix=net" -o /dev/null | FileCheck %s --check-prefix=ASM

func.func @main(%x: tensor<64xi64> {onnx.name = "x"}) -> (tensor<64xi32> {onnx.name = "y"}) {
  %a = task.call @narrow(%x) : (tensor<64xi64>) -> tensor<64xi32>
  return %a : tensor<64xi32>
}

task.def @narrow(%x: memref<64xi64>, %y: memref<64xi32>) attributes {key = "narrow", flops = 0.0 : f64, bytes = 768.0 : f64} {
  task.dispatch @first_lane.k0(%x, %y) extent 1 : memref<64xi64>, memref<64xi32>
  task.dispatch @inner_lane.k0(%x, %y) extent 1 : memref<64xi64>, memref<64xi32>
  task.dispatch @computed_mask.k0(%x, %y) extent 1 : memref<64xi64>, memref<64xi32>
  task.dispatch @two_lanes.k0(%x, %y) extent 1 : memref<64xi64>, memref<64xi32>
  task.dispatch @run_decides.k0(%x, %y) extent 1 : memref<64xi64>, memref<64xi32>
  task.return
}

// The lane is stored by itself, in four bytes.
// CHECK-LABEL: define internal void @first_lane.k0(
// CHECK-NOT: masked.store
// CHECK: [[LANE:%.*]] = extractelement <8 x i32> {{.*}}, i64 0
// CHECK: store i32 [[LANE]], ptr {{.*}}, align 4
// CHECK-NOT: masked.store
// CHECK: ret void
// ASM-LABEL: first_lane.k0:
// ASM-NOT: {{vmovlps|vmovq|vmovups}} %xmm{{[0-9]+}}, {{[0-9]*}}(%r
// ASM: {{movl|vmovd|vmovss}} %{{.*}}, {{[0-9]*}}(%r
// ASM: retq
func.func private @first_lane.k0(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %mask = vector.constant_mask [1] : vector<8xi1>
  %wide = vector.load %x[%c0] : memref<64xi64>, vector<8xi64>
  %narrow = arith.trunci %wide : vector<8xi64> to vector<8xi32>
  vector.maskedstore %y[%c0], %mask, %narrow : memref<64xi32>, vector<8xi1>, vector<8xi32>
  return
}

// CHECK-LABEL: define internal void @inner_lane.k0(
// CHECK-NOT: masked.store
// CHECK: [[LANE:%.*]] = extractelement <8 x i32> {{.*}}, i64 3
// CHECK: [[TO:%.*]] = getelementptr {{.*}}i8, ptr {{.*}}, i64 12
// CHECK: store i32 [[LANE]], ptr [[TO]], align 4
// CHECK: ret void
func.func private @inner_lane.k0(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %mask = arith.constant dense<[false, false, false, true, false, false, false, false]> : vector<8xi1>
  %wide = vector.load %x[%c0] : memref<64xi64>, vector<8xi64>
  %narrow = arith.trunci %wide : vector<8xi64> to vector<8xi32>
  vector.maskedstore %y[%c0], %mask, %narrow : memref<64xi32>, vector<8xi1>, vector<8xi32>
  return
}

// LLVM finds out that the length is one.
// CHECK-LABEL: define internal void @computed_mask.k0(
// CHECK-NOT: masked.store
// CHECK: store i32
// CHECK: ret void
func.func private @computed_mask.k0(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %length = arith.subi %c9, %c8 : index
  %mask = vector.create_mask %length : vector<8xi1>
  %wide = vector.load %x[%c0] : memref<64xi64>, vector<8xi64>
  %narrow = arith.trunci %wide : vector<8xi64> to vector<8xi32>
  vector.maskedstore %y[%c0], %mask, %narrow : memref<64xi32>, vector<8xi1>, vector<8xi32>
  return
}

// CHECK-LABEL: define internal void @two_lanes.k0(
// CHECK: call void @llvm.masked.store
// CHECK: ret void
// ASM-LABEL: two_lanes.k0:
// ASM: vpmovqd %zmm{{[0-9]+}}, {{.*}} {%k1}
func.func private @two_lanes.k0(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %mask = vector.constant_mask [2] : vector<8xi1>
  %wide = vector.load %x[%c0] : memref<64xi64>, vector<8xi64>
  %narrow = arith.trunci %wide : vector<8xi64> to vector<8xi32>
  vector.maskedstore %y[%c0], %mask, %narrow : memref<64xi32>, vector<8xi1>, vector<8xi32>
  return
}

// CHECK-LABEL: define internal void @run_decides.k0(
// CHECK: call void @llvm.masked.store
// CHECK: ret void
func.func private @run_decides.k0(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xi32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %end : vector<8xi1>
  %wide = vector.load %x[%c0] : memref<64xi64>, vector<8xi64>
  %narrow = arith.trunci %wide : vector<8xi64> to vector<8xi32>
  vector.maskedstore %y[%c0], %mask, %narrow : memref<64xi32>, vector<8xi1>, vector<8xi32>
  return
}

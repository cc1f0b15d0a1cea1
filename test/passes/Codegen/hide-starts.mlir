// RUN: cameo-opt %s --plan-buffers --emit-object="form=llvm triple=x86_64-linux-gnu cpu=x86-64-v4 prefix=net" -o /dev/null | FileCheck %s

func.func @main(%x: tensor<1024xf32> {onnx.name = "x"}) -> (tensor<1024xf32> {onnx.name = "y"}) {
  %y = task.call @twice(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}

task.def @twice(%x: memref<1024xf32>, %y: memref<1024xf32>) attributes {key = "twice", flops = 0.0 : f64, bytes = 8192.0 : f64} {
  task.dispatch @inner_loop.k0(%x, %y) extent 8 : memref<1024xf32>, memref<1024xf32>
  task.return
}

// What the outer loops add is one register of the inner one; addresses that differ by a constant share it.
// CHECK-LABEL: define internal void @inner_loop.k0(
// CHECK: [[FROM:%.*]] = call ptr @llvm.strip.invariant.group.p0(ptr
// CHECK: [[TO:%.*]] = call ptr @llvm.strip.invariant.group.p0(ptr
// CHECK: [[I:%.*]] = phi i64 [ 0,
// CHECK: [[ADDED:%.*]] = mul i64 [[I]], 128
// CHECK: [[A:%.*]] = getelementptr i8, ptr [[FROM]], i64 [[ADDED]]
// CHECK: load float, ptr [[A]]
// CHECK: [[NEXT:%.*]] = getelementptr i8, ptr [[A]], i64 64
// CHECK: load float, ptr [[NEXT]]
// CHECK: getelementptr i8, ptr [[TO]], i64
// CHECK-NOT: strip.invariant.group
// CHECK: ret void
func.func private @inner_loop.k0(%x: memref<1024xf32> {llvm.noalias}, %y: memref<1024xf32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  scf.for %block = %begin to %end step %c1 {
    scf.for %column = %c0 to %c16 step %c1 {
      scf.for %pair = %c0 to %c4 step %c1 {
        %around = arith.muli %block, %c128 : index
        %inside = arith.muli %pair, %c32 : index
        %pairs = arith.addi %around, %inside : index
        %at = arith.addi %pairs, %column : index
        %next = arith.addi %at, %c16 : index
        %a = memref.load %x[%at] : memref<1024xf32>
        %b = memref.load %x[%next] : memref<1024xf32>
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %y[%at] : memref<1024xf32>
      }
    }
  }
  return
}

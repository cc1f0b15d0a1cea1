// RUN: cameo-opt %s --plan-buffers --emit-object="form=assembly triple=x86_64-linux-gnu cpu=x86-64-v3 prefix=net" -o /dev/null | FileCheck %s --implicit-check-not=__truncsfbf2
// RUN: cameo-opt %s --plan-buffers --emit-object="form=assembly triple=x86_64-linux-gnu cpu=sapphirerapids prefix=net" -o /dev/null | FileCheck %s --check-prefix=NATIVE
// RUN: cameo-opt %s --plan-buffers --emit-object="form=assembly triple=aarch64-linux-gnu cpu=cortex-a72 prefix=net" -o /dev/null | FileCheck %s --check-prefix=ARM --implicit-check-not=__truncsfbf2

// No library of GCC 12 rounds to bf16.
// CHECK: shrl $16
// NATIVE: vcvtneps2bf16
// ARM: net_run
func.func @main(%x: tensor<4xf32> {onnx.name = "x"}) -> (tensor<4xbf16> {onnx.name = "y"}) {
  %y = task.call @round(%x) : (tensor<4xf32>) -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}

task.def @round(%x: memref<4xf32>, %y: memref<4xbf16>) attributes {key = "b16", flops = 0.0 : f64, bytes = 24.0 : f64} {
  task.dispatch @round.k0(%x, %y) extent 4 : memref<4xf32>, memref<4xbf16>
  task.return
}
func.func private @round.k0(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xbf16> {llvm.noalias}, %begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = arith.truncf %a : f32 to bf16
    memref.store %b, %y[%i] : memref<4xbf16>
  }
  return
}

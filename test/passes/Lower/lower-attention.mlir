// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// The state is decayed, corrected and read in a loop over the tokens.
// CHECK-LABEL: task.def @linear_attention
// CHECK: scf.for {{.*}} iter_args
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: tensor.insert_slice
task.def @linear_attention(%q: tensor<1x5x16xf32>, %k: tensor<1x5x8xf32>, %v: tensor<1x5x6xf32>, %d: tensor<1x5x2xf32>, %b: tensor<1x5x1xf32>)
    -> (tensor<1x5x12xf32>, tensor<1x2x4x3xf32>) {
  %none = onnx.None
  %0:2 = onnx.LinearAttention %q, %k, %v, %none, %d, %b {kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
      : (tensor<1x5x16xf32>, tensor<1x5x8xf32>, tensor<1x5x6xf32>, none, tensor<1x5x2xf32>, tensor<1x5x1xf32>) -> (tensor<1x5x12xf32>, tensor<1x2x4x3xf32>)
  task.return %0#0, %0#1 : tensor<1x5x12xf32>, tensor<1x2x4x3xf32>
}

// Each element of the cache reads the update or itself: nothing is written twice.
// CHECK-LABEL: task.def @tensor_scatter
// CHECK-NOT: scf.for
// CHECK: linalg.generic
// CHECK: arith.remsi
// CHECK: tensor.extract %arg1
// CHECK: arith.select
task.def @tensor_scatter(%c: tensor<2x4x5xf32>, %u: tensor<2x2x5xf32>, %w: tensor<2xi64>) -> tensor<2x4x5xf32> {
  %0 = onnx.TensorScatter %c, %u, %w {mode = "circular"} : (tensor<2x4x5xf32>, tensor<2x2x5xf32>, tensor<2xi64>) -> tensor<2x4x5xf32>
  task.return %0 : tensor<2x4x5xf32>
}

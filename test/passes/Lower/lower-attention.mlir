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

// A channel over its past, where it is known only at run time how many channels there are.
// CHECK-LABEL: task.def @causal_convolution
// CHECK: %[[PAST:.*]] = tensor.insert_slice %arg2 into
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %arg0 into %[[PAST]][0, 0, 3]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[WHOLE]], %arg1
// CHECK: tensor.extract_slice %[[WHOLE]][0, 0, 6]
task.def @causal_convolution(%x: tensor<1x?x6xf32, #onnx.dims<["", "c", ""]>>, %w: tensor<?x1x4xf32, #onnx.dims<["c", "", ""]>>, %p: tensor<1x?x3xf32, #onnx.dims<["", "c", ""]>>)
    -> (tensor<1x?x6xf32, #onnx.dims<["", "c", ""]>>, tensor<1x?x3xf32, #onnx.dims<["", "c", ""]>>) {
  %none = onnx.None
  %0:2 = onnx.CausalConvWithState %x, %w, %none, %p
      : (tensor<1x?x6xf32, #onnx.dims<["", "c", ""]>>, tensor<?x1x4xf32, #onnx.dims<["c", "", ""]>>, none, tensor<1x?x3xf32, #onnx.dims<["", "c", ""]>>)
      -> (tensor<1x?x6xf32, #onnx.dims<["", "c", ""]>>, tensor<1x?x3xf32, #onnx.dims<["", "c", ""]>>)
  task.return %0#0, %0#1 : tensor<1x?x6xf32, #onnx.dims<["", "c", ""]>>, tensor<1x?x3xf32, #onnx.dims<["", "c", ""]>>
}

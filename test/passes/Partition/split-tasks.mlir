// RUN: cameo-opt %s --split-tasks --split-input-file | FileCheck %s
// RUN: cameo-opt %s --split-tasks --deduplicate-tasks --split-input-file | FileCheck %s --check-prefix=MERGED

// The product's bias goes with it, the number of the second part with that. The other part exists already.
// CHECK-LABEL: func.func @divides_behind_a_sum
//       CHECK:   %[[SUM:.*]] = task.call @mat_mul_add_0(%arg0, %arg1, %arg2) : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
//       CHECK:   %[[Y:.*]] = task.call @mul_erf_mul_0(%[[SUM]]) : (tensor<4x6xf32>) -> tensor<4x6xf32>
//       CHECK:   task.call @mul_erf_mul_1(%[[Y]])
//       CHECK: task.def @mat_mul_add_0(
//  CHECK-SAME:   attributes {bytes = 4.400000e+02{{.*}}, flops = 4.080000e+02{{.*}}}
//       CHECK:   onnx.MatMul
//  CHECK-NEXT:   onnx.Add
//  CHECK-NEXT:   task.return
//       CHECK: task.def @mul_erf_mul_0(
//       CHECK:   onnx.Constant
//       CHECK:   onnx.Mul
//  MERGED-LABEL: func.func @divides_behind_a_sum
//        MERGED:   task.call @mat_mul_add_0(
//        MERGED:   task.call @mul_erf_mul_0(
//        MERGED:   task.call @mul_erf_mul_0(
//        MERGED: task.def @mul_erf_mul_0
//   MERGED-SAME:   weight = 2
//    MERGED-NOT: task.def
func.func @divides_behind_a_sum(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %0 = task.call @mat_mul_add_mul_erf_0(%x, %w, %b) : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %1 = task.call @mul_erf_mul_1(%0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
task.def @mat_mul_add_mul_erf_0(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> attributes {split = 1 : i64} {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = onnx.Add %0, %b : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %c = onnx.Constant {value = dense<0.7> : tensor<f32>} : tensor<f32>
  %2 = onnx.Mul %1, %c : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %3 = onnx.Erf %2 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = onnx.Mul %1, %3 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  task.return %4 : tensor<4x6xf32>
}
task.def @mul_erf_mul_1(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %c = onnx.Constant {value = dense<0.7> : tensor<f32>} : tensor<f32>
  %0 = onnx.Mul %x, %c : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = onnx.Erf %0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = onnx.Mul %x, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  task.return %2 : tensor<4x6xf32>
}

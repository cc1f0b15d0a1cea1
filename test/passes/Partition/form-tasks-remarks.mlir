// RUN: cameo-opt %s --form-tasks --remarks-filter=form-tasks --remark-format=emitRemark --verify-diagnostics

// What keeps operations apart.
func.func @used_twice(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  // expected-remark@+1 {{Remark="starts a new task: its operand has other uses"}}
  %1 = onnx.Relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

func.func @other_shape(%x: tensor<1x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Exp %x : (tensor<1x8xf32>) -> tensor<1x8xf32>
  // expected-remark@+1 {{Remark="starts a new task: its shape differs from that of the task before"}}
  %1 = onnx.Add %0, %z : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

func.func @closed(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // expected-remark@+1 {{Remark="starts a new task: the task before takes no more operations"}}
  %1 = onnx.Softmax %0 {axis = 1 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Nothing is said where everything joins.
func.func @joins(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

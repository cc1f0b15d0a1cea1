// RUN: cameo-opt %s --lower-to-linalg -verify-diagnostics -split-input-file

task.def @large_determinant(%x: tensor<5x5xf32>) -> tensor<f32> {
  // expected-error @below {{lowering of onnx.Det with matrices larger than 4x4 is not supported}}
  %0 = onnx.Det %x : (tensor<5x5xf32>) -> tensor<f32>
  task.return %0 : tensor<f32>
}

// -----

task.def @dynamic_shape(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{lowering of onnx.Relu with a tensor whose shape is not static is not supported}}
  %0 = onnx.Relu %x : (tensor<?xf32>) -> tensor<?xf32>
  task.return %0 : tensor<?xf32>
}

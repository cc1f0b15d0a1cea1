// The distribution's mlir-opt knows our dialects, our passes, and its own passes, in one process.
// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(func.func(simplify-graph),form-tasks,canonicalize)' %s | FileCheck %s
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(no-such-pass)' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: task.def
// CHECK: onnx.Add
// UNKNOWN: 'no-such-pass' does not refer to a registered pass
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %sum = onnx.Add %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = onnx.Relu %sum : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

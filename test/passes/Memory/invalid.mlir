// RUN: cameo-opt %s --plan-buffers --split-input-file --verify-diagnostics

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = task.call @tensor_form(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{expected a task in buffer form}}
task.def @tensor_form(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected only constants, task calls, loops, choices, updates, views, joins and prefixes in @main}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{expected a tensor of numbers whose dimensions have sizes or names, got 'tensor<?xf32>'}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @main() -> tensor<2xcomplex<f32>> {
  // expected-error @below {{expected a tensor of numbers whose dimensions have sizes or names, got 'tensor<2xcomplex<f32>>'}}
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @part(%x) : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error @below {{expected parts that are results of tasks, used only by joins, and at one offset}}
  %1 = task.join %0, %x offsets [0, 8] : tensor<16xf32>
  return %1 : tensor<16xf32>
}
func.func private @part.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @part(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @part.k0(%x, %y) extent 4 : memref<16xf32>, memref<16xf32>
  task.return
}

// Weights of products are packed for the threads of a block, which fetch neighbours among its points together.
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

#image = affine_map<(y, x, f, c, i, j) -> (y + i, x + j, c)>
#filter = affine_map<(y, x, f, c, i, j) -> (f, c, i, j)>
#plane = affine_map<(y, x, f, c, i, j) -> (y, x, f)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a">} {

func.func @main(%x: tensor<30x30x64xf32>, %v: tensor<128x64x3x3xf32>) -> (tensor<28x28x128xf32>, tensor<28x28x128xf32>) {
  %w = arith.constant dense_resource<weights> : tensor<128x64x3x3xf32>
  %y = task.call @constant(%x, %w) : (tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32>
  %z = task.call @computed(%x, %v) : (tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32>
  return %y, %z : tensor<28x28x128xf32>, tensor<28x28x128xf32>
}

// Filters outermost become filters innermost, behind channels and places of the window.
// STEPS-LABEL: task.def @constant
//  STEPS-SAME:   #schedule.pack<nest = 0, buffer = 1>
// LOOPS-LABEL: task.def @constant
//  LOOPS-SAME:   description = "{{.*}}packed
//       LOOPS:   loop.buffer argument 1 packable {task.packing = #task.packing<elements = 73728, nests = {{\[\[}}0, 0, [64, 3, 3, 128], [1152, 384, 128, 1], [9, 3, 1, 576]]]>} : memref<73728xf32>
// KERNEL-LABEL: func.func private @constant.k0(
//       KERNEL:   vector.load %arg1{{.*}} {alignment = 16 : i64} : memref<73728xf32>, vector<4xf32>
// KERNEL-LABEL: task.def @constant(
//  KERNEL-SAME:   memref<73728xf32> {task.packing = #task.packing<elements = 73728
task.def @constant(%x: tensor<30x30x64xf32>, %w: tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x128xf32>) -> tensor<28x28x128xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #plane],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) outs(%init : tensor<28x28x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x128xf32>
  task.return %r : tensor<28x28x128xf32>
}

// What the run computes stays as it is.
// STEPS-LABEL: task.def @computed
//   STEPS-NOT:   #schedule.pack
// LOOPS-LABEL: task.def @computed
//   LOOPS-NOT:   task.packing
task.def @computed(%x: tensor<30x30x64xf32>, %w: tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x128xf32>) -> tensor<28x28x128xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #plane],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) outs(%init : tensor<28x28x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x128xf32>
  task.return %r : tensor<28x28x128xf32>
}
}

// -----

#image = affine_map<(y, x, f, c, i, j) -> (y + i, x + j, c)>
#filter = affine_map<(y, x, f, c, i, j) -> (f, c, i, j)>
#plane = affine_map<(y, x, f, c, i, j) -> (y, x, f)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a", gpu_math = "tf32">} {

func.func @main(%x: tensor<30x30x64xf32>) -> tensor<28x28x128xf32> {
  %w = arith.constant dense_resource<weights> : tensor<128x64x3x3xf32>
  %y = task.call @steps(%x, %w) : (tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32>
  return %y : tensor<28x28x128xf32>
}

// The matrix unit reads rows along the depth: of each filter the channels become innermost, which are neighbours in the image.
// STEPS-LABEL: task.def @steps
//  STEPS-SAME:   #schedule.pack<nest = 0, buffer = 1>{{.*}}#schedule.tensor<
// LOOPS-LABEL: task.def @steps
//       LOOPS:   loop.buffer argument 1 packable {task.packing = #task.packing<elements = 73728, nests = {{\[\[}}0, 0, [128, 3, 3, 64], [576, 192, 64, 1], [576, 3, 1, 9]]]>} : memref<73728xf32>
task.def @steps(%x: tensor<30x30x64xf32>, %w: tensor<128x64x3x3xf32>) -> tensor<28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x128xf32>) -> tensor<28x28x128xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #plane],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x64xf32>, tensor<128x64x3x3xf32>) outs(%init : tensor<28x28x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x128xf32>
  task.return %r : tensor<28x28x128xf32>
}
}

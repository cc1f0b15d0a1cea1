// Filters of halves are laid out anew for the matrix unit: their channels, which are neighbours in the image, side by side.
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule | FileCheck %s
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

func.func @main(%x: tensor<30x30x64xf16>, %z: tensor<64x64x3x3xf16>) -> (tensor<28x28x64xf32>, tensor<28x28x64xf32>) {
  %w = arith.constant dense<1.0> : tensor<64x64x3x3xf16>
  %y = task.call @convolution(%x, %w) : (tensor<30x30x64xf16>, tensor<64x64x3x3xf16>) -> tensor<28x28x64xf32>
  %v = task.call @computed(%x, %z) : (tensor<30x30x64xf16>, tensor<64x64x3x3xf16>) -> tensor<28x28x64xf32>
  return %y, %v : tensor<28x28x64xf32>, tensor<28x28x64xf32>
}

// CHECK-LABEL: task.def @convolution
//  CHECK-SAME:   matrix unit, 16 x 8 x 16; shared memory, {{[34]}} stages of asynchronous copies
//       CHECK:   loop.buffer argument 1 packable {task.relayout = #task.relayout<elements = 36864, nests = {{\[\[}}0, 0, [64, 3, 3, 64], [576, 192, 64, 1], [576, 3, 1, 9]]]>}
// KERNEL-LABEL: func.func private @convolution.k0(
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   scf.for
// KERNEL-LABEL: task.def @convolution(
//  KERNEL-SAME:   task.relayout = #task.relayout<elements = 36864
task.def @convolution(%x: tensor<30x30x64xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x64xf32>) -> tensor<28x28x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(y, x, f, c, i, j) -> (y + i, x + j, c)>, affine_map<(y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(y, x, f, c, i, j) -> (y, x, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x64xf16>, tensor<64x64x3x3xf16>) outs(%init : tensor<28x28x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %a = arith.extf %p : f16 to f32
    %b = arith.extf %q : f16 to f32
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x64xf32>
  task.return %r : tensor<28x28x64xf32>
}

// What a run gives stays as it is.
// CHECK-LABEL: task.def @computed
//   CHECK-NOT:   task.relayout
task.def @computed(%x: tensor<30x30x64xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x64xf32>) -> tensor<28x28x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(y, x, f, c, i, j) -> (y + i, x + j, c)>, affine_map<(y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(y, x, f, c, i, j) -> (y, x, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x64xf16>, tensor<64x64x3x3xf16>) outs(%init : tensor<28x28x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %a = arith.extf %p : f16 to f32
    %b = arith.extf %q : f16 to f32
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x64xf32>
  task.return %r : tensor<28x28x64xf32>
}

}

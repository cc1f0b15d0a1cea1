// Kernels that wait for earlier launches fetch their constants before. What the run computes, and memory that is written, comes behind the wait.
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks --apply-schedule --emit-gpu-kernels=dependent-launch | FileCheck %s
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=PLAIN --implicit-check-not=griddepcontrol --implicit-check-not=prefetch

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_100a">} {

func.func @main(%x: tensor<256x128xf16>, %v: tensor<128x192xf16>) -> (tensor<256x192xf16>, tensor<256x192xf16>, tensor<256x192xf16>) {
  %w = arith.constant dense_resource<weights> : tensor<128x192xf16>
  %y = task.call @constant(%x, %w) : (tensor<256x128xf16>, tensor<128x192xf16>) -> tensor<256x192xf16>
  %z = task.call @computed(%x, %v) : (tensor<256x128xf16>, tensor<128x192xf16>) -> tensor<256x192xf16>
  %r = task.call @relu(%z) : (tensor<256x192xf16>) -> tensor<256x192xf16>
  return %y, %z, %r : tensor<256x192xf16>, tensor<256x192xf16>, tensor<256x192xf16>
}

// Four copies of weights for each of the two steps, all in the first group, then two of the other operand, in a group for each step.
// CHECK-LABEL: func.func private @constant.k0(
//   CHECK-NOT:   nvvm.cp.async.commit.group
// CHECK-COUNT-8: nvvm.cp.async.shared.global
//   CHECK-NOT:   nvvm.cp.async
//       CHECK:   nvvm.griddepcontrol wait
//   CHECK-NOT:   nvvm.griddepcontrol
// CHECK-COUNT-2: nvvm.cp.async.shared.global
//   CHECK-NOT:   nvvm.cp.async.shared.global
//       CHECK:   nvvm.cp.async.commit.group
// CHECK-COUNT-2: nvvm.cp.async.shared.global
//   CHECK-NOT:   nvvm.cp.async.shared.global
//       CHECK:   nvvm.cp.async.commit.group
//       CHECK:   scf.for
//       CHECK:     nvvm.cp.async.wait.group
// PLAIN-LABEL: func.func private @constant.k0(
//       PLAIN:   nvvm.cp.async.shared.global
//       PLAIN:   nvvm.cp.async.commit.group
task.def @constant(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf16>, tensor<128x192xf16>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  %out = tensor.empty() : tensor<256x192xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<256x192xf32>) outs(%out : tensor<256x192xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x192xf16>
  task.return %n : tensor<256x192xf16>
}

// Nothing is copied before the wait.
// CHECK-LABEL: func.func private @computed.k0(
//   CHECK-NOT:   nvvm.cp.async
//       CHECK:   nvvm.griddepcontrol wait
//       CHECK:   nvvm.cp.async.shared.global
task.def @computed(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf16>, tensor<128x192xf16>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  %out = tensor.empty() : tensor<256x192xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<256x192xf32>) outs(%out : tensor<256x192xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x192xf16>
  task.return %n : tensor<256x192xf16>
}

// A kernel that fetches nothing early leaves the wait to convert-blocks.
// CHECK-LABEL: func.func private @relu.k0(
//   CHECK-NOT:   nvvm.griddepcontrol
//       CHECK:   return
task.def @relu(%x: tensor<256x192xf16>) -> tensor<256x192xf16> {
  %zero = arith.constant 0.0 : f16
  %out = tensor.empty() : tensor<256x192xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x192xf16>) outs(%out : tensor<256x192xf16>) {
  ^bb0(%p: f16, %unused: f16):
    %o = arith.maximumf %p, %zero : f16
    linalg.yield %o : f16
  } -> tensor<256x192xf16>
  task.return %n : tensor<256x192xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_100a">} {

func.func @main(%x: tensor<1x2048xf32>) -> tensor<1x256xf32> {
  %w = arith.constant dense_resource<weights> : tensor<2048x256xf32>
  %y = task.call @row(%x, %w) : (tensor<1x2048xf32>, tensor<2048x256xf32>) -> tensor<1x256xf32>
  return %y : tensor<1x256xf32>
}

// Blocks that divide a sum prefetch the weights of their part. All threads wait, also those without a point.
// CHECK-LABEL: func.func private @row.k0(
//       CHECK:   scf.if
//       CHECK:     scf.for
//       CHECK:       nvvm.prefetch level = L2
//  CHECK-NEXT:     }
//  CHECK-NEXT:   }
//  CHECK-NEXT:   nvvm.griddepcontrol wait
//       CHECK:   scf.if
//       CHECK:   task.arrive
task.def @row(%x: tensor<1x2048xf32>, %w: tensor<2048x256xf32>) -> tensor<1x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x256xf32>) -> tensor<1x256xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x2048xf32>, tensor<2048x256xf32>) outs(%init : tensor<1x256xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x256xf32>
  task.return %r : tensor<1x256xf32>
}
}

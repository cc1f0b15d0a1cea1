// Phases have names, and make what cameo compile makes of a model.
// RUN: cameo-opt %s --cameo-graph=cpu=x86-64-v3 --cameo-layout=cpu=x86-64-v3 | FileCheck %s --check-prefix=LAYOUT
// RUN: cameo-opt %s --pass-pipeline='builtin.module(cameo-graph{cpu=x86-64-v3},cameo-layout,cameo-partition,cameo-lower)' | FileCheck %s --check-prefix=LOWER
// RUN: cameo-opt %s --cameo-phases="target=x86_64-linux-gnu cpu=x86-64-v4 machine=l2_bytes=2M" | FileCheck %s --check-prefix=ALL
// RUN: cameo-opt %s --cameo-phases=naive=true | FileCheck %s --check-prefix=NAIVE
// RUN: not cameo-opt %s --cameo-phases=cpu=i9000 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not cameo-opt %s --cameo-phases=machine=tea=2 2>&1 | FileCheck %s --check-prefix=MACHINE
// RUN: not cameo-opt %s --cameo-phases=gpu=abacus 2>&1 | FileCheck %s --check-prefix=GPU

// LAYOUT: onnx.Conv {{.*}}channels_last
// LOWER: task.def
// LOWER: linalg.generic
// ALL: cameo.target = #cameo.target<{{.*}}x86-64-v4
// ALL: task.dispatch
// ALL: vector.
// NAIVE: task.dispatch
// NAIVE: scf.for
// CPU: error: unknown CPU 'i9000'
// MACHINE: error: {{.*}}tea
// GPU: error: {{.*}}abacus
func.func @main(%x: tensor<1x4x8x8xf32> {onnx.name = "x"}, %w: tensor<8x4x3x3xf32> {onnx.name = "w"}) -> (tensor<1x8x6x6xf32> {onnx.name = "y"}) {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>, none) -> tensor<1x8x6x6xf32>
  %1 = onnx.Relu %0 : (tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %1 : tensor<1x8x6x6xf32>
}

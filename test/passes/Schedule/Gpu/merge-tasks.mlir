// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --merge-tasks | FileCheck %s

#id = affine_map<(i) -> (i)>
#scalar = affine_map<(i) -> ()>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// Tasks of one branch share launches. They come after the condition, which the merged task of every run computes.
// CHECK-LABEL: func.func @main(
//       CHECK:   %[[FIRST:.*]]:2 = task.call @{{.*}}(%arg0)
//  CHECK-NEXT:   %[[CONDITION:.*]] = task.call @decide(%[[FIRST]]#0)
//  CHECK-NEXT:   %[[TAKEN:.*]]:2 = task.call @{{.*}}(%arg0, %arg1)
//  CHECK-NEXT:   %[[SUM:.*]] = task.call @add(%[[TAKEN]]#0, %[[TAKEN]]#1)
//  CHECK-NEXT:   task.choose %[[CONDITION]], %[[SUM]], %arg1
//  CHECK-NEXT:   return %{{.*}}, %[[FIRST]]#1
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = task.call @negate(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %c = task.call @decide(%a) : (tensor<8xf32>) -> tensor<i1>
  %0 = task.call @exponential(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = task.call @exponential(%y) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = task.call @add(%0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b = task.call @absolute(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %3 = task.choose %c, %2, %y counts() : tensor<i1>, tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %3, %b : tensor<8xf32>, tensor<8xf32>
}
task.def @negate(%x: tensor<8xf32>) -> tensor<8xf32> attributes {flops = 8.0, bytes = 64.0} {
  %init = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  task.return %0 : tensor<8xf32>
}
task.def @absolute(%x: tensor<8xf32>) -> tensor<8xf32> attributes {flops = 8.0, bytes = 64.0} {
  %init = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.absf %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  task.return %0 : tensor<8xf32>
}
task.def @exponential(%x: tensor<8xf32>) -> tensor<8xf32> attributes {flops = 8.0, bytes = 64.0} {
  %init = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.exp %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  task.return %0 : tensor<8xf32>
}
task.def @add(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {flops = 8.0, bytes = 96.0} {
  %init = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %1 = arith.addf %in, %other : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  task.return %0 : tensor<8xf32>
}
task.def @decide(%x: tensor<8xf32>) -> tensor<i1> attributes {flops = 8.0, bytes = 33.0} {
  %false = arith.constant false
  %init = tensor.empty() : tensor<i1>
  %none = linalg.fill ins(%false : i1) outs(%init : tensor<i1>) -> tensor<i1>
  %0 = linalg.generic {indexing_maps = [#id, #scalar], iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%none : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %zero = arith.constant 0.0 : f32
    %1 = arith.cmpf ogt, %in, %zero : f32
    %2 = arith.ori %1, %out : i1
    linalg.yield %2 : i1
  } -> tensor<i1>
  task.return %0 : tensor<i1>
}
}

// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s

#each = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i)>
#both = affine_map<(i, j) -> (i, j)>

// A step down 300 trees, four at once: vectors would be put together lane by lane.
// CHECK-LABEL: task.def @step(
//   CHECK-NOT: #schedule.vectorize
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 4>
task.def @step(%x: tensor<30xf32>, %at: tensor<300xindex>, %feature: tensor<9000xindex>, %split: tensor<9000xf32>, %next: tensor<9000xindex>)
    -> tensor<300xindex> {
  %empty = tensor.empty() : tensor<300xindex>
  %r = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%at : tensor<300xindex>) outs(%empty : tensor<300xindex>) {
  ^bb0(%node: index, %unused: index):
    %one = arith.constant 1 : index
    %f = tensor.extract %feature[%node] : tensor<9000xindex>
    %v = tensor.extract %x[%f] : tensor<30xf32>
    %s = tensor.extract %split[%node] : tensor<9000xf32>
    %n = tensor.extract %next[%node] : tensor<9000xindex>
    %other = arith.addi %n, %one : index
    %is = arith.cmpf ole, %v, %s : f32
    %y = arith.select %is, %n, %other : index
    linalg.yield %y : index
  } -> tensor<300xindex>
  task.return %r : tensor<300xindex>
}

// Rows of three tables are loaded whole.
// CHECK-LABEL: task.def @embeddings(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>
task.def @embeddings(%at: tensor<8xindex>, %a: tensor<90x64xf32>, %b: tensor<90x64xf32>, %c: tensor<90x64xf32>) -> tensor<8x64xf32> {
  %empty = tensor.empty() : tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [#row, #both], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<8xindex>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%i: index, %unused: f32):
    %j = linalg.index 1 : index
    %u = tensor.extract %a[%i, %j] : tensor<90x64xf32>
    %v = tensor.extract %b[%i, %j] : tensor<90x64xf32>
    %w = tensor.extract %c[%i, %j] : tensor<90x64xf32>
    %s = arith.addf %u, %v : f32
    %y = arith.addf %s, %w : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  task.return %r : tensor<8x64xf32>
}

// One load from a computed place among arithmetic stays in vectors.
// CHECK-LABEL: task.def @lookup(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 0, lanes = 16>
task.def @lookup(%at: tensor<300xi32>, %table: tensor<9000xf32>) -> tensor<300xf32> {
  %empty = tensor.empty() : tensor<300xf32>
  %r = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%at : tensor<300xi32>) outs(%empty : tensor<300xf32>) {
  ^bb0(%i: i32, %unused: f32):
    %node = arith.index_cast %i : i32 to index
    %v = tensor.extract %table[%node] : tensor<9000xf32>
    %y = arith.mulf %v, %v : f32
    linalg.yield %y : f32
  } -> tensor<300xf32>
  task.return %r : tensor<300xf32>
}

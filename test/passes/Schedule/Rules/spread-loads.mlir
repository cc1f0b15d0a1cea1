// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32 --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=CODE

#every_second = affine_map<(i) -> (2 * i)>
#backwards = affine_map<(i) -> (15 - i)>
#here = affine_map<(i) -> (i)>
#pixels = affine_map<(c, p) -> (p, c)>
#planes = affine_map<(c, p) -> (c, p)>

func.func @main(%x: tensor<39xf32>, %y: tensor<16xf32>, %b: tensor<64x3xi8>, %f: tensor<64x3xf32>, %z: tensor<25xf32>)
    -> (tensor<20xf32>, tensor<16xf32>, tensor<3x64xi8>, tensor<3x64xf32>, tensor<13xf32>) {
  %s = task.call @halves(%x) : (tensor<39xf32>) -> tensor<20xf32>
  %r = task.call @reversed(%y) : (tensor<16xf32>) -> tensor<16xf32>
  %c = task.call @channels(%b) : (tensor<64x3xi8>) -> tensor<3x64xi8>
  %w = task.call @wide(%f) : (tensor<64x3xf32>) -> tensor<3x64xf32>
  %t = task.call @rest(%z) : (tensor<25xf32>) -> tensor<13xf32>
  return %s, %r, %c, %w, %t : tensor<20xf32>, tensor<16xf32>, tensor<3x64xi8>, tensor<3x64xf32>, tensor<13xf32>
}

// Two vectors hold eight elements, the second of which ends with the last one: nothing behind it is read. No vector holds the last four and nothing else.
// CODE-LABEL: func.func private @halves.k0
//       CODE: %[[LOW:.*]] = vector.load {{.*}} : memref<39xf32>, vector<8xf32>
//       CODE: %[[FIRST:.*]] = vector.shuffle %[[LOW]], %[[LOW]] [0, 2, 4, 6, -1, -1, -1, -1]
//       CODE: arith.addi {{.*}}, %c7
//       CODE: %[[HIGH:.*]] = vector.load {{.*}} : memref<39xf32>, vector<8xf32>
//       CODE: vector.shuffle %[[FIRST]], %[[HIGH]] [0, 1, 2, 3, 9, 11, 13, 15]
//   CODE-NOT: memref.load
//       CODE: vector.store
task.def @halves(%x: tensor<39xf32>) -> tensor<20xf32> {
  %e = tensor.empty() : tensor<20xf32>
  %s = tensor.extract_slice %x[0] [20] [2] : tensor<39xf32> to tensor<20xf32>
  %r = linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel"]} ins(%s : tensor<20xf32>) outs(%e : tensor<20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<20xf32>
  task.return %r : tensor<20xf32>
}

// One vector holds all, the other way around.
// CODE-LABEL: func.func private @reversed.k0
//       CODE: %[[LOADED:.*]] = vector.load {{.*}} : memref<16xf32>, vector<8xf32>
//  CODE-NEXT: vector.shuffle %[[LOADED]], %[[LOADED]] [7, 6, 5, 4, 3, 2, 1, 0]
//   CODE-NOT: memref.load
task.def @reversed(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#backwards, #here], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// Channels of the same pixels are computed together, from the same three vectors: 3 is little beside 32 lanes.
// STEPS-LABEL: task.def @channels
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 32>, #schedule.tile<nest = 0, dim = 0, size = 3>, #schedule.tile<nest = 0, dim = 1, size = 32>
//  CODE-LABEL: func.func private @channels.k0
//  CODE-COUNT-3: vector.load {{.*}} : memref<192xi8>, vector<32xi8>
//    CODE-NOT: vector.load
task.def @channels(%x: tensor<64x3xi8>) -> tensor<3x64xi8> {
  %e = tensor.empty() : tensor<3x64xi8>
  %r = linalg.generic {indexing_maps = [#pixels, #planes], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x3xi8>) outs(%e : tensor<3x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<3x64xi8>
  task.return %r : tensor<3x64xi8>
}

// But not beside 8: squares are transposed.
// STEPS-LABEL: task.def @wide
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 8>
//  CODE-LABEL: func.func private @wide.k0
//  CODE-COUNT-8: vector.maskedload
task.def @wide(%x: tensor<64x3xf32>) -> tensor<3x64xf32> {
  %e = tensor.empty() : tensor<3x64xf32>
  %r = linalg.generic {indexing_maps = [#pixels, #planes], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x3xf32>) outs(%e : tensor<3x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x64xf32>
  task.return %r : tensor<3x64xf32>
}

// Lanes that no element has repeat the first one: a function of each lane is one of numbers.
// CODE-LABEL: func.func private @rest.k0
//       CODE: vector.shuffle {{.*}} [0, 1, 2, 3, 9, 11, 13, 15]
//       CODE: vector.shuffle {{.*}} [0, 1, 2, 3, 15, 0, 0, 0]
task.def @rest(%x: tensor<25xf32>) -> tensor<13xf32> {
  %e = tensor.empty() : tensor<13xf32>
  %s = tensor.extract_slice %x[0] [13] [2] : tensor<25xf32> to tensor<13xf32>
  %r = linalg.generic {indexing_maps = [#here, #here], iterator_types = ["parallel"]} ins(%s : tensor<13xf32>) outs(%e : tensor<13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = math.sin %in : f32
    linalg.yield %n : f32
  } -> tensor<13xf32>
  task.return %r : tensor<13xf32>
}

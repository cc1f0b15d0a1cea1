// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32 --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=CODE

#from = affine_map<(i, j) -> (j, i)>
#to = affine_map<(i, j) -> (i, j)>

func.func @main(%x: tensor<30x20xf32>, %m: tensor<30x3xf32>, %b: tensor<64x64xi8>, %f: tensor<512x33xf32>, %h: tensor<500x33xf32>)
    -> (tensor<20x30xf32>, tensor<3x30xf32>, tensor<64x64xi8>, tensor<33x512xf32>, tensor<33x500xf32>) {
  %y = task.call @transposed(%x) : (tensor<30x20xf32>) -> tensor<20x30xf32>
  %n = task.call @narrow(%m) : (tensor<30x3xf32>) -> tensor<3x30xf32>
  %c = task.call @bytes(%b) : (tensor<64x64xi8>) -> tensor<64x64xi8>
  %g = task.call @colliding(%f) : (tensor<512x33xf32>) -> tensor<33x512xf32>
  %i = task.call @spread(%h) : (tensor<500x33xf32>) -> tensor<33x500xf32>
  return %y, %n, %c, %g, %i : tensor<20x30xf32>, tensor<3x30xf32>, tensor<64x64xi8>, tensor<33x512xf32>, tensor<33x500xf32>
}

// Squares of 8 by 8. 20 rows are two whole ones and the half of one, whose loads are masked; equal parts would have none whole.
// STEPS-LABEL: task.def @transposed
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 20>, #schedule.tile<nest = 0, dim = 1, size = 8>
//  CODE-LABEL: func.func private @transposed.k0
//    CODE-NOT: memref.load
//  CODE-COUNT-8: vector.load {{.*}} : memref<600xf32>, vector<8xf32>
//        CODE: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11]
//   CODE-NEXT: vector.shuffle %{{.*}}, %{{.*}} [4, 5, 6, 7, 12, 13, 14, 15]
//        CODE: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
//        CODE: vector.shuffle %{{.*}}, %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
//   CODE-NEXT: vector.shuffle %{{.*}}, %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15]
//  CODE-COUNT-16: vector.store {{.*}} : memref<600xf32>, vector<8xf32>
//  CODE-COUNT-8: vector.maskedload {{.*}} : memref<600xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
//  CODE-COUNT-4: vector.store {{.*}} : memref<600xf32>, vector<8xf32>
task.def @transposed(%x: tensor<30x20xf32>) -> tensor<20x30xf32> {
  %e = tensor.empty() : tensor<20x30xf32>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<30x20xf32>) outs(%e : tensor<20x30xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<20x30xf32>
  task.return %r : tensor<20x30xf32>
}

// Fewer rows than lanes: what is beyond them is neither read nor stored.
//  CODE-LABEL: func.func private @narrow.k0
//  CODE-COUNT-8: vector.maskedload {{.*}} : memref<90xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
//  CODE-COUNT-3: vector.store {{.*}} : memref<90xf32>, vector<8xf32>
//    CODE-NOT: vector.store {{.*}} vector<8xf32>
task.def @narrow(%x: tensor<30x3xf32>) -> tensor<3x30xf32> {
  %e = tensor.empty() : tensor<3x30xf32>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<30x3xf32>) outs(%e : tensor<3x30xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x30xf32>
  task.return %r : tensor<3x30xf32>
}

// Not 32 lanes: so many vectors are in no register file.
// STEPS-LABEL: task.def @bytes
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>
//  CODE-LABEL: func.func private @bytes.k0
//  CODE-COUNT-16: vector.load {{.*}} : memref<4096xi8>, vector<16xi8>
task.def @bytes(%x: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %e = tensor.empty() : tensor<64x64xi8>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xi8>) outs(%e : tensor<64x64xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<64x64xi8>
  task.return %r : tensor<64x64xi8>
}

// 17 lines that are 2 KiB apart do not fit two sets of eight ways: blocks are 9 and three times 8 rows, with as many squares as 17 and 16.
// STEPS-LABEL: task.def @colliding
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 9>
task.def @colliding(%x: tensor<512x33xf32>) -> tensor<33x512xf32> {
  %e = tensor.empty() : tensor<33x512xf32>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x33xf32>) outs(%e : tensor<33x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<33x512xf32>
  task.return %r : tensor<33x512xf32>
}

// STEPS-LABEL: task.def @spread
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 17>
task.def @spread(%x: tensor<500x33xf32>) -> tensor<33x500xf32> {
  %e = tensor.empty() : tensor<33x500xf32>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<500x33xf32>) outs(%e : tensor<33x500xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<33x500xf32>
  task.return %r : tensor<33x500xf32>
}

// 16 lines that are 4 KiB apart do not fit a set of eight ways, whatever the block: of each two neighbouring ones are stored.
// STEPS-LABEL: task.def @neighbours
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 1, size = 32>
task.def @neighbours(%x: tensor<4096x64xi8>) -> tensor<64x4096xi8> {
  %e = tensor.empty() : tensor<64x4096xi8>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4096x64xi8>) outs(%e : tensor<64x4096xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  } -> tensor<64x4096xi8>
  task.return %r : tensor<64x4096xi8>
}

// Rows of 12 floats that are read are no whole lines. Dimensions 1 and 2 continue them, so they are inside of dimension 3.
// STEPS-LABEL: task.def @nearest
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 12>, #schedule.tile<nest = 0, dim = 3, size = 1>, #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 0, dim = 2, size = 1>, #schedule.tile<nest = 0, dim = 4, size = 8>
task.def @nearest(%x: tensor<17x197x4x3x12xf32>) -> tensor<12x3x4x197x17xf32> {
  %e = tensor.empty() : tensor<12x3x4x197x17xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (e, d, c, b, a)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<17x197x4x3x12xf32>) outs(%e : tensor<12x3x4x197x17xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x3x4x197x17xf32>
  task.return %r : tensor<12x3x4x197x17xf32>
}

// 70 floats in two pieces: the second one finds the line in which the first one ends.
// STEPS-LABEL: task.def @pieces
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 24>, #schedule.tile<nest = 0, dim = 2, size = 8>
task.def @pieces(%x: tensor<20x300x70xf32>) -> tensor<70x300x20xf32> {
  %e = tensor.empty() : tensor<70x300x20xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c, b, a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<20x300x70xf32>) outs(%e : tensor<70x300x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<70x300x20xf32>
  task.return %r : tensor<70x300x20xf32>
}

// 23 lines that are 2 KiB apart do not fit either. Three incomplete pieces have as many squares.
// STEPS-LABEL: task.def @incomplete
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 8>
task.def @incomplete(%x: tensor<512x23xf32>) -> tensor<23x512xf32> {
  %e = tensor.empty() : tensor<23x512xf32>
  %r = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x23xf32>) outs(%e : tensor<23x512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<23x512xf32>
  task.return %r : tensor<23x512xf32>
}

// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks=winograd=off | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks=winograd=off | FileCheck %s --check-prefix=MANY
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks=winograd=f2 | FileCheck %s --check-prefix=WINOGRAD

// With 32 registers two rows of 7 are a block. What tiles compute is not flattened too.
// MANY-NOT: #schedule.flatten
// WINOGRAD-LABEL: task.def @small_plane(
//  WINOGRAD-SAME:   #schedule.steps<#schedule.winograd<
//   WINOGRAD-NOT:   #schedule.flatten

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>
#window = affine_map<(n, oh, ow, c, kh, kw) -> (n, oh + kh, ow + kw, c)>
#kernel = affine_map<(n, oh, ow, c, kh, kw) -> (c, kh, kw)>
#filtered = affine_map<(n, oh, ow, c, kh, kw) -> (n, oh, ow, c)>

func.func @main(%x: tensor<1x9x9x64xf32>, %many: tensor<2x9x9x64xf32>, %wide: tensor<1x14x14x64xf32>) {
  %w = arith.constant dense<1.0> : tensor<64x64x3x3xf32>
  %f = arith.constant dense<1.0> : tensor<64x3x3xf32>
  %a = task.call @small_plane(%x, %w) : (tensor<1x9x9x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x7x7x64xf32>
  %b = task.call @images(%many, %w) : (tensor<2x9x9x64xf32>, tensor<64x64x3x3xf32>) -> tensor<2x7x7x64xf32>
  %c = task.call @whole_blocks(%wide, %w) : (tensor<1x14x14x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x12x12x64xf32>
  %d = task.call @depthwise(%x, %f) : (tensor<1x9x9x64xf32>, tensor<64x3x3xf32>) -> tensor<1x7x7x64xf32>
  return
}

// 49 pixels are blocks of 6 and 5.
// CHECK-LABEL: task.def @small_plane(
//  CHECK-SAME:   #schedule.steps<#schedule.flatten<nest = 0, dim = 0>, {{.*}}#schedule.tile<nest = 0, dim = 0, size = 6>
task.def @small_plane(%x: tensor<1x9x9x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x7x7x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<1x7x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x64xf32>
  task.return %conv : tensor<1x7x7x64xf32>
}

// Of images, rows and columns, the last two.
// CHECK-LABEL: task.def @images(
//  CHECK-SAME:   #schedule.steps<#schedule.flatten<nest = 0, dim = 1>
task.def @images(%x: tensor<2x9x9x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x7x7x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x7x7x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x7x7x64xf32>) -> tensor<2x7x7x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x9x9x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<2x7x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x7x7x64xf32>
  task.return %conv : tensor<2x7x7x64xf32>
}

// Rows of 12 are whole blocks.
// CHECK-LABEL: task.def @whole_blocks(
//  CHECK-SAME:   #schedule.steps<#schedule.vectorize
task.def @whole_blocks(%x: tensor<1x14x14x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x12x12x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x12x12x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x14x14x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<1x12x12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x12x12x64xf32>
  task.return %conv : tensor<1x12x12x64xf32>
}

// Windows of one channel share what they load.
// CHECK-LABEL: task.def @depthwise(
//  CHECK-SAME:   #schedule.steps<#schedule.vectorize
task.def @depthwise(%x: tensor<1x9x9x64xf32>, %w: tensor<64x3x3xf32>) -> tensor<1x7x7x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
  %conv = linalg.generic {indexing_maps = [#window, #kernel, #filtered],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x64xf32>, tensor<64x3x3xf32>) outs(%init : tensor<1x7x7x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x64xf32>
  task.return %conv : tensor<1x7x7x64xf32>
}

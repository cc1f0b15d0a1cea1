// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=2097152 --build-loops --schedule-tasks | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=2097152 --build-loops --schedule-tasks=winograd=off | FileCheck %s --check-prefix=OFF
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=2097152 --build-loops --schedule-tasks=winograd=f2 | FileCheck %s --check-prefix=F2
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=1048576 --build-loops --schedule-tasks | FileCheck %s --check-prefix=NARROW
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks | FileCheck %s --check-prefix=SMALL-CACHE
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=2097152,multiply_adds=1 --build-loops --schedule-tasks | FileCheck %s --check-prefix=ONE-UNIT
// RUN: not cameo-opt %s --build-loops --schedule-tasks="winograd=f3" 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: error: expected winograd to be auto, off, f2 or f4, got 'f3'

// OFF-NOT: #schedule.winograd

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#dilated = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh * 4, ow + kw * 4, ic)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x0: tensor<1x58x58x64xf32>, %x1: tensor<1x30x30x128xf32>, %x2: tensor<1x9x9x512xf32>, %x3: tensor<1x16x16x256xf32>, %x4: tensor<1x226x226x3xf32>, %x5: tensor<1x16x16x128xf32>, %x6: tensor<1x40x40x128xf32>, %x7: tensor<1x?x?x64xf32>, %x10: tensor<?x10x10x64xf32>, %x11: tensor<?x18x18x64xf32>) {
  %w0 = arith.constant dense<1.0> : tensor<64x64x3x3xf32>
  %y0 = task.call @large_plane_in_blocks(%x0, %w0) : (tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32>
  %w1 = arith.constant dense<1.0> : tensor<128x128x3x3xf32>
  %y1 = task.call @small_plane_at_once(%x1, %w1) : (tensor<1x30x30x128xf32>, tensor<128x128x3x3xf32>) -> tensor<1x28x28x128xf32>
  %w2 = arith.constant dense<1.0> : tensor<512x512x3x3xf32>
  %y2 = task.call @filter_from_memory(%x2, %w2) : (tensor<1x9x9x512xf32>, tensor<512x512x3x3xf32>) -> tensor<1x7x7x512xf32>
  %w3 = arith.constant dense<1.0> : tensor<256x256x3x3xf32>
  %y3 = task.call @small_tiles_for_smaller_filter(%x3, %w3) : (tensor<1x16x16x256xf32>, tensor<256x256x3x3xf32>) -> tensor<1x14x14x256xf32>
  %w5 = arith.constant dense<1.0> : tensor<32x128x3x3xf32>
  %y5 = task.call @few_tiles_for_a_filter_from_memory(%x5, %w5) : (tensor<1x16x16x128xf32>, tensor<32x128x3x3xf32>) -> tensor<1x14x14x32xf32>
  %w4 = arith.constant dense<1.0> : tensor<64x3x3x3xf32>
  %y4 = task.call @few_channels(%x4, %w4) : (tensor<1x226x226x3xf32>, tensor<64x3x3x3xf32>) -> tensor<1x224x224x64xf32>
  %w6 = arith.constant dense<1.0> : tensor<128x128x3x3xf32>
  %y6 = task.call @phases_of_a_dilated_plane(%x6, %w6) : (tensor<1x40x40x128xf32>, tensor<128x128x3x3xf32>) -> tensor<1x32x32x128xf32>
  %w7 = arith.constant dense<1.0> : tensor<64x64x3x3xf32>
  %y7 = task.call @plane_of_any_size(%x7, %w7) : (tensor<1x?x?x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x?x?x64xf32>
  %w8 = arith.constant dense<1.0> : tensor<6x64x3x3xf32>
  %y8 = task.call @six_channels_of_any_size(%x7, %w8) : (tensor<1x?x?x64xf32>, tensor<6x64x3x3xf32>) -> tensor<1x?x?x6xf32>
  %w9 = arith.constant dense<1.0> : tensor<5x64x3x3xf32>
  %y9 = task.call @five_channels_of_any_size(%x7, %w9) : (tensor<1x?x?x64xf32>, tensor<5x64x3x3xf32>) -> tensor<1x?x?x5xf32>
  %y10 = task.call @small_planes_of_any_number(%x10, %w0) : (tensor<?x10x10x64xf32>, tensor<64x64x3x3xf32>) -> tensor<?x8x8x64xf32>
  %y11 = task.call @larger_planes_of_any_number(%x11, %w0) : (tensor<?x18x18x64xf32>, tensor<64x64x3x3xf32>) -> tensor<?x16x16x64xf32>
  return
}

// The filter stays in the cache while a row of tiles after the other goes through all stages.
// CHECK-LABEL: task.def @large_plane_in_blocks(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>
// F2-LABEL: task.def @large_plane_in_blocks(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 28>
task.def @large_plane_in_blocks(%x: tensor<1x58x58x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x56x56x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<1x56x56x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x56x56x64xf32>
  task.return %conv : tensor<1x56x56x64xf32>
}

// The filter is larger than the cache: it is read once.
// CHECK-LABEL: task.def @small_plane_at_once(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 7, columns = 7>
// F2-LABEL: task.def @small_plane_at_once(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 14>
task.def @small_plane_at_once(%x: tensor<1x30x30x128xf32>, %w: tensor<128x128x3x3xf32>) -> tensor<1x28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x28x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x30x30x128xf32>, tensor<128x128x3x3xf32>) outs(%init : tensor<1x28x28x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x28x28x128xf32>
  task.return %conv : tensor<1x28x28x128xf32>
}

// Reading a larger filter would cost more than the products it saves: it is transformed at run time, for as many outputs at once as four tiles
// need for a register block.
// CHECK-LABEL: task.def @filter_from_memory(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 2, columns = 2, channels = 64, depth = 16>
// With narrower vectors F2 stored would be a little faster by the model, and twice as large.
// NARROW-LABEL: task.def @filter_from_memory(
//  NARROW-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 2, columns = 2, channels = 32, depth = 32>
// F2-LABEL: task.def @filter_from_memory(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 4, columns = 4, channels = 16, depth = 128>
task.def @filter_from_memory(%x: tensor<1x9x9x512xf32>, %w: tensor<512x512x3x3xf32>) -> tensor<1x7x7x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x512xf32>, tensor<512x512x3x3xf32>) outs(%init : tensor<1x7x7x512xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x512xf32>
  task.return %conv : tensor<1x7x7x512xf32>
}

// Four by four outputs need a filter of 9 MB, two by two one of 4 MB; as it is it has 2 MB.
// CHECK-LABEL: task.def @small_tiles_for_smaller_filter(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16, depth = 64>
// Where the tiles do not stay in the cache, half as many parts read them.
// SMALL-CACHE-LABEL: task.def @small_tiles_for_smaller_filter(
//  SMALL-CACHE-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 32, depth = 16>
// Stored it would save less than a seventh. Sixteen registers hold the sums as rows of two vectors.
// NARROW-LABEL: task.def @small_tiles_for_smaller_filter(
//  NARROW-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16, depth = 64>
// F2-LABEL: task.def @small_tiles_for_smaller_filter(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 7, columns = 7>
task.def @small_tiles_for_smaller_filter(%x: tensor<1x16x16x256xf32>, %w: tensor<256x256x3x3xf32>) -> tensor<1x14x14x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x14x14x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x256xf32>, tensor<256x256x3x3xf32>) outs(%init : tensor<1x14x14x256xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x256xf32>
  task.return %conv : tensor<1x14x14x256xf32>
}

// A filter that would stay in the cache comes from memory at first, too: 590 KB for four by four outputs of 32 channels.
// CHECK-LABEL: task.def @few_tiles_for_a_filter_from_memory(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16, depth = 64>
task.def @few_tiles_for_a_filter_from_memory(%x: tensor<1x16x16x128xf32>, %w: tensor<32x128x3x3xf32>) -> tensor<1x14x14x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x14x14x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x128xf32>, tensor<32x128x3x3xf32>) outs(%init : tensor<1x14x14x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x32xf32>
  task.return %conv : tensor<1x14x14x32xf32>
}

// Transforming costs more than the products it saves.
// CHECK-LABEL: task.def @few_channels(
//   CHECK-NOT:   #schedule.winograd
// F2-LABEL: task.def @few_channels(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 61>
task.def @few_channels(%x: tensor<1x226x226x3xf32>, %w: tensor<64x3x3x3xf32>) -> tensor<1x224x224x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x224x224x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x224x224x64xf32>) -> tensor<1x224x224x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x226x226x3xf32>, tensor<64x3x3x3xf32>) outs(%init : tensor<1x224x224x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x224x224x64xf32>
  task.return %conv : tensor<1x224x224x64xf32>
}

// Sixteen phases of 8x8, of four tiles each.
// CHECK-LABEL: task.def @phases_of_a_dilated_plane(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 8, columns = 8>
// F2-LABEL: task.def @phases_of_a_dilated_plane(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 4, columns = 4>
task.def @phases_of_a_dilated_plane(%x: tensor<1x40x40x128xf32>, %w: tensor<128x128x3x3xf32>) -> tensor<1x32x32x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x32x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x32x128xf32>) -> tensor<1x32x32x128xf32>
  %conv = linalg.generic {indexing_maps = [#dilated, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x40x40x128xf32>, tensor<128x128x3x3xf32>) outs(%init : tensor<1x32x32x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x32x32x128xf32>
  task.return %conv : tensor<1x32x32x128xf32>
}

// Where only a run knows the sides of a plane, a block has one row of tiles, as many as fit the stack: a multiple of twelve.
// CHECK-LABEL: task.def @plane_of_any_size(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 12>
// F2-LABEL: task.def @plane_of_any_size(
//  F2-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 24>
task.def @plane_of_any_size(%x: tensor<1x?x?x64xf32> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<64x64x3x3xf32>) -> (tensor<1x?x?x64xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x64xf32>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x64xf32>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x64xf32>) -> tensor<1x?x?x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<1x?x?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x64xf32>
  task.return %conv : tensor<1x?x?x64xf32>
}

// Tiles whose vectors are a third full pay there, too; with fewer channels their code does not.
// ONE-UNIT-LABEL: task.def @six_channels_of_any_size(
//  ONE-UNIT-SAME:   #schedule.winograd<
task.def @six_channels_of_any_size(%x: tensor<1x?x?x64xf32> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<6x64x3x3xf32>) -> (tensor<1x?x?x6xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x64xf32>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x64xf32>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x6xf32>) -> tensor<1x?x?x6xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x64xf32>, tensor<6x64x3x3xf32>) outs(%init : tensor<1x?x?x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x6xf32>
  task.return %conv : tensor<1x?x?x6xf32>
}

// ONE-UNIT-LABEL: task.def @five_channels_of_any_size(
//   ONE-UNIT-NOT:   #schedule.winograd<
//       ONE-UNIT:   task.return
task.def @five_channels_of_any_size(%x: tensor<1x?x?x64xf32> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<5x64x3x3xf32>) -> (tensor<1x?x?x5xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x64xf32>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x64xf32>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x5xf32>) -> tensor<1x?x?x5xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x64xf32>, tensor<5x64x3x3xf32>) outs(%init : tensor<1x?x?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x5xf32>
  task.return %conv : tensor<1x?x?x5xf32>
}

// Each stage takes the tiles of all images.
// CHECK-LABEL: task.def @small_planes_of_any_number(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 2, columns = 2>
task.def @small_planes_of_any_number(%x: tensor<?x10x10x64xf32> {task.dims = #onnx.dims<["n", "", "", ""]>}, %w: tensor<64x64x3x3xf32>) -> (tensor<?x8x8x64xf32> {task.dims = #onnx.dims<["n", "", "", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %images = tensor.dim %x, %c0 : tensor<?x10x10x64xf32>
  %empty = tensor.empty(%images) : tensor<?x8x8x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<?x10x10x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<?x8x8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x8x8x64xf32>
  task.return %conv : tensor<?x8x8x64xf32>
}

// CHECK-LABEL: task.def @larger_planes_of_any_number(
//   CHECK-NOT:   #schedule.winograd
//       CHECK:   task.return
task.def @larger_planes_of_any_number(%x: tensor<?x18x18x64xf32> {task.dims = #onnx.dims<["n", "", "", ""]>}, %w: tensor<64x64x3x3xf32>) -> (tensor<?x16x16x64xf32> {task.dims = #onnx.dims<["n", "", "", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %images = tensor.dim %x, %c0 : tensor<?x18x18x64xf32>
  %empty = tensor.empty(%images) : tensor<?x16x16x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16x16x64xf32>) -> tensor<?x16x16x64xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<?x18x18x64xf32>, tensor<64x64x3x3xf32>) outs(%init : tensor<?x16x16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x16x64xf32>
  task.return %conv : tensor<?x16x16x64xf32>
}

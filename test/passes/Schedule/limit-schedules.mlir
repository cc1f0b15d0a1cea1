// DEFINE: %{machine} = vector_bytes=64,vector_registers=32,l2_bytes=2097152
// RUN: cameo-opt %s --attach-target=machine=%{machine} --build-loops --schedule-tasks --limit-schedules | FileCheck %s --check-prefix=NONE
// RUN: cameo-opt %s --attach-target=machine=%{machine} --build-loops --schedule-tasks --limit-schedules=saved-bytes=1 | FileCheck %s --check-prefix=LEAST
// RUN: cameo-opt %s --attach-target=machine=%{machine} --build-loops --schedule-tasks --limit-schedules=saved-bytes=1000000000 | FileCheck %s --check-prefix=ALL
// RUN: sed 's/x128xf32> attributes {}/x128xf32> attributes {most_scratch = 300000 : i64}/; s/x8xf32> attributes {}/x8xf32> attributes {most_scratch = 1000 : i64}/' %s | cameo-opt --attach-target=machine=%{machine} --build-loops --schedule-tasks --limit-schedules | FileCheck %s --check-prefix=SCRATCH
// RUN: sed 's/x8xf32> attributes {}/x8xf32> attributes {most_registers = 8 : i64}/' %s | cameo-opt --attach-target=machine=%{machine} --build-loops --schedule-tasks --limit-schedules | FileCheck %s --check-prefix=REGISTERS

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x0: tensor<1x58x58x64xf32>, %x1: tensor<1x30x30x128xf32>, %x2: tensor<1x?x?x64xf32>) {
  %w0 = arith.constant dense<1.0> : tensor<64x64x3x3xf32>
  %y0 = task.call @small_filter(%x0, %w0) : (tensor<1x58x58x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32>
  %w1 = arith.constant dense<1.0> : tensor<128x128x3x3xf32>
  %y1 = task.call @large_filter(%x1, %w1) : (tensor<1x30x30x128xf32>, tensor<128x128x3x3xf32>) -> tensor<1x28x28x128xf32>
  %y2 = task.call @plane_of_any_size(%x2, %w0) : (tensor<1x?x?x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x?x?x64xf32>
  return
}

// Without a limit nothing changes. With one, the filter goes first whose bytes bring the least; when all must go, what is left is as the model has it.
// NONE-NOT: traded
// NONE-LABEL: task.def @small_filter(
// NONE-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>
// LEAST-LABEL: task.def @small_filter(
// LEAST-NOT: traded
// LEAST-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>
// ALL-LABEL: task.def @small_filter(
// ALL-NOT: #schedule.winograd
// ALL-SAME: traded = "the plain loops instead of F(4x4) by 1x14 tiles of filters transformed at compile time, for about {{[0-9]+}} cycles more"
task.def @small_filter(%x: tensor<1x58x58x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32> {
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

// Where a task may take less of the arena than all tiles need, they go through in blocks.
// NONE-LABEL: task.def @large_filter(
// NONE-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 7, columns = 7>
// LEAST-LABEL: task.def @large_filter(
// LEAST-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 7, columns = 7, channels = {{[0-9]+}}, depth = {{[0-9]+}}>
// LEAST-SAME: traded = "F(4x4) by 7x7 tiles of filters transformed at run time instead of F(4x4) by 7x7 tiles of filters transformed at compile time, for about {{[0-9]+}} cycles more"
// ALL-LABEL: task.def @large_filter(
// ALL-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 7, columns = 7, channels = {{[0-9]+}}, depth = {{[0-9]+}}>
// SCRATCH-LABEL: task.def @large_filter(
// SCRATCH-SAME: #schedule.winograd<nest = 0, outputs = {{[24]}}, rows = 1, columns = {{[0-9]+}}>
// SCRATCH-SAME: traded = "F({{.*}}x{{.*}}) by 1x
task.def @large_filter(%x: tensor<1x30x30x128xf32>, %w: tensor<128x128x3x3xf32>) -> tensor<1x28x28x128xf32> attributes {} {
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

// Nests that pass a plane on run in overlapped tiles of it, which the stack holds, where the rule alone would not have them.
#pixel = affine_map<(n, h, w, oc, ic) -> (n, h, w, ic)>
#matrix = affine_map<(n, h, w, oc, ic) -> (oc, ic)>
#expanded = affine_map<(n, h, w, oc, ic) -> (n, h, w, oc)>
#window = affine_map<(n, h, w, c, kh, kw) -> (n, h * 2 + kh, w * 2 + kw, c)>
#taps = affine_map<(n, h, w, c, kh, kw) -> (c, kh, kw)>
#filtered = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>
// NONE-LABEL: task.def @plane_between_nests(
// NONE-NOT: #schedule.fuse
// Blocks of few registers, of which the emission is less code; the nests stay.
// NONE-SAME: #schedule.tile<nest = 0, dim = 1, size = 8>
// REGISTERS-LABEL: task.def @plane_between_nests(
// REGISTERS-NOT: traded
// REGISTERS-SAME: #schedule.tile<nest = 0, dim = 1, size = 5>
// SCRATCH-LABEL: task.def @plane_between_nests(
// SCRATCH-SAME: #schedule.steps<#schedule.fuse<nest = 0, last = {{[0-9]+}}, size = 1>
// SCRATCH-SAME: traded = "overlapped tiles of 1 instead of the plain loops, for about {{[0-9]+}} cycles more"
task.def @plane_between_nests(%x: tensor<1x16x16x4xf32>, %w: tensor<8x4xf32>, %f: tensor<8x3x3xf32>) -> tensor<1x8x8x8xf32> attributes {} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %expansion = linalg.generic {indexing_maps = [#pixel, #matrix, #expanded],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x16x16x4xf32>, tensor<8x4xf32>) outs(%init : tensor<1x16x16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x16x8xf32>
  %padded = tensor.pad %expansion low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x8xf32> to tensor<1x17x17x8xf32>
  %out = tensor.empty() : tensor<1x8x8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %depthwise = linalg.generic {indexing_maps = [#window, #taps, #filtered],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %f : tensor<1x17x17x8xf32>, tensor<8x3x3xf32>) outs(%start : tensor<1x8x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x8xf32>
  task.return %depthwise : tensor<1x8x8x8xf32>
}

// A plane of dynamic size has two filters: a transformed one and, for what tiles leave of it, that of the model.
// NONE-LABEL: task.def @plane_of_any_size(
// NONE-SAME: #schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 12>
// ALL-LABEL: task.def @plane_of_any_size(
// ALL-NOT: #schedule.winograd
// ALL-SAME: traded = "the plain loops instead of F(4x4) by 1x12 tiles of filters transformed at compile time, for about {{[0-9]+}} cycles more"
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

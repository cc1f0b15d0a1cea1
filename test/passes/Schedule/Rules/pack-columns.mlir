// Which operands are packed although their rows are contiguous: constants of products, and few others.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l1_bytes=49152,l1_ways=12,l2_bytes=1048576 --build-loops --schedule-tasks | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<64x1000xf32>, %few: tensor<24x1000xf32>, %w: tensor<1000x1024xf32>, %v: tensor<1000x1000xf32>)
    -> (tensor<64x1024xf32>, tensor<24x1024xf32>, tensor<64x1000xf32>) {
  %y = task.call @rows_a_page_apart(%x, %w) : (tensor<64x1000xf32>, tensor<1000x1024xf32>) -> tensor<64x1024xf32>
  %z = task.call @few_uses(%few, %w) : (tensor<24x1000xf32>, tensor<1000x1024xf32>) -> tensor<24x1024xf32>
  %u = task.call @rows_spread_over_a_page(%x, %v) : (tensor<64x1000xf32>, tensor<1000x1000xf32>) -> tensor<64x1000xf32>
  return %y, %z, %u : tensor<64x1024xf32>, tensor<24x1024xf32>, tensor<64x1000xf32>
}

// A cache of 1 MiB has 256 lines for each place in a page, and a column has 1000 there.
// CHECK-LABEL: task.def @rows_a_page_apart(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
task.def @rows_a_page_apart(%x: tensor<64x1000xf32>, %w: tensor<1000x1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1000xf32>, tensor<1000x1024xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  task.return %r : tensor<64x1024xf32>
}

// The copy takes longer than it saves.
// CHECK-LABEL: task.def @few_uses(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @few_uses(%x: tensor<24x1000xf32>, %w: tensor<1000x1024xf32>) -> tensor<24x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x1024xf32>) -> tensor<24x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x1000xf32>, tensor<1000x1024xf32>) outs(%init : tensor<24x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<24x1024xf32>
  task.return %r : tensor<24x1024xf32>
}

// CHECK-LABEL: task.def @rows_spread_over_a_page(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @rows_spread_over_a_page(%x: tensor<64x1000xf32>, %w: tensor<1000x1000xf32>) -> tensor<64x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1000xf32>, tensor<1000x1000xf32>) outs(%init : tensor<64x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x1000xf32>
  task.return %r : tensor<64x1000xf32>
}

// The columns of the others collide in the first level only, which has 12 lines for each place in a page. Integers have
// smaller blocks, which read a column more often.
func.func @first_level(%x0: tensor<24x32xi64>, %w0: tensor<32x512xi64>,
                       %x1: tensor<23x32xi64>, %w1: tensor<32x512xi64>,
                       %x2: tensor<200x32xi32>, %w2: tensor<32x512xi32>,
                       %x3: tensor<199x32xi32>, %w3: tensor<32x512xi32>,
                       %x4: tensor<200x64xf32>, %w4: tensor<64x1024xf32>,
                       %x5: tensor<199x64xf32>, %w5: tensor<64x1024xf32>,
                       %x6: tensor<400x64xf32>, %w6: tensor<64x512xf32>,
                       %x7: tensor<24x12xi64>, %w7: tensor<12x512xi64>)
    -> (tensor<24x512xi64>, tensor<23x512xi64>, tensor<200x512xi32>, tensor<199x512xi32>,
        tensor<200x1024xf32>, tensor<199x1024xf32>, tensor<400x512xf32>, tensor<24x512xi64>) {
  %y0 = task.call @integers_a_page_apart(%x0, %w0) : (tensor<24x32xi64>, tensor<32x512xi64>) -> tensor<24x512xi64>
  %y1 = task.call @few_uses_of_integers(%x1, %w1) : (tensor<23x32xi64>, tensor<32x512xi64>) -> tensor<23x512xi64>
  %y2 = task.call @integers_half_a_page_apart(%x2, %w2) : (tensor<200x32xi32>, tensor<32x512xi32>) -> tensor<200x512xi32>
  %y3 = task.call @fewer_uses_half_a_page_apart(%x3, %w3) : (tensor<199x32xi32>, tensor<32x512xi32>) -> tensor<199x512xi32>
  %y4 = task.call @floats_a_page_apart(%x4, %w4) : (tensor<200x64xf32>, tensor<64x1024xf32>) -> tensor<200x1024xf32>
  %y5 = task.call @fewer_uses_of_floats(%x5, %w5) : (tensor<199x64xf32>, tensor<64x1024xf32>) -> tensor<199x1024xf32>
  %y6 = task.call @floats_half_a_page_apart(%x6, %w6) : (tensor<400x64xf32>, tensor<64x512xf32>) -> tensor<400x512xf32>
  %y7 = task.call @integers_that_fit(%x7, %w7) : (tensor<24x12xi64>, tensor<12x512xi64>) -> tensor<24x512xi64>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7
      : tensor<24x512xi64>, tensor<23x512xi64>, tensor<200x512xi32>, tensor<199x512xi32>,
        tensor<200x1024xf32>, tensor<199x1024xf32>, tensor<400x512xf32>, tensor<24x512xi64>
}

// CHECK-LABEL: task.def @integers_a_page_apart(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
task.def @integers_a_page_apart(%x: tensor<24x32xi64>, %w: tensor<32x512xi64>) -> tensor<24x512xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<24x512xi64>
  %init = linalg.fill ins(%zero : i64) outs(%empty : tensor<24x512xi64>) -> tensor<24x512xi64>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x32xi64>, tensor<32x512xi64>) outs(%init : tensor<24x512xi64>) {
  ^bb0(%p: i64, %q: i64, %acc: i64):
    %m = arith.muli %p, %q : i64
    %s = arith.addi %acc, %m : i64
    linalg.yield %s : i64
  } -> tensor<24x512xi64>
  task.return %r : tensor<24x512xi64>
}

// CHECK-LABEL: task.def @few_uses_of_integers(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @few_uses_of_integers(%x: tensor<23x32xi64>, %w: tensor<32x512xi64>) -> tensor<23x512xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<23x512xi64>
  %init = linalg.fill ins(%zero : i64) outs(%empty : tensor<23x512xi64>) -> tensor<23x512xi64>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<23x32xi64>, tensor<32x512xi64>) outs(%init : tensor<23x512xi64>) {
  ^bb0(%p: i64, %q: i64, %acc: i64):
    %m = arith.muli %p, %q : i64
    %s = arith.addi %acc, %m : i64
    linalg.yield %s : i64
  } -> tensor<23x512xi64>
  task.return %r : tensor<23x512xi64>
}

// CHECK-LABEL: task.def @integers_half_a_page_apart(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
task.def @integers_half_a_page_apart(%x: tensor<200x32xi32>, %w: tensor<32x512xi32>) -> tensor<200x512xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<200x512xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<200x512xi32>) -> tensor<200x512xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<200x32xi32>, tensor<32x512xi32>) outs(%init : tensor<200x512xi32>) {
  ^bb0(%p: i32, %q: i32, %acc: i32):
    %m = arith.muli %p, %q : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<200x512xi32>
  task.return %r : tensor<200x512xi32>
}

// CHECK-LABEL: task.def @fewer_uses_half_a_page_apart(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @fewer_uses_half_a_page_apart(%x: tensor<199x32xi32>, %w: tensor<32x512xi32>) -> tensor<199x512xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<199x512xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<199x512xi32>) -> tensor<199x512xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<199x32xi32>, tensor<32x512xi32>) outs(%init : tensor<199x512xi32>) {
  ^bb0(%p: i32, %q: i32, %acc: i32):
    %m = arith.muli %p, %q : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<199x512xi32>
  task.return %r : tensor<199x512xi32>
}

// CHECK-LABEL: task.def @floats_a_page_apart(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
task.def @floats_a_page_apart(%x: tensor<200x64xf32>, %w: tensor<64x1024xf32>) -> tensor<200x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<200x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<200x1024xf32>) -> tensor<200x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<200x64xf32>, tensor<64x1024xf32>) outs(%init : tensor<200x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<200x1024xf32>
  task.return %r : tensor<200x1024xf32>
}

// CHECK-LABEL: task.def @fewer_uses_of_floats(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @fewer_uses_of_floats(%x: tensor<199x64xf32>, %w: tensor<64x1024xf32>) -> tensor<199x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<199x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<199x1024xf32>) -> tensor<199x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<199x64xf32>, tensor<64x1024xf32>) outs(%init : tensor<199x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<199x1024xf32>
  task.return %r : tensor<199x1024xf32>
}

// CHECK-LABEL: task.def @floats_half_a_page_apart(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @floats_half_a_page_apart(%x: tensor<400x64xf32>, %w: tensor<64x512xf32>) -> tensor<400x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<400x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<400x512xf32>) -> tensor<400x512xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<400x64xf32>, tensor<64x512xf32>) outs(%init : tensor<400x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<400x512xf32>
  task.return %r : tensor<400x512xf32>
}

// CHECK-LABEL: task.def @integers_that_fit(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @integers_that_fit(%x: tensor<24x12xi64>, %w: tensor<12x512xi64>) -> tensor<24x512xi64> {
  %zero = arith.constant 0 : i64
  %empty = tensor.empty() : tensor<24x512xi64>
  %init = linalg.fill ins(%zero : i64) outs(%empty : tensor<24x512xi64>) -> tensor<24x512xi64>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x12xi64>, tensor<12x512xi64>) outs(%init : tensor<24x512xi64>) {
  ^bb0(%p: i64, %q: i64, %acc: i64):
    %m = arith.muli %p, %q : i64
    %s = arith.addi %acc, %m : i64
    linalg.yield %s : i64
  } -> tensor<24x512xi64>
  task.return %r : tensor<24x512xi64>
}

#windows = affine_map<(h, w, c, k) -> (h, w * 2 + k, c)>
#taps = affine_map<(h, w, c, k) -> (c, k)>
#pixels = affine_map<(h, w, c, k) -> (h, w, c)>

func.func @windows_of_constant(%f: tensor<28x3xf32>) -> tensor<256x15x28xf32> {
  %x = arith.constant dense<1.0> : tensor<256x31x28xf32>
  %y = task.call @overlapping_windows(%x, %f) : (tensor<256x31x28xf32>, tensor<28x3xf32>) -> tensor<256x15x28xf32>
  return %y : tensor<256x15x28xf32>
}

// Packed, the constant would hold elements several times, once for each window.
// CHECK-LABEL: task.def @overlapping_windows(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 16>
//   CHECK-NOT: #schedule.pack<nest = 0, buffer = 0>
//       CHECK: task.return
task.def @overlapping_windows(%x: tensor<256x31x28xf32>, %f: tensor<28x3xf32>) -> tensor<256x15x28xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x15x28xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x15x28xf32>) -> tensor<256x15x28xf32>
  %r = linalg.generic {indexing_maps = [#windows, #taps, #pixels], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %f : tensor<256x31x28xf32>, tensor<28x3xf32>) outs(%init : tensor<256x15x28xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x15x28xf32>
  task.return %r : tensor<256x15x28xf32>
}

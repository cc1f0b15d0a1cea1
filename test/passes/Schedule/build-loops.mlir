// RUN: cameo-opt %s --build-loops -verify-diagnostics | FileCheck %s

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>
#point = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// What follows a reduction works on its result; what is the same in each of its steps is read inside, where only the steps need it. A constant at every
// call is packable.
// CHECK-LABEL: task.def @product_and_bias(
//       CHECK: loop.program(%{{.*}}, %{{.*}}, %{{.*}})
//  CHECK-NEXT:   %in0 = loop.buffer argument 0 : memref<32xf32>
//  CHECK-NEXT:   %in1 = loop.buffer argument 1 packable : memref<32xf32>
//  CHECK-NEXT:   %in2 = loop.buffer argument 2 : memref<4xf32>
//  CHECK-NEXT:   %out0 = loop.buffer result 0 : memref<16xf32>
//  CHECK-NEXT:   loop.group {
//  CHECK-NEXT:     loop.nest "nest0" (%d0: 4, %d1: 4, %d2: reduce 8) {
//  CHECK-NEXT:       %[[ZERO:.*]] = arith.constant 0.0
//  CHECK-NEXT:       %[[SUM:.*]] = loop.reduce(%acc0 = %[[ZERO]] : f32) {
//  CHECK-NEXT:         %[[L:.*]] = loop.load %in0[%d0 * 8 + %d2]
//  CHECK-NEXT:         %[[R:.*]] = loop.load %in1[%d1 + %d2 * 4]
//  CHECK-NEXT:         %[[M:.*]] = arith.mulf %[[L]], %[[R]]
//  CHECK-NEXT:         %[[S:.*]] = arith.addf %acc0, %[[M]]
//  CHECK-NEXT:         loop.yield %[[S]]
//  CHECK-NEXT:       }
//  CHECK-NEXT:       %[[B:.*]] = loop.load %in2[%d1]
//  CHECK-NEXT:       %[[Y:.*]] = arith.addf %[[SUM]], %[[B]]
//  CHECK-NEXT:       loop.store %[[Y]], %out0[%d0 * 4 + %d1]
task.def @product_and_bias(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %bias: tensor<4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#left, #right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#point, #column, #point], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %bias : tensor<4x4xf32>, tensor<4xf32>) outs(%empty : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  task.return %y : tensor<4x4xf32>
}

func.func @main(%x: tensor<4x8xf32>, %bias: tensor<4xf32>) -> tensor<4x4xf32> {
  %w = arith.constant dense<1.0> : tensor<8x4xf32>
  %y = task.call @product_and_bias(%x, %w, %bias) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// A size of the run stands in extents, strides and buffers; what is not linear is computed.
// CHECK-LABEL: task.def @rows_of_a_table(
//       CHECK:   loop.buffer argument 0 : memref<40xf32>
//  CHECK-NEXT:   %[[ROWS:.*]] = loop.buffer argument 1 elements "n" : memref<?xi64>
//  CHECK-NEXT:   %[[OUT:.*]] = loop.buffer result 0 elements "4*n" : memref<?xf32>
//  CHECK-NEXT:   loop.group {
//  CHECK-NEXT:     loop.nest "nest0" (%d0: "n", %d1: 4) {
//  CHECK-NEXT:       %[[ROW:.*]] = loop.load %[[ROWS]][%d0]
//  CHECK-NEXT:       %[[I:.*]] = arith.index_cast %[[ROW]]
//  CHECK-NEXT:       %[[V:.*]] = loop.load %in0[%d1 + %[[I]] * 4]
//  CHECK-NEXT:       loop.store %[[V]], %[[OUT]][%d0 * 4 + %d1]
task.def @rows_of_a_table(%table: tensor<10x4xf32>, %rows: tensor<?xi64> {task.dims = #onnx.dims<["n"]>}) -> (tensor<?x4xf32> {task.dims = #onnx.dims<["n", ""]>}) {
  %n = task.size "n"
  %empty = tensor.empty(%n) : tensor<?x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<?xi64>) outs(%empty : tensor<?x4xf32>) {
  ^bb0(%row: i64, %old: f32):
    %i = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<10x4xf32>
    linalg.yield %v : f32
  } -> tensor<?x4xf32>
  task.return %y : tensor<?x4xf32>
}

// expected-remark @below {{is lowered on the naive path: a loop that yields one of its tensors in the place of another}}
task.def @exchanged_states(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  task.return %r#0 : tensor<4xf32>
}

// expected-remark @below {{is lowered on the naive path: a nested loop}}
task.def @loop_inside_of_a_loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x) -> tensor<4xf32> {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %t) -> tensor<4xf32> {
      scf.yield %u : tensor<4xf32>
    }
    scf.yield %inner : tensor<4xf32>
  }
  task.return %r : tensor<4xf32>
}

// expected-remark @below {{is lowered on the naive path: a loop that carries values other than tensors}}
task.def @loop_that_carries_a_number(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x, %n = %c0) -> (tensor<4xf32>, index) {
    scf.yield %t, %i : tensor<4xf32>, index
  }
  task.return %r#0 : tensor<4xf32>
}

// expected-remark @below {{is lowered on the naive path: a loop whose length follows from none of the model's sizes}}
task.def @loop_to_a_computed_end(%x: tensor<4xf32>, %n: tensor<index>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = tensor.extract %n[] : tensor<index>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%t = %x) -> tensor<4xf32> {
    scf.yield %t : tensor<4xf32>
  }
  task.return %r : tensor<4xf32>
}

// expected-remark @below {{is lowered on the naive path: a slice of a tensor at an offset that is not linear}}
task.def @part_at_a_place_from_data(%x: tensor<4xf32>, %n: tensor<index>) -> tensor<1xf32> {
  %at = tensor.extract %n[] : tensor<index>
  %r = tensor.extract_slice %x[%at] [1] [1] : tensor<4xf32> to tensor<1xf32>
  task.return %r : tensor<1xf32>
}

// expected-remark @below {{is lowered on the naive path: tensor.from_elements: no loop nest is built from it}}
task.def @what_has_no_loop_nest_says_why(%x: tensor<1xf32>) -> tensor<1xf32> {
  %number = arith.constant 1.0 : f32
  %r = tensor.from_elements %number : tensor<1xf32>
  task.return %r : tensor<1xf32>
}

// A part of a table whose place no loop changes is read where it lies, however often.
// CHECK-LABEL: task.def @selected_part(
//       CHECK: loop.nest "nest0" (%d0: 4, %d1: 4, %d2: reduce 8) {
//       CHECK:   loop.reduce
//       CHECK:     loop.load %in2[0]
//       CHECK:     loop.load %in1[%d1 + %d2 * 4 + %{{.*}} * 32]
//   CHECK-NOT: loop.nest
task.def @selected_part(%a: tensor<4x8xf32>, %table: tensor<3x8x4xf32>, %i: tensor<i64>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %part_empty = tensor.empty() : tensor<8x4xf32>
  %part = linalg.generic {indexing_maps = [affine_map<(k, n) -> ()>, affine_map<(k, n) -> (k, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<i64>) outs(%part_empty : tensor<8x4xf32>) {
  ^bb0(%number: i64, %old: f32):
    %place = arith.index_cast %number : i64 to index
    %k = linalg.index 0 : index
    %n = linalg.index 1 : index
    %element = tensor.extract %table[%place, %k, %n] : tensor<3x8x4xf32>
    linalg.yield %element : f32
  } -> tensor<8x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.generic {indexing_maps = [#left, #right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %part : tensor<4x8xf32>, tensor<8x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%left: f32, %right: f32, %acc: f32):
    %p = arith.mulf %left, %right : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  task.return %y : tensor<4x4xf32>
}

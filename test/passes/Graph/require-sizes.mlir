// RUN: cameo-opt %s --require-sizes --split-input-file | FileCheck %s
// RUN: cameo-opt %s --require-sizes=differences --split-input-file | FileCheck %s --check-prefix=DIFFERENCES

// CHECK-LABEL: func.func @reshape_keeps_the_elements
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"4*n - 8">]}
func.func @reshape_keeps_the_elements(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %shape: tensor<1xi64>) -> tensor<8xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @products_join_columns_and_rows
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"k - 8">]}
func.func @products_join_columns_and_rows(%a: tensor<2x?xf32, #onnx.dims<["", "k"]>>, %b: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.MatMul"(%a, %b) : (tensor<2x?xf32, #onnx.dims<["", "k"]>>, tensor<8x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @products_have_one_batch
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"m - n">]}
func.func @products_have_one_batch(%a: tensor<?x2x8xi8, #onnx.dims<["n", "", ""]>>, %b: tensor<?x8x3xi8, #onnx.dims<["m", "", ""]>>, %none: none)
    -> tensor<?x2x3xi32, #onnx.dims<["n", "", ""]>> {
  %0 = "onnx.MatMulInteger"(%a, %b, %none, %none) : (tensor<?x2x8xi8, #onnx.dims<["n", "", ""]>>, tensor<?x8x3xi8, #onnx.dims<["m", "", ""]>>, none, none) -> tensor<?x2x3xi32, #onnx.dims<["n", "", ""]>>
  return %0 : tensor<?x2x3xi32, #onnx.dims<["n", "", ""]>>
}

// -----

// CHECK-LABEL: func.func @an_index_has_one_size
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"k - 8">, #dim.expr<"m - n">]}
func.func @an_index_has_one_size(%a: tensor<?x?xf32, #onnx.dims<["n", "k"]>>, %b: tensor<8x?xf32, #onnx.dims<["", "m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Einsum"(%a, %b) {equation = "ik,ki->i"} : (tensor<?x?xf32, #onnx.dims<["n", "k"]>>, tensor<8x?xf32, #onnx.dims<["", "m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %0 : tensor<?xf32, #onnx.dims<["n"]>>
}

// -----

// CHECK-LABEL: func.func @what_expands_has_the_size_that_is_asked_for_or_one
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"m + n*n - m*n - n">, #dim.expr<"k*k + 8 - 9*k">]}
func.func @what_expands_has_the_size_that_is_asked_for_or_one(%x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["m"]>>, %z: tensor<?xf32, #onnx.dims<["k"]>>)
    -> (tensor<?xf32, #onnx.dims<["m"]>>, tensor<8xf32>) {
  %shape = "onnx.Shape"(%y) : (tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<1xi64>
  %0 = "onnx.Expand"(%x, %shape) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>) -> tensor<?xf32, #onnx.dims<["m"]>>
  %eight = onnx.Constant {value = dense<8> : tensor<1xi64>} : tensor<1xi64>
  %1 = "onnx.Expand"(%z, %eight) : (tensor<?xf32, #onnx.dims<["k"]>>, tensor<1xi64>) -> tensor<8xf32>
  return %0, %1 : tensor<?xf32, #onnx.dims<["m"]>>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @two_names_broadcast
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"total - past - seq">]}
func.func @two_names_broadcast(%a: tensor<?xf32, #onnx.dims<["past + seq"]>>, %b: tensor<?xf32, #onnx.dims<["total"]>>, %c: tensor<?x?xf32, #onnx.dims<["past", "seq"]>>)
    -> tensor<?xf32, #onnx.dims<["past + seq"]>> {
  %0 = "onnx.Add"(%a, %b) : (tensor<?xf32, #onnx.dims<["past + seq"]>>, tensor<?xf32, #onnx.dims<["total"]>>) -> tensor<?xf32, #onnx.dims<["past + seq"]>>
  return %0 : tensor<?xf32, #onnx.dims<["past + seq"]>>
}

// -----

// CHECK-LABEL: func.func @operands_broadcast
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"n - 5">]}
func.func @operands_broadcast(%a: tensor<?x1xf32, #onnx.dims<["n", ""]>>, %b: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = "onnx.Add"(%a, %b) : (tensor<?x1xf32, #onnx.dims<["n", ""]>>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @concat_joins_one_axis
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"n - 5">]}
func.func @concat_joins_one_axis(%a: tensor<?x?xf32, #onnx.dims<["n", "m"]>>, %b: tensor<5x3xf32>) -> tensor<5x?xf32, #onnx.dims<["", "m + 3"]>> {
  %0 = "onnx.Concat"(%a, %b) {axis = -1 : i64} : (tensor<?x?xf32, #onnx.dims<["n", "m"]>>, tensor<5x3xf32>) -> tensor<5x?xf32, #onnx.dims<["", "m + 3"]>>
  return %0 : tensor<5x?xf32, #onnx.dims<["", "m + 3"]>>
}

// -----

// Equal names need no statement.
// CHECK-LABEL: func.func @equal_names
// CHECK-NOT: onnx.zero_sizes
func.func @equal_names(%a: tensor<?xf32, #onnx.dims<["n"]>>, %b: tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Add"(%a, %b) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %0 : tensor<?xf32, #onnx.dims<["n"]>>
}

// -----

// What the attribute says of the window, and what the groups say of the channels.
// CHECK-LABEL: func.func @kernels_are_those_of_the_weights
// CHECK-SAME: attributes {onnx.sizes = [#dim.expr<"k - 1">], onnx.zero_sizes = [#dim.expr<"c - 4">, #dim.expr<"3 - k">]}
func.func @kernels_are_those_of_the_weights(%x: tensor<1x?x8xf32, #onnx.dims<["", "c", ""]>>, %w: tensor<6x2x?xf32, #onnx.dims<["", "", "k"]>>) -> tensor<1x6x6xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {group = 2 : i64, kernel_shape = array<i64: 3>}
      : (tensor<1x?x8xf32, #onnx.dims<["", "c", ""]>>, tensor<6x2x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<1x6x6xf32>
  return %0 : tensor<1x6x6xf32>
}

// -----

// CHECK-LABEL: func.func @heads_divide
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"n - 2*floor((n)/2)">]}
func.func @heads_divide(%x: tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>) -> tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>> {
  %none = onnx.None
  %0:2 = onnx.LinearAttention %x, %x, %x, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "linear"}
      : (tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, none, none, none)
      -> (tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, none)
  return %0#0 : tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>
}

// -----

// CHECK-LABEL: func.func @parts_are_the_whole
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"5 - n">]}
func.func @parts_are_the_whole(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> (tensor<2xf32>, tensor<3xf32>) {
  %s = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0:2 = onnx.Split %x, %s : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<2xi64>) -> (tensor<2xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
}

// -----

// What was stated before stays, and sizes that might be negative are named on request.
// CHECK-LABEL: func.func @differences
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"m - 3">]}
// DIFFERENCES-LABEL: func.func @differences
// DIFFERENCES-SAME: attributes {onnx.sizes = [#dim.expr<"n - 1">], onnx.zero_sizes = [#dim.expr<"m - 3">]}
func.func @differences(%x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n - 1"]>>
    attributes {onnx.zero_sizes = [#dim.expr<"m - 3">]} {
  %none = onnx.None
  %1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %x, %1, %end, %axis, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<?xf32, #onnx.dims<["n - 1"]>>
  return %0 : tensor<?xf32, #onnx.dims<["n - 1"]>>
}

// -----

// A slice of one element needs one to be there.
// DIFFERENCES-LABEL: func.func @last_element
// DIFFERENCES-SAME: attributes {onnx.sizes = [#dim.expr<"n - 1">]}
func.func @last_element(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xf32> {
  %none = onnx.None
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %x, %last, %end, %axis, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// The third from the end, and the second: more than one is needed.
// DIFFERENCES-LABEL: func.func @elements_inside
// DIFFERENCES-SAME: attributes {onnx.sizes = [#dim.expr<"m - 2">, #dim.expr<"n - 3">]}
func.func @elements_inside(%x: tensor<?x?xf32, #onnx.dims<["n", "m"]>>) -> tensor<1x1xf32> {
  %none = onnx.None
  %starts = onnx.Constant {value = dense<[1, -3]> : tensor<2xi64>} : tensor<2xi64>
  %ends = onnx.Constant {value = dense<[2, -2]> : tensor<2xi64>} : tensor<2xi64>
  %axes = onnx.Constant {value = dense<[1, -2]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Slice %x, %starts, %ends, %axes, %none : (tensor<?x?xf32, #onnx.dims<["n", "m"]>>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, none) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// -----

// A size that is counted meets one that the run chooses.
// CHECK-LABEL: func.func @counted
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"4*found - 4*seq">]}
func.func @counted(%x: tensor<8x4xf32>, %n: tensor<i64>, %ids: tensor<?xi64, #onnx.dims<["seq"]>>) -> tensor<?x4xf32, #onnx.dims<["seq", ""]>> {
  %0 = onnx.Prefix %x, %n : (tensor<8x4xf32>, tensor<i64>) -> tensor<?x4xf32, #onnx.dims<["found", ""]>>
  %1 = onnx.Shape %ids : (tensor<?xi64, #onnx.dims<["seq"]>>) -> tensor<1xi64>
  %2 = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %3 = onnx.Concat %1, %2 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %4 = onnx.Reshape %0, %3 : (tensor<?x4xf32, #onnx.dims<["found", ""]>>, tensor<2xi64>) -> tensor<?x4xf32, #onnx.dims<["seq", ""]>>
  return %4 : tensor<?x4xf32, #onnx.dims<["seq", ""]>>
}

// -----

// Indices choose from elements, and only where there are indices.
// CHECK-LABEL: func.func @gather_of_nothing
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"min(3*k - 1, 0)*min(n - 1, 0) + min(n - 1, 0)">]}
func.func @gather_of_nothing(%x: tensor<?x3xf32, #onnx.dims<["n", ""]>>, %i: tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<?x3xf32, #onnx.dims<["k", ""]>> {
  %0 = onnx.Gather %x, %i : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<?x3xf32, #onnx.dims<["k", ""]>>
  return %0 : tensor<?x3xf32, #onnx.dims<["k", ""]>>
}

// -----

// What is scattered lies inside along the other axes, and has as many updates as indices.
// CHECK-LABEL: func.func @scatter_elements
// CHECK-SAME: onnx.sizes = [#dim.expr<"n - k">]
// CHECK-SAME: onnx.zero_sizes = [#dim.expr<"p - k">, #dim.expr<"2 - l">]
func.func @scatter_elements(%x: tensor<?x5xf32, #onnx.dims<["n", ""]>>, %i: tensor<?x?xi64, #onnx.dims<["k", "l"]>>, %u: tensor<?x2xf32, #onnx.dims<["p", ""]>>)
    -> tensor<?x5xf32, #onnx.dims<["n", ""]>> {
  %0 = onnx.ScatterElements %x, %i, %u {axis = 1 : i64} : (tensor<?x5xf32, #onnx.dims<["n", ""]>>, tensor<?x?xi64, #onnx.dims<["k", "l"]>>, tensor<?x2xf32, #onnx.dims<["p", ""]>>)
      -> tensor<?x5xf32, #onnx.dims<["n", ""]>>
  return %0 : tensor<?x5xf32, #onnx.dims<["n", ""]>>
}

// -----

// Groups divide the channels.
// CHECK-LABEL: func.func @groups_divide
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"s - c">, #dim.expr<"b - c">, #dim.expr<"c - 2*floor((c)/2)">]}
func.func @groups_divide(%x: tensor<2x?x3xf32, #onnx.dims<["", "c", ""]>>, %s: tensor<?xf32, #onnx.dims<["s"]>>, %b: tensor<?xf32, #onnx.dims<["b"]>>)
    -> tensor<2x?x3xf32, #onnx.dims<["", "c", ""]>> {
  %0 = onnx.GroupNormalization %x, %s, %b {num_groups = 2 : i64} : (tensor<2x?x3xf32, #onnx.dims<["", "c", ""]>>, tensor<?xf32, #onnx.dims<["s"]>>, tensor<?xf32, #onnx.dims<["b"]>>)
      -> tensor<2x?x3xf32, #onnx.dims<["", "c", ""]>>
  return %0 : tensor<2x?x3xf32, #onnx.dims<["", "c", ""]>>
}

// -----

// Runs that take the other branch need not have operands of one size.
// CHECK-LABEL: func.func @a_branch_checks_what_it_needs_itself
// CHECK-NOT: zero_sizes
// CHECK-SAME: (%[[C:[a-z0-9]*]]: tensor<i1>, %[[X:[a-z0-9]*]]: tensor<?xf32
// CHECK: %[[ROWS:.*]] = onnx.Prefix %[[X]], %{{.*}}
// CHECK: %[[CHECKED:.*]] = onnx.Reshape %[[ROWS]], %{{.*}} -> tensor<?xf32, #onnx.dims<["n"]>>
// CHECK: %[[SUM:.*]] = onnx.Add %[[CHECKED]], %{{.*}}
// CHECK: onnx.Choose %[[C]], %[[SUM]], %{{.*}}
// DIFFERENCES-LABEL: func.func @a_branch_checks_what_it_needs_itself
// DIFFERENCES-NOT: zero_sizes
// DIFFERENCES-NOT: onnx.Prefix
func.func @a_branch_checks_what_it_needs_itself(%c: tensor<i1>, %x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Add"(%x, %y) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %1 = "onnx.Neg"(%x) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = "onnx.Choose"(%c, %0, %1) : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %2 : tensor<?xf32, #onnx.dims<["n"]>>
}

// -----

// No size that is known before the branch has the name.
// CHECK-LABEL: func.func @sums_of_names_are_held_to_in_every_run
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"past + seq - n">]}
func.func @sums_of_names_are_held_to_in_every_run(%c: tensor<i1>, %x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["past + seq"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Add"(%x, %y) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["past + seq"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %1 = "onnx.Neg"(%x) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = "onnx.Choose"(%c, %0, %1) : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %2 : tensor<?xf32, #onnx.dims<["n"]>>
}

// -----

// What branches of two conditions share, and a run that takes neither need not be able to compute, is there once for each.
// CHECK-LABEL: func.func @branches_share_no_check
// DIFFERENCES-LABEL: func.func @branches_share_no_check
// CHECK-NOT: zero_sizes
// CHECK-SAME: (%[[C:[a-z0-9]*]]: tensor<i1>, %[[D:[a-z0-9]*]]: tensor<i1>, %[[X:[a-z0-9]*]]: tensor<?xf32
// CHECK: %[[OTHER:.*]] = onnx.Neg %[[X]]
// CHECK: %[[FIRST:.*]] = onnx.Prefix %[[X]], %{{.*}}
// CHECK: %[[CHECKED:.*]] = onnx.Reshape %[[FIRST]]
// CHECK: %[[SUM:.*]] = onnx.Add %[[CHECKED]], %{{.*}}
// CHECK: %[[BENT:.*]] = onnx.Tanh %[[SUM]]
// CHECK: onnx.Choose %[[C]], %[[BENT]], %[[OTHER]]
// CHECK: %[[SECOND:.*]] = onnx.Prefix %[[X]], %{{.*}}
// CHECK: %[[CHECKED2:.*]] = onnx.Reshape %[[SECOND]]
// CHECK: %[[SUM2:.*]] = onnx.Add %[[CHECKED2]], %{{.*}}
// CHECK: %[[BENT2:.*]] = onnx.Tanh %[[SUM2]]
// CHECK: onnx.Choose %[[D]], %[[OTHER]], %[[BENT2]]
func.func @branches_share_no_check(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["m"]>>) -> (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) {
  %0 = "onnx.Add"(%x, %y) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %1 = "onnx.Tanh"(%0) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = "onnx.Neg"(%x) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %3 = "onnx.Choose"(%c, %1, %2) : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %4 = "onnx.Choose"(%d, %2, %1) : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %3, %4 : tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>
}

// -----

// Every run takes one of the branches of a condition: what both need all runs must be able to compute.
// CHECK-LABEL: func.func @both_branches_share_on
// CHECK-SAME: attributes {onnx.zero_sizes = [#dim.expr<"m - n">]}
// CHECK: onnx.Add
// CHECK-NOT: onnx.Add
func.func @both_branches_share_on(%c: tensor<i1>, %x: tensor<?xf32, #onnx.dims<["n"]>>, %y: tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Add"(%x, %y) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %1 = "onnx.Tanh"(%0) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = "onnx.Neg"(%0) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %3 = "onnx.Choose"(%c, %1, %2) : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %3 : tensor<?xf32, #onnx.dims<["n"]>>
}

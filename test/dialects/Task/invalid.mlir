// RUN: cameo-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected sizes and strides of one rank}}
#packing_c1_ranks_differ = #task.packing<elements = 4, nests = [[0, 0, [2, 2], [], []]]>

// -----

// expected-error @below {{expected nest sizes of at least 1}}
#packing_c2_empty_nest = #task.packing<elements = 4, nests = [[0, 0, [0], [1], [1]]]>

// -----

// expected-error @below {{expected a nest within 4 elements, got one that reaches element 4}}
#packing_c3_behind_end = #task.packing<elements = 4, nests = [[1, 0, [4], [1], [1]]]>

// -----

// expected-error @below {{expected a nest within 4 elements, got one that reaches element -1}}
#packing_c3_before_begin = #task.packing<elements = 4, nests = [[0, 0, [2], [-1], [1]]]>

// -----

// expected-error @below {{expected a nest that reads from element 0 on}}
#packing_c4_source_before_begin = #task.packing<elements = 4, nests = [[0, 1, [4], [1], [-1]]]>

// -----

// expected-error @below {{expected a matrix of 2 rows}}
#packing_c5_rows = #task.packing<elements = 4, nests = [[0, 0, [2], [1], [1], [0, 1, [1, 1], [1, 0], [0, 1]]]]>

// -----

// expected-error @below {{expected a matrix for one of 1 dimensions, got 1}}
#packing_c5_dimension = #task.packing<elements = 4, nests = [[0, 0, [2], [1], [1], [1, 1, [1, 1], [1, 0]]]]>

// -----

// expected-error @below {{expected rows of equal length}}
#packing_c6_ragged = #task.packing<elements = 4, nests = [[0, 0, [2], [1], [1], [0, 1, [1, 1], [1]]]]>

// -----

// expected-error @below {{expected one matrix for dimension 0}}
#packing_c7_twice = #task.packing<elements = 4, nests = [[0, 0, [1], [1], [1], [0, 1, [1]], [0, 1, [1]]]]>

// -----

// expected-error @below {{expected a denominator of at least 1, got 0}}
#packing_c8_denominator = #task.packing<elements = 4, nests = [[0, 0, [1], [1], [1], [0, 0, [1]]]]>

// -----

// expected-error @below {{expected a size of at least 0 elements, got -1}}
#packing_negative_size = #task.packing<elements = -1, nests = []>

// -----

// expected-error @below {{expected one-dimensional memrefs, got 'memref<2x2xf32>'}}
task.def @def_c1_matrix(%x: memref<2x2xf32>) {
  task.return
}

// -----

task.def @def_c1_computes_in_buffer_form(%x: memref<4xf32>) {
  // expected-error @below {{expected only task.scratch, task.counters, task.dispatch and task.extern_call in a task.def in buffer form}}
  %0 = arith.constant 0 : index
  task.return
}

// -----

// expected-error @below {{expected a packing to 4 elements, got 8}}
task.def @def_c2_packing_size(%x: memref<4xf32> {task.packing = #task.packing<elements = 8, nests = []>}) {
  task.return
}

// -----

// expected-error @below {{expected task.packing to be a #task.packing}}
task.def @def_c2_packing_kind(%x: memref<4xf32> {task.packing = 4}) {
  task.return
}

// -----

// expected-error @below {{expected task.inplace to be the number of a result}}
task.def @def_c2_inplace_kind(%x: memref<4xf32> {task.inplace = "first"}) {
  task.return
}

// -----

// expected-error @below {{expected no argument attribute named "task.sideways"}}
task.def @def_c2_unknown_attribute(%x: memref<4xf32> {task.sideways}) {
  task.return
}

// -----

// expected-error @below {{expected "task.inplace" on a task.def in buffer form}}
task.def @def_c2_attribute_in_tensor_form(%x: tensor<4xf32> {task.inplace = 0}) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected a packing to a buffer of static size, got 'memref<?xf32>'}}
task.def @def_c2_packing_of_unknown_size(%x: memref<?xf32> {task.elements = #dim.expr<"n">, task.packing = #task.packing<elements = 8, nests = []>}) {
  task.return
}

// -----

// expected-error @below {{expected task.elements to be an expression, got 4}}
task.def @def_c2_elements_kind(%x: memref<?xf32> {task.elements = 4}) {
  task.return
}

// -----

// expected-error @below {{expected a task.return at the end}}
task.def @def_c3_other_terminator(%x: tensor<4xf32>) {
  "llvm.unreachable"() : () -> ()
}

// -----

task.def @def_c4_result_types(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected the result types of the task}}
  task.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected task.elements if and only if the buffer has unknown size, got argument #0 of 'memref<?xf32>'}}
task.def @def_c5_elements_missing(%x: memref<?xf32>) {
  task.return
}

// -----

// expected-error @below {{expected task.elements if and only if the buffer has unknown size, got argument #0 of 'memref<4xf32>'}}
task.def @def_c5_elements_of_static_buffer(%x: memref<4xf32> {task.elements = #dim.expr<"n">}) {
  task.return
}

// -----

// expected-error @below {{expected task.dims to be one expression per dimension of a tensor, got #onnx.dims<["n"]> on 'tensor<?x4xf32>'}}
task.def @def_c6_rank(%x: tensor<?x4xf32> {task.dims = #onnx.dims<["n"]>}) {
  task.return
}

// -----

// expected-error @below {{expected task.dims to name exactly the dimensions of unknown size of 'tensor<?x4xf32>', got #onnx.dims<["n", "m"]>}}
task.def @def_c6_name_of_number(%x: tensor<?x4xf32>) -> (tensor<?x4xf32> {task.dims = #onnx.dims<["n", "m"]>}) {
  task.return %x : tensor<?x4xf32>
}

// -----

// expected-error @below {{expected no result attribute named "task.elements"}}
task.def @def_c6_other_attribute_of_result(%x: tensor<?x4xf32>) -> (tensor<?x4xf32> {task.elements = #dim.expr<"n">}) {
  task.return %x : tensor<?x4xf32>
}

// -----

func.func @call_c1_unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a task.def named nowhere}}
  %0 = task.call @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

task.def @copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  task.return %x : tensor<4xf32>
}
func.func @call_c2_types(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected the types of the task, '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = task.call @copy(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

task.def @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  task.return
}
func.func @call_c3_count(%x: tensor<4xf32>) {
  // expected-error @below {{expected 2 inputs and outputs, got 1}}
  task.call @copy(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

task.def @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  task.return
}
func.func @call_c3_size(%x: tensor<2x2xf32>) -> tensor<3xf32> {
  // expected-error @below {{expected a tensor of the size of 'memref<4xf32>', got 'tensor<3xf32>'}}
  %0 = task.call @copy(%x) : (tensor<2x2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

task.def @read(%x: memref<4xf32> {task.packing = #task.packing<elements = 4, nests = [[0, 0, [4], [1], [1]]]>}) {
  task.return
}
func.func @call_c4_packing_of_argument(%x: tensor<4xf32>) {
  // expected-error @below {{expected input #0 to be a constant, because the task reads it in a new layout}}
  task.call @read(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

task.def @read(%x: memref<4xf32> {task.packing = #task.packing<elements = 4, nests = [[0, 0, [4], [1], [1]]]>}) {
  task.return
}
func.func @call_c5_packing_reads_behind_end() {
  %x = arith.constant dense<0.0> : tensor<3xf32>
  // expected-error @below {{expected a packing that reads at most 3 elements of input #0, got 4}}
  task.call @read(%x) : (tensor<3xf32>) -> ()
  return
}

// -----

task.def @negate(%x: memref<4xf32> {task.inplace = 1}, %y: memref<4xf32>) {
  task.return
}
func.func @call_c6_inplace_of_unknown_result(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected task.inplace of argument #0 to name one of 1 results}}
  %0 = task.call @negate(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

task.def @copy(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
  task.return
}
func.func @call_c3_static_tensor(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tensor of the size of 'memref<?xf32>', got 'tensor<4xf32>'}}
  %0 = task.call @copy(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @size_of_no_name() {
  // expected-error @below {{expected an expression over dimension names, got ""}}
  %0 = task.size ""
  return
}

// -----

task.def @scratch_c1_elements_missing() {
  // expected-error @below {{expected elements if and only if the buffer has unknown size, got 'memref<?xf32>'}}
  %0 = task.scratch : memref<?xf32>
  task.return
}

// -----

task.def @scratch_c1_static_size() {
  // expected-error @below {{expected elements if and only if the buffer has unknown size, got 'memref<4xf32>'}}
  %0 = task.scratch elements "n" : memref<4xf32>
  task.return
}

// -----

func.func @view_c1_element_type(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @below {{expected the element type 'f32', got 'i32'}}
  %0 = task.view %x : tensor<4xf32> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @view_c2_elements(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @below {{expected 4 elements, got 5}}
  %0 = task.view %x : tensor<4xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @dispatch_c1_unknown(%x: memref<4xf32>) {
  // expected-error @below {{expected a kernel named nowhere}}
  task.dispatch @nowhere(%x) extent 1 : memref<4xf32>
  return
}

// -----

func.func private @kernel(memref<4xf32>, index, index)
func.func @dispatch_c2_count(%x: memref<4xf32>) {
  // expected-error @below {{expected a kernel of 2 buffers and a range, got 3 arguments}}
  task.dispatch @kernel(%x, %x) extent 1 : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func private @kernel(memref<4xf32>, index, index)
func.func @dispatch_c2_type(%x: memref<2xf32>) {
  // expected-error @below {{expected buffer #0 to be 'memref<4xf32>', got 'memref<2xf32>'}}
  task.dispatch @kernel(%x) extent 1 : memref<2xf32>
  return
}

// -----

func.func private @kernel(memref<4xf32>, index, index)
func.func @dispatch_c3_negative(%x: memref<4xf32>) {
  // expected-error @below {{expected an extent of 0 or more, or an expression, got -1}}
  task.dispatch @kernel(%x) extent -1 : memref<4xf32>
  return
}

// -----

func.func private @kernel(memref<4xf32>, index, index)
func.func @dispatch_c3_empty(%x: memref<4xf32>) {
  // expected-error @below {{expected an expression over dimension names, got ""}}
  task.dispatch @kernel(%x) extent "" : memref<4xf32>
  return
}

// -----

func.func @copy_c1_size(%x: memref<2xf32>, %y: memref<2xf64>) {
  // expected-error @below {{expected a target of 8 bytes, got 16}}
  task.copy %x, %y : memref<2xf32>, memref<2xf64>
  return
}

// -----

// weight_c1
// expected-error @below {{expected an offset that is a multiple of 64, got 8}}
task.weight {value = dense<1.0> : tensor<4xf32>, offset = 8 : i64, bytes = 16 : i64}

// -----

// weight_c2
// expected-error @below {{expected 4 bytes, got 1}}
task.weight {value = dense<true> : tensor<4xi1>, offset = 0 : i64, bytes = 1 : i64}

// -----

// weight_c3
// expected-error @below {{expected a packing that reads at most 4 elements, got 5}}
task.weight {value = dense<1.0> : tensor<4xf32>, offset = 0 : i64, bytes = 20 : i64,
             packing = #task.packing<elements = 5, nests = [[0, 0, [5], [1], [1]]]>}

// -----

// expected-error @below {{expected a packing that reads at most 2 elements, got 3}}
task.weight {value = dense<1.0> : tensor<2xf32>, offset = 0 : i64, bytes = 4 : i64,
             packing = #task.packing<elements = 1, nests = [[0, 0, [1], [1], [1], [0, 1, [1, 1, 1]]]]>}

// -----

// weight_c4
// expected-error @below {{expected elements of type f16, bf16 or f32 for a packing with matrices, got 'f64'}}
task.weight {value = dense<1.0> : tensor<2xf64>, offset = 0 : i64, bytes = 4 : i64,
             packing = #task.packing<elements = 1, nests = [[0, 0, [1], [1], [1], [0, 1, [1, 1]]]]>}

// -----

task.def @read(%x: memref<1xi32> {task.packing = #task.packing<elements = 1, nests = [[0, 0, [1], [1], [1], [0, 1, [1, 1]]]]>}) {
  task.return
}
func.func @call_c7_matrix_of_integers() {
  %x = arith.constant dense<0> : tensor<2xi32>
  // expected-error @below {{expected input #0 to have elements of type f16, bf16 or f32, because its packing has matrices}}
  task.call @read(%x) : (tensor<2xi32>) -> ()
  return
}

// -----

// expected-error @below {{expected task.sizes to be a list of numbers and expressions, got 4}}
func.func @sizes_kind(%x: memref<4xi64> {task.sizes = 4}) {
  return
}

// -----

// expected-error @below {{expected task.slot to be a list of numbers and expressions, got ["4"]}}
func.func @slot_kind(%x: memref<?xi8> {task.slot = ["4"]}) {
  return
}

// -----

// expected-error @below {{expected task.per_sample to be a unit attribute, got 4}}
func.func @per_sample_kind(%x: tensor<4xf32> {task.per_sample = 4}) {
  return
}

// -----

func.func @prefix_c1_first_dimension(%x: tensor<6x3xi64>, %n: tensor<i64>) {
  // expected-error @below {{expected a dynamic first dimension, got 'tensor<6x3xi64>'}}
  %0 = task.prefix %x, %n : tensor<6x3xi64>, tensor<i64> -> tensor<6x3xi64>
  return
}

// -----

func.func @prefix_c2_other_slices(%x: tensor<6x3xi64>, %n: tensor<i64>) {
  // expected-error @below {{expected slices of 'tensor<6x3xi64>', got 'tensor<?x4xi64, #onnx.dims<["n", ""]>>'}}
  %0 = task.prefix %x, %n : tensor<6x3xi64>, tensor<i64> -> tensor<?x4xi64, #onnx.dims<["n", ""]>>
  return
}

// -----

func.func @bind_c1_name(%n: memref<1xi64>) {
  // expected-error @below {{expected a name}}
  task.bind "", %n max 6 : memref<1xi64>
  return
}

// -----

func.func @bind_c2_bound(%n: memref<1xi64>) {
  // expected-error @below {{expected a bound of 0 or more, or an expression, got -1}}
  task.bind "n", %n max -1 : memref<1xi64>
  return
}

// -----

func.func @string_c1() {
  // expected-error @+1 {{expected a string without zero bytes}}
  %0 = task.string "a\00b"
  return
}

// -----

func.func @strings_c1() {
  // expected-error @+1 {{expected strings without zero bytes}}
  %0 = task.strings dense<["a", "b\00"]> : tensor<2x!onnx.string> -> tensor<2xi64>
  return
}

// -----

func.func @strings_c1_numbers() {
  // expected-error @+1 {{expected strings without zero bytes}}
  %0 = task.strings dense<[1, 2]> : tensor<2xi64> -> tensor<2xi64>
  return
}

// -----

func.func @strings_c2() {
  // expected-error @+1 {{expected a result of the constant's shape, got 'tensor<2x1xi64>'}}
  %0 = task.strings dense<["a", "b"]> : tensor<2x!onnx.string> -> tensor<2x1xi64>
  return
}

// -----

// expected-error @+1 {{expected an offset that is a multiple of 8, got 4}}
task.string_table {value = dense<["a"]> : tensor<1x!onnx.string>, offset = 4 : i64}

// -----

// string_table_c1
// expected-error @below {{expected an offset that is a multiple of 8, got 4}}
task.string_table {value = dense<["a"]> : tensor<1x!onnx.string>, offset = 4 : i64}

// -----

func.func private @kernel(%x: memref<4xf32>, %begin: index, %end: index) attributes {task.block = #task.block<threads = 32>}
func.func @dispatch_c2_block(%x: memref<4xf32>) {
  // expected-error @below {{expected a kernel of 1 buffers and a block, got 3 arguments}}
  task.dispatch @kernel(%x) extent 1 : memref<4xf32>
  return
}

// -----

// expected-error @below {{expected 1 to 1024 threads of a block, got 2048}}
func.func private @block_c1(%x: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 2048>}

// RUN: cameo-opt %s --lower-to-linalg --split-input-file --verify-diagnostics

task.def @every_operation_reports(%x: tensor<?x3xi1>, %t: tensor<2xcomplex<f32>>) -> (tensor<2x?xi64>, tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{lowering of onnx.NonZero is not supported}}
  %0 = onnx.NonZero %x : (tensor<?x3xi1>) -> tensor<2x?xi64>
  // expected-error@+1 {{lowering of onnx.Identity with elements of type complex<f32> is not supported}}
  %1 = onnx.Identity %t : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  task.return %0, %1 : tensor<2x?xi64>, tensor<2xcomplex<f32>>
}

// -----

task.def @shape_is_not_static(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{lowering of onnx.Relu with a tensor of unknown shape is not supported}}
  %0 = onnx.Relu %x : (tensor<?xf32>) -> tensor<?xf32>
  task.return %0 : tensor<?xf32>
}

// -----

task.def @ambiguous_axes(%x: tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, %axes: tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<?x?xf32, #onnx.dims<["m", "n"]>> {
  // expected-error@+1 {{lowering of onnx.ReduceSum with axes known only at run time is not supported}}
  %0 = onnx.ReduceSum %x, %axes {keepdims = 0 : i64} : (tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<?x?xf32, #onnx.dims<["m", "n"]>>
  task.return %0 : tensor<?x?xf32, #onnx.dims<["m", "n"]>>
}

// -----

task.def @padding_of_symbolic_window(%x: tensor<1x1x5xf32>, %w: tensor<1x1x?xf32, #onnx.dims<["", "", "k"]>>) -> tensor<1x1x5xf32> {
  %n = onnx.None
  // expected-error@+1 {{lowering of onnx.Conv with a symbolic dimension (k) of a window with its own padding is not supported}}
  %0 = onnx.Conv %x, %w, %n {auto_pad = "SAME_UPPER"} : (tensor<1x1x5xf32>, tensor<1x1x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<1x1x5xf32>
  task.return %0 : tensor<1x1x5xf32>
}

// -----

task.def @pad_of_any_axes(%x: tensor<2x3xf32>, %pads: tensor<?xi64, #onnx.dims<["2*n"]>>, %axes: tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<2x5xf32> {
  %n = onnx.None
  // expected-error@+1 {{lowering of onnx.Pad with axes whose number is known only at run time is not supported}}
  %0 = onnx.Pad %x, %pads, %n, %axes : (tensor<2x3xf32>, tensor<?xi64, #onnx.dims<["2*n"]>>, none, tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<2x5xf32>
  task.return %0 : tensor<2x5xf32>
}

// -----

task.def @unbounded_parts(%x: tensor<2x!onnx.string>) -> tensor<2xi64> {
  // expected-error@+1 {{lowering of onnx.StringSplit with a number of parts that neither 'maxsplit' nor the size of an output bounds is not supported}}
  %0:2 = onnx.StringSplit %x : (tensor<2x!onnx.string>) -> (tensor<2x?x!onnx.string, #onnx.dims<["", "n"]>>, tensor<2xi64>)
  task.return %0#1 : tensor<2xi64>
}

// -----

task.def @strings_as_numbers(%x: tensor<2x2x!onnx.string>) -> tensor<2x2xi1> {
  // expected-error@+1 {{lowering of onnx.EyeLike with elements of type !onnx.string is not supported}}
  %0 = onnx.EyeLike %x {dtype = 9 : i64} : (tensor<2x2x!onnx.string>) -> tensor<2x2xi1>
  task.return %0 : tensor<2x2xi1>
}

// -----

task.def @pattern_with_reference(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got an unknown escape sequence '\1'}}
  %0 = onnx.RegexFullMatch %x {pattern = "(a)\\1"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

// -----

task.def @pattern_too_large(%x: tensor<2x!onnx.string>) -> tensor<2xi1> {
  // expected-error@+1 {{expected a pattern of RE2's syntax, got an automaton of more than 10000 states}}
  %0 = onnx.RegexFullMatch %x {pattern = "(a|b)*a(a|b){20}"} : (tensor<2x!onnx.string>) -> tensor<2xi1>
  task.return %0 : tensor<2xi1>
}

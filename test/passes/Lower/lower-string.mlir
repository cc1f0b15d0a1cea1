// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// An element is the address of a string; what makes one gets the area for strings.
// CHECK-LABEL: task.def @concat(
// CHECK-SAME: tensor<2x3xi64>, %{{.*}}: tensor<3xi64>) -> tensor<2x3xi64>
// CHECK: ^bb0(%[[X:.*]]: i64, %[[Y:.*]]: i64, %{{.*}}: i64):
// CHECK: %[[AREA:.*]] = task.text_area
// CHECK: task.invoke "cameo_text_concat"(%[[AREA]], %[[X]], %[[Y]]) : (i64, i64, i64) -> i64
task.def @concat(%x: tensor<2x3x!onnx.string>, %y: tensor<3x!onnx.string>) -> tensor<2x3x!onnx.string> {
  %0 = onnx.StringConcat %x, %y : (tensor<2x3x!onnx.string>, tensor<3x!onnx.string>) -> tensor<2x3x!onnx.string>
  task.return %0 : tensor<2x3x!onnx.string>
}

// CHECK-LABEL: task.def @equal
// CHECK: %[[ORDER:.*]] = task.invoke "cameo_text_compare"(%{{.*}}, %{{.*}}) : (i64, i64) -> i32
// CHECK: arith.cmpi eq, %[[ORDER]], %{{.*}} : i32
task.def @equal(%x: tensor<3x!onnx.string>, %y: tensor<3x!onnx.string>) -> tensor<3xi1> {
  %0 = onnx.Equal %x, %y : (tensor<3x!onnx.string>, tensor<3x!onnx.string>) -> tensor<3xi1>
  task.return %0 : tensor<3xi1>
}

// Unsigned and narrow numbers.
// CHECK-LABEL: task.def @cast
// CHECK: task.invoke "cameo_text_from_uint64"(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK: arith.bitcast %{{.*}} : f16 to i16
// CHECK: task.invoke "cameo_text_from_float16"(%{{.*}}, %{{.*}}) : (i64, i32) -> i64
// CHECK: task.invoke "cameo_text_to_uint64"(%{{.*}}) : (i64) -> i64
// CHECK: arith.trunci
// CHECK: task.invoke "cameo_text_to_float32"(%{{.*}}) : (i64) -> f32
task.def @cast(%a: tensor<3xui8>, %b: tensor<3xf16>, %c: tensor<3x!onnx.string>) -> (tensor<3x!onnx.string>, tensor<3x!onnx.string>, tensor<3xui8>, tensor<3xf32>) {
  %0 = onnx.Cast %a {to = 8 : i64} : (tensor<3xui8>) -> tensor<3x!onnx.string>
  %1 = onnx.Cast %b {to = 8 : i64} : (tensor<3xf16>) -> tensor<3x!onnx.string>
  %2 = onnx.Cast %c {to = 2 : i64} : (tensor<3x!onnx.string>) -> tensor<3xui8>
  %3 = onnx.Cast %c {to = 1 : i64} : (tensor<3x!onnx.string>) -> tensor<3xf32>
  task.return %0, %1, %2, %3 : tensor<3x!onnx.string>, tensor<3x!onnx.string>, tensor<3xui8>, tensor<3xf32>
}

// Five keys are bisected in three steps, and compared once more.
// CHECK-LABEL: task.def @find
// CHECK-COUNT-4: task.invoke "cameo_text_compare"
// CHECK-NOT: task.invoke
// CHECK: task.return
task.def @find(%x: tensor<3x!onnx.string>, %keys: tensor<5x!onnx.string>) -> tensor<3xi64> {
  %0 = onnx.FindText %x, %keys : (tensor<3x!onnx.string>, tensor<5x!onnx.string>) -> tensor<3xi64>
  task.return %0 : tensor<3xi64>
}

// CHECK-LABEL: task.def @parts
// CHECK: %[[COMMA:.*]] = task.string ","
// CHECK: task.invoke "cameo_text_count_parts"(%{{.*}}, %[[COMMA]], %{{.*}}) : (i64, i64, i64) -> i64
// CHECK: task.invoke "cameo_text_take_part"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (i64, i64, i64, i64, i64) -> i64
task.def @parts(%x: tensor<3x!onnx.string>, %n: tensor<2x1xi64>) -> (tensor<3xi64>, tensor<2x3x!onnx.string>) {
  %0 = onnx.CountParts %x {delimiter = ","} : (tensor<3x!onnx.string>) -> tensor<3xi64>
  %1 = onnx.TakePart %x, %n {delimiter = ",", maxsplit = 1 : i64} : (tensor<3x!onnx.string>, tensor<2x1xi64>) -> tensor<2x3x!onnx.string>
  task.return %0, %1 : tensor<3xi64>, tensor<2x3x!onnx.string>
}

// CHECK-LABEL: task.def @match
// CHECK: %[[AUTOMATON:.*]] = task.string "
// CHECK: task.invoke "cameo_text_matches"(%{{.*}}, %[[AUTOMATON]]) : (i64, i64) -> i32
task.def @match(%x: tensor<3x!onnx.string>) -> tensor<3xi1> {
  %0 = onnx.RegexFullMatch %x {pattern = "a"} : (tensor<3x!onnx.string>) -> tensor<3xi1>
  task.return %0 : tensor<3xi1>
}

// CHECK-LABEL: task.def @change_case
// CHECK: task.invoke "cameo_text_upper"
task.def @change_case(%x: tensor<3x!onnx.string>) -> tensor<3x!onnx.string> {
  %0 = onnx.ChangeCase %x {action = "UPPER"} : (tensor<3x!onnx.string>) -> tensor<3x!onnx.string>
  task.return %0 : tensor<3x!onnx.string>
}

// Movement knows nothing of strings, but that what is not there is an empty one.
// CHECK-LABEL: task.def @pad
// CHECK: task.string ""
// CHECK: tensor.pad
// CHECK: tensor<3xi64> to tensor<5xi64>
task.def @pad(%x: tensor<3x!onnx.string>) -> tensor<5x!onnx.string> {
  %pads = onnx.Constant {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  %0 = onnx.Pad %x, %pads, %none, %none : (tensor<3x!onnx.string>, tensor<2xi64>, none, none) -> tensor<5x!onnx.string>
  task.return %0 : tensor<5x!onnx.string>
}

// -----

// Constants of the model are addresses, too; the type that the model declares stays beside.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %{{.*}}: tensor<2xi64> {onnx.type = !onnx.string}) -> (tensor<4xi64> {onnx.type = !onnx.string})
// CHECK: task.strings dense<["b", "c"]> : tensor<2x!onnx.string> -> tensor<2xi64>
func.func @main(%x: tensor<2x!onnx.string>) -> tensor<4x!onnx.string> {
  %c = onnx.Constant {value = dense<["b", "c"]> : tensor<2x!onnx.string>} : tensor<2x!onnx.string>
  %0 = task.call @join(%x, %c) : (tensor<2x!onnx.string>, tensor<2x!onnx.string>) -> tensor<4x!onnx.string>
  return %0 : tensor<4x!onnx.string>
}
task.def @join(%x: tensor<2x!onnx.string>, %y: tensor<2x!onnx.string>) -> tensor<4x!onnx.string> {
  %0 = onnx.Concat %x, %y {axis = 0 : i64} : (tensor<2x!onnx.string>, tensor<2x!onnx.string>) -> tensor<4x!onnx.string>
  task.return %0 : tensor<4x!onnx.string>
}

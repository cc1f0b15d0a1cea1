// RUN: cameo-opt %s | cameo-opt | FileCheck %s

// However an expression is written, it is printed in one spelling: terms in the alphabetical order of their atoms, those
// that are subtracted behind the others, the number last.

// CHECK: func.func private @sums() attributes {
// CHECK-SAME: a = #dim.expr<"past + seq + 1">, b = #dim.expr<"past + seq + 1">, c = #dim.expr<"past + 1 - seq">, d = #dim.expr<"0 - seq">
func.func private @sums() attributes {a = #dim.expr<"past + seq + 1">, b = #dim.expr<"1 + seq + past">, c = #dim.expr<"1 - seq + past">, d = #dim.expr<"0 - seq">}

// CHECK: func.func private @products() attributes {
// CHECK-SAME: a = #dim.expr<"8*batch*seq">, b = #dim.expr<"8*batch*seq">, c = #dim.expr<"3*n">, d = #dim.expr<"n*n">
func.func private @products() attributes {a = #dim.expr<"8*batch*seq">, b = #dim.expr<"seq*2*batch*4">, c = #dim.expr<"n + n + n">, d = #dim.expr<"n*n">}

// CHECK: func.func private @quotients() attributes {
// CHECK-SAME: a = #dim.expr<"2*floor((n + 1)/2)">, b = #dim.expr<"floor((8)/(n))">, c = #dim.expr<"floor((floor((h)/2))/(m*n))">, d = #dim.expr<"min(8 - seq, 0) + seq">
func.func private @quotients() attributes {a = #dim.expr<"floor((1 + n)/2)*2">, b = #dim.expr<"floor((8)/(n))">, c = #dim.expr<"floor((floor((h)/2))/(n*m))">, d = #dim.expr<"seq + min(8 - seq, 0)">}

// Of real numbers, computed in the type that sizes are converted to.
// CHECK: func.func private @reals() attributes {
// CHECK-SAME: a = #dim.expr<"floor(float(n + 1)*1.3) + 1">, b = #dim.expr<"floor(7*((float(n) + 0.1)/7))">
func.func private @reals() attributes {a = #dim.expr<"1 + floor(float(1 + n)*1.3)">, b = #dim.expr<"floor(7*((float(n) + 0.1)/7))">}

// Equal sizes are one attribute, so their types are one type.
// CHECK: func.func private @types(tensor<?x4xf32, #onnx.dims<["past + 1", ""]>>) -> tensor<?x4xf32, #onnx.dims<["past + 1", ""]>>
func.func private @types(tensor<?x4xf32, #onnx.dims<["1 + past", ""]>>) -> tensor<?x4xf32, #onnx.dims<["past + 1", ""]>>

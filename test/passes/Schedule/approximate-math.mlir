// RUN: cameo-opt %s --approximate-math | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=fma=false --approximate-math | FileCheck %s --check-prefix=NOFMA
// RUN: cameo-opt %s --attach-target=machine=divides_fast=true --approximate-math | FileCheck %s --check-prefix=DIVIDES
// RUN: cameo-opt %s --attach-target=cpu=x86-64-v4 --approximate-math | FileCheck %s --check-prefix=LOOKUP
// RUN: cameo-opt %s --attach-target=cpu=x86-64-v3 --approximate-math | FileCheck %s

// CHECK-LABEL: func.func private @vector_exp
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func private @vector_exp(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  return %y : vector<16xf32>
}

// Powers are taken in f64 between.
// CHECK-LABEL: func.func private @vector_pow
//   CHECK-NOT:   math.powf
//       CHECK:   %[[POWER:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<16xf64>
//       CHECK:   arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
//       CHECK:   return
func.func private @vector_pow(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %z = math.powf %x, %y : vector<16xf32>
  return %z : vector<16xf32>
}

// CHECK-LABEL: func.func private @kin
//   CHECK-NOT:   math.{{expm1|log|sinh|cosh|tanh|asinh|acosh|atanh|asin|acos|atan}}
//       CHECK:   return
func.func private @kin(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.expm1 %x : vector<16xf32>
  %1 = math.log1p %0 : vector<16xf32>
  %2 = math.sinh %1 : vector<16xf32>
  %3 = math.cosh %2 : vector<16xf32>
  %4 = math.tanh %3 : vector<16xf32>
  %5 = math.asinh %4 : vector<16xf32>
  %6 = math.acosh %5 : vector<16xf32>
  %7 = math.atanh %6 : vector<16xf32>
  %8 = math.asin %7 : vector<16xf32>
  %9 = math.acos %8 : vector<16xf32>
  %10 = math.atan %9 : vector<16xf32>
  %11 = math.log %10 : vector<16xf32>
  return %11 : vector<16xf32>
}

// A reference stays a reference.
// CHECK-LABEL: func.func private @scalar_exp
//       CHECK:   math.exp
func.func private @scalar_exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// Large arguments go to the C library one by one.
// CHECK-LABEL: func.func private @vector_sin
//       CHECK:   %[[ANY:.*]] = vector.reduction <or>
//       CHECK:   scf.if %[[ANY]]
//       CHECK:     math.sin %{{.*}} : f32
//       CHECK:   else
//   CHECK-NOT:     math.sin
func.func private @vector_sin(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.sin %x : vector<16xf32>
  return %y : vector<16xf32>
}

// Vectors of float64 have functions of their own where products and sums are fused; powers stay.
// CHECK-LABEL: func.func private @double_vectors
//   CHECK-NOT:   math.{{exp |expm1|log|tanh|erf}}
//       CHECK:   math.powf
//       CHECK:   return
func.func private @double_vectors(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  %1 = math.tanh %0 : vector<8xf64>
  %2 = math.erf %1 : vector<8xf64>
  %3 = math.log1p %2 : vector<8xf64>
  %4 = math.powf %3, %x : vector<8xf64>
  return %4 : vector<8xf64>
}

// Sums with 1 are functions of their own for float32 only.
// CHECK-LABEL: func.func private @double_sum
//   CHECK-NOT:   math.erf
//       CHECK:   %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<8xf64>
//       CHECK:   return
func.func private @double_sum(%x: vector<8xf64>) -> vector<8xf64> {
  %one = arith.constant dense<1.0> : vector<8xf64>
  %0 = math.erf %x : vector<8xf64>
  %1 = arith.addf %0, %one : vector<8xf64>
  return %1 : vector<8xf64>
}

// CHECK-LABEL: func.func private @double_sin
//       CHECK:   %[[ANY:.*]] = vector.reduction <or>
//       CHECK:   scf.if %[[ANY]]
//       CHECK:     math.sin %{{.*}} : vector<8xf64>
//       CHECK:   else
//   CHECK-NOT:     math.sin
//       CHECK:   return
func.func private @double_sin(%x: vector<8xf64>) -> vector<8xf64> {
  %y = math.sin %x : vector<8xf64>
  return %y : vector<8xf64>
}

// Remainders of small quotients are computed in double; others go to the C library.
// CHECK-LABEL: func.func private @vector_remainder
//       CHECK:   arith.cmpf uge
//       CHECK:   %[[ANY:.*]] = vector.reduction <or>
//       CHECK:   scf.if %[[ANY]]
//       CHECK:     arith.remf %{{.*}} : f32
//       CHECK:   else
//       CHECK:     arith.divf %{{.*}} : vector<16xf64>
//       CHECK:     arith.fptosi %{{.*}} : vector<16xf64> to vector<16xi32>
//       CHECK:     math.copysign
//   CHECK-NOT:     arith.remf
func.func private @vector_remainder(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %r = arith.remf %x, %y : vector<16xf32>
  return %r : vector<16xf32>
}

// CHECK-LABEL: func.func private @vector_tan
//       CHECK:   scf.if
//       CHECK:     math.tan %{{.*}} : f32
//       CHECK:   else
//   CHECK-NOT:     math.tan
func.func private @vector_tan(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.tan %x : vector<16xf32>
  return %y : vector<16xf32>
}

// The steps of functions side by side take turns.
// CHECK-LABEL: func.func private @pair(
//  CHECK-SAME:   %[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>
//       CHECK:   %[[A:.*]] = math.absf %[[X]]
//  CHECK-NEXT:   %[[B:.*]] = math.absf %[[Y]]
//  CHECK-NEXT:   %[[C:.*]] = arith.mulf %[[X]], %[[X]]
//  CHECK-NEXT:   %[[D:.*]] = arith.mulf %[[Y]], %[[Y]]
func.func private @pair(%x: vector<16xf32>, %y: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %a = math.erf %x : vector<16xf32>
  %b = math.erf %y : vector<16xf32>
  return %a, %b : vector<16xf32>, vector<16xf32>
}

// One that needs another's result waits for it.
// CHECK-LABEL: func.func private @chain(
//  CHECK-SAME:   %[[X:.*]]: vector<16xf32>
//       CHECK:   math.absf %[[X]]
//       CHECK:   arith.select
//       CHECK:   %[[A:.*]] = arith.select
//  CHECK-NEXT:   math.absf %[[A]]
func.func private @chain(%x: vector<16xf32>) -> vector<16xf32> {
  %a = math.erf %x : vector<16xf32>
  %b = math.erf %a : vector<16xf32>
  return %b : vector<16xf32>
}

// Of a sigmoid, exponential and sum are one function: the sum is the last multiplication's.
// CHECK-LABEL: func.func private @sigmoid(
//       CHECK:   %[[SHIFTED:.*]] = arith.shli
//       CHECK:   %[[SCALE:.*]] = arith.bitcast %[[SHIFTED]]
//       CHECK:   %[[ONE:.*]] = arith.constant dense<1.000000e+00>
//       CHECK:   %[[DIVISOR:.*]] = math.fma %[[SCALE]], %{{.*}}, %[[ONE]]
//       CHECK:   arith.divf %{{.*}}, %[[DIVISOR]]
func.func private @sigmoid(%x: vector<16xf32>) -> vector<16xf32> {
  %least = arith.constant dense<-8.800000e+01> : vector<16xf32>
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %beyond = arith.cmpf olt, %x, %least : vector<16xf32>
  %limited = arith.select %beyond, %least, %x : vector<16xi1>, vector<16xf32>
  %negative = arith.negf %limited : vector<16xf32>
  %exp = math.exp %negative : vector<16xf32>
  %sum = arith.addf %one, %exp : vector<16xf32>
  %y = arith.divf %one, %sum : vector<16xf32>
  return %y : vector<16xf32>
}

// A quotient that may be a product is one if all lanes share the divisor, and exact if not.
// CHECK-LABEL: func.func private @shares(
//  CHECK-SAME:   %[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>, %[[SUM:.*]]: f32
//       CHECK:   %[[ONE:.*]] = arith.constant 1.0
//       CHECK:   %[[RECIPROCAL:.*]] = arith.divf %[[ONE]], %[[SUM]] : f32
//       CHECK:   %[[LANES:.*]] = vector.broadcast %[[RECIPROCAL]]
//       CHECK:   %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[LANES]]
//       CHECK:   %[[QUOTIENT:.*]] = arith.divf %[[X]], %[[Y]] : vector<16xf32>
//       CHECK:   return %[[PRODUCT]], %[[QUOTIENT]]
func.func private @shares(%x: vector<16xf32>, %y: vector<16xf32>, %sum: f32) -> (vector<16xf32>, vector<16xf32>) {
  %lanes = vector.broadcast %sum : f32 to vector<16xf32>
  %product = arith.divf %x, %lanes fastmath<arcp> : vector<16xf32>
  %quotient = arith.divf %x, %y fastmath<arcp> : vector<16xf32>
  return %product, %quotient : vector<16xf32>, vector<16xf32>
}

// So are erf and sum of a Gelu: both signs follow from one power of two, and the constant factor is in the coefficients.
// CHECK-LABEL: func.func private @gelu_gate(
//  CHECK-SAME:   %[[X:.*]]: vector<16xf32>
//       CHECK:   math.absf %[[X]]
//       CHECK:   arith.constant dense<-1.15110517>
//       CHECK:   %[[SHIFTED:.*]] = arith.shli
//       CHECK:   %[[SCALE:.*]] = arith.bitcast %[[SHIFTED]]
//       CHECK:   %[[BELOW:.*]] = arith.mulf %[[SCALE]]
//       CHECK:   %[[ABOVE:.*]] = arith.subf %{{.*}}, %[[BELOW]]
//       CHECK:   %[[IS_BELOW:.*]] = arith.cmpf ogt, %{{.*}}, %[[X]]
//  CHECK-NEXT:   %[[Y:.*]] = arith.select %[[IS_BELOW]], %[[BELOW]], %[[ABOVE]]
//  CHECK-NEXT:   return %[[Y]]

// Where lanes are looked up in a register, it is a polynomial for each of 16 intervals.
// LOOKUP-LABEL: func.func private @gelu_gate(
//  LOOKUP-SAME:   %[[X:.*]]: vector<16xf32>
//       LOOKUP:   math.absf %[[X]]
//       LOOKUP:   arith.constant dense<2.6189{{.*}}>
//   LOOKUP-NOT:   arith.shli
// LOOKUP-COUNT-6: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
//       LOOKUP:   %[[BELOW:.*]] = math.fma
//       LOOKUP:   %[[ABOVE:.*]] = arith.subf %{{.*}}, %[[BELOW]]
//       LOOKUP:   return
func.func private @gelu_gate(%x: vector<16xf32>) -> vector<16xf32> {
  %factor = arith.constant dense<0.70710678> : vector<16xf32>
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %scaled = arith.mulf %x, %factor : vector<16xf32>
  %erf = math.erf %scaled : vector<16xf32>
  %sum = arith.addf %one, %erf : vector<16xf32>
  return %sum : vector<16xf32>
}

// Other vectors than such a register have one polynomial.
// LOOKUP-LABEL: func.func private @narrow_gate(
//   LOOKUP-NOT:   llvm.call_intrinsic
//       LOOKUP:   return
func.func private @narrow_gate(%x: vector<8xf32>) -> vector<8xf32> {
  %one = arith.constant dense<1.000000e+00> : vector<8xf32>
  %erf = math.erf %x : vector<8xf32>
  %sum = arith.addf %one, %erf : vector<8xf32>
  return %sum : vector<8xf32>
}

// An erf that is needed itself is one.
// CHECK-LABEL: func.func private @both(
//       CHECK:   math.copysign
//       CHECK:   arith.cmpf ogt
//  CHECK-NEXT:   %[[ERF:.*]] = arith.select
//  CHECK-NEXT:   %[[SUM:.*]] = arith.addf %[[ERF]]
//  CHECK-NEXT:   return %[[ERF]], %[[SUM]]
func.func private @both(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %erf = math.erf %x : vector<16xf32>
  %sum = arith.addf %erf, %one : vector<16xf32>
  return %erf, %sum : vector<16xf32>, vector<16xf32>
}

// What may overflow is an exponential like any other.
// CHECK-LABEL: func.func private @unlimited(
//       CHECK:   arith.select
//       CHECK:   %[[EXP:.*]] = arith.select
//  CHECK-NEXT:   arith.addf %{{.*}}, %[[EXP]]
func.func private @unlimited(%x: vector<16xf32>) -> vector<16xf32> {
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %negative = arith.negf %x : vector<16xf32>
  %exp = math.exp %negative : vector<16xf32>
  %sum = arith.addf %one, %exp : vector<16xf32>
  return %sum : vector<16xf32>
}

// Without a fused multiply-add none is asked for: it would be a call.
// NOFMA-LABEL: func.func private @vector_exp
//   NOFMA-NOT:   math.fma

// A reciprocal that may be estimated is estimated, unless the processor divides fast: then what it would be multiplied with is divided, by infinity
// where the result is to be zero.
// CHECK-LABEL: func.func private @swish(
//       CHECK:   arith.divf %{{.*}} fastmath<ninf,arcp,contract>
// DIVIDES-LABEL: func.func private @swish(
//  DIVIDES-SAME:   %[[X:.*]]: vector<16xf32>, %[[D:.*]]: vector<16xf32>, %[[BEYOND:.*]]: vector<16xi1>
//   DIVIDES-DAG:   %[[INFINITY:.*]] = arith.constant dense<0x7F800000>
//       DIVIDES:   %[[DIVISOR:.*]] = arith.select %[[BEYOND]], %[[INFINITY]], %[[D]]
//  DIVIDES-NEXT:   %[[Y:.*]] = arith.divf %[[X]], %[[DIVISOR]] : vector<16xf32>
//  DIVIDES-NEXT:   return %[[Y]]
func.func private @swish(%x: vector<16xf32>, %d: vector<16xf32>, %beyond: vector<16xi1>) -> vector<16xf32> {
  %zero = arith.constant dense<0.000000e+00> : vector<16xf32>
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %reciprocal = arith.divf %one, %d fastmath<ninf,arcp,contract> : vector<16xf32>
  %gate = arith.select %beyond, %zero, %reciprocal : vector<16xi1>, vector<16xf32>
  %y = arith.mulf %x, %gate : vector<16xf32>
  return %y : vector<16xf32>
}

// A gate that is a result itself is the quotient of one.
// DIVIDES-LABEL: func.func private @gate(
//       DIVIDES:   %[[ONE:.*]] = arith.constant dense<1.000000e+00>
//       DIVIDES:   arith.divf %[[ONE]], %{{.*}} : vector<16xf32>
func.func private @gate(%d: vector<16xf32>) -> vector<16xf32> {
  %one = arith.constant dense<1.000000e+00> : vector<16xf32>
  %y = arith.divf %one, %d fastmath<ninf,arcp,contract> : vector<16xf32>
  return %y : vector<16xf32>
}

// RUN: cameo-opt %s --approximate-math | FileCheck %s

// CHECK-LABEL: func.func private @vector_exp
//   CHECK-NOT:   math.exp
//       CHECK:   return
func.func private @vector_exp(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  return %y : vector<16xf32>
}

// A reference stays a reference.
// CHECK-LABEL: func.func private @scalar_exp
//       CHECK:   math.exp
func.func private @scalar_exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

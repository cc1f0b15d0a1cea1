// RUN: cameo-opt %s --approximate-math | FileCheck %s
// RUN: cameo-opt %s --approximate-math=fma=false | FileCheck %s --check-prefix=NOFMA

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

// Without a fused multiply-add none is asked for: it would be a call.
// NOFMA-LABEL: func.func private @vector_exp
//   NOFMA-NOT:   math.fma

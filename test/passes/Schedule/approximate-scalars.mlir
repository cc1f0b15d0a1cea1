// RUN: cameo-opt %s --approximate-math | FileCheck %s

// A GPU has no library for scalars, and none for large angles.
// CHECK-LABEL: func.func private @on_gpu
//   CHECK-NOT:   math.{{exp|sin}}
//       CHECK:   return
func.func private @on_gpu(%x: memref<1xf32>, %block: index) attributes {task.block = #task.block<threads = 1>} {
  %v = memref.load %x[%block] : memref<1xf32>
  %e = math.exp %v : f32
  %s = math.sin %e : f32
  memref.store %s, %x[%block] : memref<1xf32>
  return
}

// CHECK-LABEL: func.func private @on_processor
//       CHECK:   math.exp %{{.*}} : f32
func.func private @on_processor(%x: f32) -> f32 {
  %e = math.exp %x : f32
  return %e : f32
}

// Two loops, one over growing and one over falling multiples of the divisor.
// CHECK-LABEL: func.func private @remainder
//   CHECK-NOT:   arith.remf
//       CHECK:   %[[FIRST:.*]] = scf.while
//       CHECK:     arith.addf
//       CHECK:   scf.while
//       CHECK:     arith.subf
//       CHECK:   math.copysign
func.func private @remainder(%x: memref<1xf64>, %block: index) attributes {task.block = #task.block<threads = 1>} {
  %v = memref.load %x[%block] : memref<1xf64>
  %three = arith.constant 3.0 : f64
  %r = arith.remf %v, %three : f64
  memref.store %r, %x[%block] : memref<1xf64>
  return
}

// CHECK-LABEL: func.func private @doubles
//   CHECK-NOT:   math.{{exp|log|sin|cos|powf}}
//       CHECK:   return
func.func private @doubles(%x: memref<1xf64>, %block: index) attributes {task.block = #task.block<threads = 1>} {
  %v = memref.load %x[%block] : memref<1xf64>
  %0 = math.exp %v : f64
  %1 = math.log %0 : f64
  %2 = math.sin %1 : f64
  %3 = math.cos %2 : f64
  %4 = math.powf %3, %v : f64
  memref.store %4, %x[%block] : memref<1xf64>
  return
}

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

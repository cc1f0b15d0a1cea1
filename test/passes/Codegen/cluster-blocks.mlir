// What blocks of a cluster do together: instructions for a GPU, and calls for the emulator.
// RUN: cameo-opt %s --convert-blocks | FileCheck %s
// RUN: cameo-opt %s --convert-blocks=for-host | FileCheck %s --check-prefix=HOST --implicit-check-not=nvvm

// CHECK-LABEL: llvm.func @meets(
//  CHECK-SAME:   nvvm.cluster_dim = array<i32: 3, 1, 1>
//       CHECK:   nvvm.cluster.arrive {aligned}
//  CHECK-NEXT:   nvvm.cluster.wait {aligned}
//       CHECK:   %[[THERE:.*]] = nvvm.mapa %{{.*}}, %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
//       CHECK:   llvm.load %[[THERE]] {alignment = 16 : i64} : !llvm.ptr<7> -> vector<4xf32>

//       HOST: llvm.mlir.global external constant @meets.cluster_blocks(3 : i32)
// HOST-LABEL: llvm.func internal @meets.body(
//   HOST-DAG:   %[[MEETING:.*]] = llvm.mlir.addressof @cameo_emulated_meet_cluster
//   HOST-DAG:   %[[READING:.*]] = llvm.mlir.addressof @cameo_emulated_read_neighbour
//       HOST:   %[[MEET:.*]] = llvm.load volatile %[[MEETING]]
//       HOST:   llvm.call %[[MEET]]() : !llvm.ptr, () -> ()
//       HOST:   %[[READ:.*]] = llvm.load volatile %[[READING]]
//       HOST:   llvm.call %[[READ]](%{{.*}}) : !llvm.ptr, (!llvm.ptr, i32, i32, !llvm.ptr) -> ()
memref.global "private" @sums : memref<1024xf32, 3> = uninitialized {alignment = 64 : i64}
func.func private @meets(%y: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 128, cluster = 3>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %sums = memref.get_global @sums : memref<1024xf32, 3>
  %begin = memref.extract_aligned_pointer_as_index %sums : memref<1024xf32, 3> -> index
  %number = arith.index_cast %begin : index to i64
  %at = llvm.inttoptr %number : i64 to !llvm.ptr<3>
  task.meet_cluster of 3
  %v = task.read_neighbour %at of %one : !llvm.ptr<3>, vector<4xf32>
  vector.store %v, %y[%zero] : memref<4xf32>, vector<4xf32>
  return
}

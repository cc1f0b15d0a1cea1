// RUN: cameo-opt %s --convert-blocks | FileCheck %s
// RUN: cameo-opt %s --convert-blocks=for-host | FileCheck %s --check-prefix=HOST
// RUN: cameo-opt %s --convert-blocks=are-bodies | FileCheck %s --check-prefix=BODY --implicit-check-not=nvvm.kernel
// RUN: cameo-opt %s --convert-blocks="are-bodies for-host" | FileCheck %s --check-prefix=HOSTBODY
// RUN: cameo-opt %s --convert-blocks=dependent-launch | FileCheck %s --check-prefix=WAITS
// RUN: cameo-opt %s --convert-blocks="dependent-launch for-host" | FileCheck %s --check-prefix=HOSTWAITS --implicit-check-not=griddepcontrol --implicit-check-not=nvvm.prefetch

// In launches that may begin early a kernel lets the next one begin, and waits before it accesses memory, or where it says so itself.
// WAITS-LABEL: llvm.func @rows(
//       WAITS:   nvvm.griddepcontrol launch_dependents
//   WAITS-NOT:   llvm.load
//       WAITS:   nvvm.griddepcontrol wait
//       WAITS:   llvm.load
//   WAITS-NOT:   nvvm.griddepcontrol
//       WAITS:   llvm.return
// WAITS-LABEL: llvm.func @fetches(
//       WAITS:   nvvm.griddepcontrol launch_dependents
//       WAITS:   nvvm.prefetch
//       WAITS:   nvvm.griddepcontrol wait
//   WAITS-NOT:   nvvm.griddepcontrol
//       WAITS:   llvm.return

// HOSTWAITS-LABEL: llvm.func internal @fetches.body(
//       HOSTWAITS:   %[[PLACE:.*]] = llvm.mlir.addressof @cameo_emulated_wait
//       HOSTWAITS:   %[[WAIT:.*]] = llvm.load volatile %[[PLACE]]
//       HOSTWAITS:   llvm.call %[[WAIT]]() : !llvm.ptr, () -> ()

// Bodies of a persistent kernel are told block and thread, and wait for the threads that they have.
// BODY-LABEL: llvm.func internal @rows(
//  BODY-SAME:   %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
//   BODY-NOT:   nvvm.read.ptx.sreg
//       BODY:   %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
//       BODY:   %[[THREADS:.*]] = llvm.mlir.constant(64 : i32)
//       BODY:   nvvm.barrier id = %[[ONE]] number_of_threads = %[[THREADS]]
// BODY-LABEL: llvm.func internal @sized(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)

// HOSTBODY-LABEL: llvm.func internal @rows(
//       HOSTBODY:   %[[OF:.*]] = llvm.mlir.addressof @cameo_emulated_barrier_of
//       HOSTBODY:   %[[WAIT:.*]] = llvm.load volatile %[[OF]]
//       HOSTBODY:   llvm.call %[[WAIT]](%{{.*}}) : !llvm.ptr, (i32) -> ()

// Other launches have nothing to wait for.
// CHECK-NOT: griddepcontrol
// CHECK-NOT: nvvm.prefetch
// CHECK-LABEL: llvm.func @rows(
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr)
//  CHECK-SAME:   nvvm.kernel
//  CHECK-SAME:   nvvm.maxntid = array<i32: 64, 1, 1>
//   CHECK-DAG:   nvvm.read.ptx.sreg.ctaid.x : i32
//   CHECK-DAG:   nvvm.read.ptx.sreg.tid.x : i32
//       CHECK:   nvvm.barrier0

// Sizes of the run come by value.
// CHECK-LABEL: llvm.func @sized(
//  CHECK-SAME:   %{{.*}}: !llvm.ptr {llvm.byval = !llvm.array<3 x i64>, nvvm.grid_constant})

// A thread that has waited reads its number anew; the driver's list of arguments is the only one.
//      HOST: llvm.mlir.global external @cameo_emulated_thread(0 : i32)
//      HOST: llvm.func @rows(%[[ARGUMENTS:.*]]: !llvm.ptr)
//      HOST:   llvm.call @rows.body
// HOST-LABEL: llvm.func internal @rows.body(
//      HOST:   %[[AT:.*]] = llvm.mlir.addressof @cameo_emulated_block
//      HOST:   llvm.load volatile %[[AT]] : !llvm.ptr -> i32
//      HOST:   %[[WAIT:.*]] = llvm.load volatile %{{.*}} : !llvm.ptr -> !llvm.ptr
//      HOST:   llvm.call %[[WAIT]]() : !llvm.ptr, () -> ()
// HOST-NOT:    nvvm
// HOST-LABEL: llvm.func @sized(%{{.*}}: !llvm.ptr)
//      HOST:   %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
//      HOST:   %[[X2:.*]] = llvm.load %[[FIRST]] : !llvm.ptr -> !llvm.ptr
//      HOST:   %[[SIZES:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
//      HOST:   llvm.call @sized.body(%[[X2]], %[[SIZES]])
func.func private @rows(%x: memref<64xf32>, %y: memref<64xf32>, %block: index) attributes {task.block = #task.block<threads = 64>} {
  %thread = gpu.thread_id x
  %i = arith.addi %block, %thread : index
  %v = memref.load %x[%i] : memref<64xf32>
  memref.store %v, %y[%i] : memref<64xf32>
  gpu.barrier
  %w = memref.load %y[%thread] : memref<64xf32>
  memref.store %w, %x[%i] : memref<64xf32>
  return
}

func.func private @sized(%x: memref<64xi64>, %sizes: memref<3xi64> {task.sizes = []}, %block: index) attributes {task.block = #task.block<threads = 64>} {
  %one = arith.constant 1 : index
  %v = memref.load %sizes[%one] : memref<3xi64>
  memref.store %v, %x[%block] : memref<64xi64>
  return
}

// The counter starts again from zero behind the last block, which the first fence tells of what this one has done, and the second one of what others have.
// CHECK-LABEL: llvm.func @arriving(
//       CHECK:   %[[LAST:.*]] = llvm.mlir.constant(2 : i32)
//       CHECK:   llvm.fence syncscope("device") acq_rel
//       CHECK:   %[[BEFORE:.*]] = llvm.atomicrmw uinc_wrap %{{.*}}, %[[LAST]] syncscope("device") monotonic
//       CHECK:   llvm.fence syncscope("device") acq_rel
//       CHECK:   llvm.icmp "eq" %[[BEFORE]], %[[LAST]]
//  HOST-LABEL: llvm.func internal @arriving.body(
//        HOST:   %[[COUNT:.*]] = llvm.mlir.constant(3 : i32)
//        HOST:   %[[AT:.*]] = llvm.mlir.addressof @cameo_emulated_arrive
//        HOST:   %[[ARRIVE:.*]] = llvm.load volatile %[[AT]]
//        HOST:   llvm.call %[[ARRIVE]](%{{.*}}, %[[COUNT]]) : !llvm.ptr, (!llvm.ptr, i32) -> i32
func.func private @arriving(%counters: memref<4xi32>, %x: memref<1xi8>, %block: index) attributes {task.block = #task.block<threads = 64>} {
  %zero = arith.constant 0 : index
  %last = task.arrive %counters[%block] of 3 : memref<4xi32>
  %byte = arith.extui %last : i1 to i8
  memref.store %byte, %x[%zero] : memref<1xi8>
  return
}

func.func private @fetches(%x: memref<64xf32>, %y: memref<64xf32>, %block: index) attributes {task.block = #task.block<threads = 64>} {
  %thread = gpu.thread_id x
  %i = arith.addi %block, %thread : index
  %pointer = memref.extract_aligned_pointer_as_index %x : memref<64xf32> -> index
  %number = arith.index_cast %pointer : index to i64
  %place = llvm.inttoptr %number : i64 to !llvm.ptr<1>
  nvvm.prefetch level = L2, %place : !llvm.ptr<1>
  nvvm.griddepcontrol wait
  %v = memref.load %x[%i] : memref<64xf32>
  memref.store %v, %y[%i] : memref<64xf32>
  return
}

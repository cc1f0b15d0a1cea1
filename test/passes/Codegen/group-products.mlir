// Products of groups of warps: instructions and descriptors for a GPU, and calls for the emulator with the same
// descriptors.
// RUN: cameo-opt %s --convert-blocks | FileCheck %s
// RUN: cameo-opt %s --convert-blocks=for-host | FileCheck %s --check-prefix=HOST

// The address and all distances are in units of 16 bytes: 8192 bytes are 512 in bits 16 to 29, and 1024 bytes 64 in bits 32 to 45; permutations of rows of 128 bytes are number 1 in bits 62 and 63.
// An offset of 32 bytes is 2. Behind the wait code without instructions changes the sums, so that nothing that reads them comes before it.
// CHECK-LABEL: llvm.func @product(
//       CHECK:   nvvm.fence.proxy
//       CHECK:   nvvm.wgmma.fence.aligned
//   CHECK-DAG:   llvm.mlir.constant(262143 : i32)
//   CHECK-DAG:   llvm.mlir.constant(2 : i32)
//   CHECK-DAG:   llvm.mlir.constant(33554432 : i32)
//   CHECK-DAG:   llvm.mlir.constant(4611686293305294848 : i64)
//   CHECK-DAG:   llvm.mlir.constant(-9223371899415822336 : i64)
//       CHECK:   llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {$0, $1, $2, $3, $4, $5, $6, $7}, $16, $17, 1, 1, 1, 0, 1;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l"
//       CHECK:   nvvm.wgmma.commit.group.sync.aligned
//       CHECK:   nvvm.wgmma.wait.group.sync.aligned 1
//       CHECK:   nvvm.wgmma.wait.group.sync.aligned 0
//       CHECK:   llvm.inline_asm has_side_effects "", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"

// HOST-LABEL: llvm.func internal @product.body(
//   HOST-DAG:   %[[PUBLISH:.*]] = llvm.mlir.addressof @cameo_emulated_publish
//   HOST-DAG:   %[[FENCE:.*]] = llvm.mlir.addressof @cameo_emulated_fence_products
//   HOST-DAG:   %[[SHARED:.*]] = llvm.mlir.addressof @cameo_emulated_shared_begin
//   HOST-DAG:   llvm.mlir.constant(33554432 : i32)
//   HOST-DAG:   llvm.mlir.constant(-9223371899415822336 : i64)
//   HOST-DAG:   %[[MULTIPLY:.*]] = llvm.mlir.addressof @cameo_emulated_multiply_group
//   HOST-DAG:   %[[COMMIT:.*]] = llvm.mlir.addressof @cameo_emulated_commit_products
//   HOST-DAG:   %[[AWAIT:.*]] = llvm.mlir.addressof @cameo_emulated_await_products
//       HOST:   llvm.load volatile %[[PUBLISH]]
//       HOST:   llvm.load volatile %[[FENCE]]
// HOST-COUNT-2:   llvm.load volatile %[[SHARED]]
//       HOST:   llvm.load volatile %[[MULTIPLY]]
//  HOST-NEXT:   llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (i64, i64, i32, i32, i32, i32, !llvm.ptr) -> ()
//       HOST:   llvm.load volatile %[[COMMIT]]
//       HOST:   llvm.load volatile %[[AWAIT]]
//       HOST:   llvm.load volatile %[[AWAIT]]
//  HOST-NEXT:   llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (i32, i32, !llvm.ptr) -> ()
//   HOST-NOT:   nvvm
memref.global "private" @tile : memref<8192xbf16, 3> = uninitialized {alignment = 1024 : i64}
func.func private @product(%y: memref<1xf32>, %block: index) attributes {task.block = #task.block<threads = 128>} {
  %zero = arith.constant 0 : index
  %x = arith.constant 0.0 : f32
  %tile = memref.get_global @tile : memref<8192xbf16, 3>
  %begin = memref.extract_aligned_pointer_as_index %tile : memref<8192xbf16, 3> -> index
  %number = arith.index_cast %begin : index to i64
  %at = llvm.inttoptr %number : i64 to !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.wgmma.fence.aligned
  %r:8 = task.multiply_group %at [32, 128, 1024, 0, 0], %at [0, 64, 512, 8192, 1], %x, %x, %x, %x, %x, %x, %x, %x of bf16 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  nvvm.wgmma.commit.group.sync.aligned
  task.await_products 1
  %s:8 = task.await_products 0 of %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7 : f32, f32, f32, f32, f32, f32, f32, f32
  memref.store %s#0, %y[%zero] : memref<1xf32>
  return
}

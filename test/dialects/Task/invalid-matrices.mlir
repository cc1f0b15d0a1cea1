// RUN: cameo-opt %s -verify-diagnostics -split-input-file

func.func @multiply_group_c1(%at: !llvm.ptr<3>, %x: f32) {
  // expected-error @below {{expected as many results as sums, a multiple of 8 up to 128, got 4 and 4}}
  %r:4 = task.multiply_group %at [0, 128, 1024, 0, 0], %at [0, 128, 1024, 0, 0], %x, %x, %x, %x of f16 : !llvm.ptr<3>, f32, f32, f32, f32
  return
}

// -----

func.func @multiply_group_c2(%at: !llvm.ptr<3>, %x: f32) {
  // expected-error @below {{expected elements of f16 or bf16, got 'f32'}}
  %r:8 = task.multiply_group %at [0, 128, 1024, 0, 0], %at [0, 128, 1024, 0, 0], %x, %x, %x, %x, %x, %x, %x, %x of f32 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  return
}

// -----

func.func @multiply_group_c3(%at: !llvm.ptr<3>, %x: f32) {
  // expected-error @below {{expected five numbers of a matrix, with rows of 32, 64 or 128 bytes and 0 or 1 at last, or of 16 bytes and 0}}
  %r:8 = task.multiply_group %at [0, 256, 1024, 0, 0], %at [0, 128, 1024, 0, 0], %x, %x, %x, %x, %x, %x, %x, %x of f16 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  return
}

// -----

func.func @multiply_group_c3_turned_window(%at: !llvm.ptr<3>, %x: f32) {
  // expected-error @below {{expected five numbers of a matrix, with rows of 32, 64 or 128 bytes and 0 or 1 at last, or of 16 bytes and 0}}
  %r:8 = task.multiply_group %at [0, 16, 160, 1600, 1], %at [0, 128, 1024, 0, 0], %x, %x, %x, %x, %x, %x, %x, %x of f16 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  return
}

// -----

func.func @await_products_c1(%x: f32) {
  // expected-error @below {{expected as many results as sums, and none while products are under way, got 1 and 1}}
  %r = task.await_products 1 of %x : f32
  return
}

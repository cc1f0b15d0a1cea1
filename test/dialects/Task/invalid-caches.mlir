// RUN: cameo-opt %s -split-input-file -verify-diagnostics

func.func @update_c1_elements(%x: tensor<1x4x64x8xf32>, %r: tensor<1x4x1x8xf16>, %p: tensor<1xi64>) {
  // expected-error @below {{expected elements and rank of 'tensor<1x4x64x8xf32>', got 'tensor<1x4x1x8xf16>'}}
  %0 = task.update %x, %r at %p axis 2 : tensor<1x4x64x8xf32>, tensor<1x4x1x8xf16>, tensor<1xi64> -> tensor<1x4x64x8xf32>
  return
}

// -----

func.func @update_c1_rank(%x: tensor<1x4x64x8xf32>, %r: tensor<4x1x8xf32>, %p: tensor<1xi64>) {
  // expected-error @below {{expected elements and rank of 'tensor<1x4x64x8xf32>', got 'tensor<4x1x8xf32>'}}
  %0 = task.update %x, %r at %p axis 2 : tensor<1x4x64x8xf32>, tensor<4x1x8xf32>, tensor<1xi64> -> tensor<1x4x64x8xf32>
  return
}

// -----

func.func @update_c2(%x: tensor<1x4x64x8xf32>, %r: tensor<1x4x1x8xf32>, %p: tensor<1xi64>) {
  // expected-error @below {{expected an axis in [1, 4), got 0}}
  %0 = task.update %x, %r at %p axis 0 : tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64> -> tensor<1x4x64x8xf32>
  return
}

// -----

func.func @write_rows_number(%r: memref<32xf32>, %x: memref<2048xf32>, %p: memref<1xi64>) {
  // expected-error @below {{expected five extents, got 4}}
  task.write_rows %r, %x at %p extents [1, 4, 64, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  return
}

// -----

func.func @write_rows_c1(%r: memref<32xf32>, %x: memref<2048xf32>, %p: memref<1xi64>) {
  // expected-error @below {{expected extents that are numbers or expressions, got 1.000000e+00 : f64}}
  task.write_rows %r, %x at %p extents [1, 4, 64, 1.0, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  return
}

// RUN: cameo-opt %s -verify-diagnostics -split-input-file

func.func @bind_c3_flags(%n: memref<1xi64>, %c: memref<1xi8>) {
  // expected-error @below {{expected a value of each of 1 flags, got 2}}
  task.bind "n", %n max 6 if (%c) is [true, false] : memref<1xi64>
  return
}

// -----

func.func @choose_c1_element_type(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{expected elements of type 'f32', got 'tensor<4xf64>'}}
  %0 = task.choose %c, %x, %y counts() : tensor<i1>, tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  return
}

// -----

func.func @choose_c2_rank(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error @below {{expected a rank of 1, got 'tensor<4x1xf32>'}}
  %0 = task.choose %c, %x, %y counts() : tensor<i1>, tensor<4xf32>, tensor<4x1xf32> -> tensor<4xf32>
  return
}

// -----

func.func @choose_c3_sizes(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{expected dimensions of 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = task.choose %c, %x, %y counts() : tensor<i1>, tensor<4xf32>, tensor<5xf32> -> tensor<4xf32>
  return
}

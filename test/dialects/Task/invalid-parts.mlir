// RUN: cameo-opt %s -verify-diagnostics -split-input-file

func.func @place_c1_larger(%x: tensor<2x5xf32>) {
  // expected-error @below {{expected a slice of 'tensor<4x4xf32>', got 'tensor<2x5xf32>'}}
  %0 = task.place %x : tensor<2x5xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @place_c1_element_type(%x: tensor<2x4xi32>) {
  // expected-error @below {{expected a slice of 'tensor<4x4xf32>', got 'tensor<2x4xi32>'}}
  %0 = task.place %x : tensor<2x4xi32> -> tensor<4x4xf32>
  return
}

// -----

func.func @place_c2_sizes(%x: tensor<?x4xf32>) {
  // expected-error @below {{expected dimensions that are dynamic in both, got 'tensor<?x4xf32>' and 'tensor<4x4xf32>'}}
  %0 = task.place %x : tensor<?x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @join_c1_offsets(%x: tensor<4x4xf32>) {
  // expected-error @below {{expected parts and an offset for each, got 1 and 2}}
  %0 = task.join %x offsets [0, 8] : tensor<4x4xf32>
  return
}

// -----

func.func @join_c2_outside(%x: tensor<4x4xf32>) {
  // expected-error @below {{expected offsets in [0, 16), got 16}}
  %0 = task.join %x, %x offsets [0, 16] : tensor<4x4xf32>
  return
}

// -----

func.func @join_c2_dynamic(%x: tensor<?x4xf32>) {
  // expected-error @below {{expected offsets in [0, 4), got 4}}
  %0 = task.join %x, %x offsets [0, 4] : tensor<?x4xf32>
  return
}

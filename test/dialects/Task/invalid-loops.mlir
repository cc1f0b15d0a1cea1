// RUN: cameo-opt %s -verify-diagnostics -split-input-file

func.func @loop_c1_body(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected a body named body}}
  %n, %y = task.loop @body trip_count(%m) carries(%c) reads() : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> tensor<f32> {
  return %c : tensor<f32>
}

// -----

func.func @loop_c2_count(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected a body that takes an iteration number, 1 loop-carried values and 1 others, and returns 1 and 0}}
  %n, %y = task.loop @body trip_count(%m) carries(%c) reads(%c) : (tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<i64>, tensor<f32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> tensor<f32> attributes {task.body} {
  return %c : tensor<f32>
}

// -----

func.func @loop_c2_type(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected values of one type in all iterations}}
  %n, %y = task.loop @body trip_count(%m) carries(%c) reads() : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<2xf32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> tensor<f32> attributes {task.body} {
  return %c : tensor<f32>
}

// -----

func.func @loop_c2_slice(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected slices of 'tensor<2x2xf32>', got 'tensor<f32>'}}
  %n, %y, %all = task.loop @body trip_count(%m) carries(%c) reads() {max_trip_count = 2 : i64} : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>, tensor<2x2xf32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {task.body} {
  return %c, %c : tensor<f32>, tensor<f32>
}

// -----

func.func @loop_c3_condition(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected a boolean as the first loop-carried value}}
  %n, %y = task.loop @body carries(%c) reads() {conditional} : (tensor<f32>) -> (tensor<i64>, tensor<f32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> tensor<f32> attributes {task.body} {
  return %c : tensor<f32>
}

// -----

func.func @loop_c4_end(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected a trip count or a condition}}
  %n, %y = task.loop @body carries(%c) reads() : (tensor<f32>) -> (tensor<i64>, tensor<f32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> tensor<f32> attributes {task.body} {
  return %c : tensor<f32>
}

// -----

func.func @loop_c5_most(%m: tensor<i64>, %c: tensor<f32>) {
  // expected-error @below {{expected the maximum trip count, because slices are stacked}}
  %n, %y, %all = task.loop @body trip_count(%m) carries(%c) reads() : (tensor<i64>, tensor<f32>) -> (tensor<i64>, tensor<f32>, tensor<2xf32>)
  return
}
func.func private @body(%i: tensor<i64>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {task.body} {
  return %c, %c : tensor<f32>, tensor<f32>
}

// -----

func.func @repeat_c1_end(%i: memref<1xi64>) {
  // expected-error @below {{expected a trip count or a condition}}
  task.repeat %i {
  }
  return
}

// -----

func.func @repeat_c2_max_trip_count(%i: memref<1xi64>) {
  // expected-error @below {{expected a maximum trip count of 0 or more, or an expression, got -1}}
  task.repeat %i trip_count %i attributes {max_trip_count = -1 : i64} {
  }
  return
}

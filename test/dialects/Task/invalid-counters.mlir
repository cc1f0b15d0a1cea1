// RUN: cameo-opt %s -verify-diagnostics -split-input-file

func.func @arrive_c1(%c: memref<3xi32>, %number: index) {
  // expected-error @below {{expected at least two blocks, got 1}}
  %last = task.arrive %c[%number] of 1 : memref<3xi32>
  return
}

// -----

func.func @counters_in_a_function() {
  // expected-error @below {{expects parent op 'task.def'}}
  %c = task.counters : memref<3xi32>
  return
}

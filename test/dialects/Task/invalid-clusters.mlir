// Violations of rules of clusters of blocks.
// RUN: cameo-opt %s -split-input-file -verify-diagnostics

func.func private @kernel(%x: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 32, cluster = 4>}
func.func @dispatch_c4(%x: memref<4xf32>) {
  // expected-error @below {{expected an extent that clusters of 4 blocks divide, got 6}}
  task.dispatch @kernel(%x) extent 6 : memref<4xf32>
  return
}

// -----

// expected-error @below {{expected 1 to 8 blocks of a cluster, got 9}}
func.func private @block_c2(%x: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 32, cluster = 9>}

// -----

func.func private @meet_cluster_c1(%block: index) attributes {task.block = #task.block<threads = 32>} {
  // expected-error @below {{expected at least two blocks, got 1}}
  task.meet_cluster of 1
  return
}

// -----

func.func private @read_neighbour_c1(%at: !llvm.ptr<3>, %n: i32, %block: index) attributes {task.block = #task.block<threads = 32>} {
  // expected-error @below {{expected at most 4 elements, got 8}}
  %v = task.read_neighbour %at of %n : !llvm.ptr<3>, vector<8xf32>
  return
}

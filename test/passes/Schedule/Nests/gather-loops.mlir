// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#d = affine_map<(m, n) -> (m, n)>

// Two loops over tensors that do not look at each other run beside each other, each as one iteration of a range. What the second waits for comes
// before both, what waits for the first behind them.
//   CHECK-LABEL: task @apart
//         CHECK: = mulf(
//         CHECK: rows 1 in order:
//     CHECK-NOT: rows 1 in order:
//         CHECK: acc0 =
//         CHECK: rows 1 in order:
//         CHECK: acc0 =
//         CHECK: = maximumf(
// APPLIED-LABEL: func.func private @apart.k{{[0-9]+}}(
//       APPLIED:   %[[ENDS:.*]] = arith.cmpi ult, %c0{{.*}}, %[[END:arg[0-9]+]] : index
//       APPLIED:   %[[BEHIND:.*]] = arith.cmpi ult, %c0{{.*}}, %[[BEGIN:arg[0-9]+]] : index
//       APPLIED:   %[[ROWS:.*]] = arith.select %[[BEHIND]], %{{.*}}, %c3
//       APPLIED:   %[[LAST:.*]] = arith.select %[[ENDS]], %[[ROWS]], %{{.*}}
//       APPLIED:   scf.for %{{.*}} = %{{.*}} to %[[LAST]]
//       APPLIED:   arith.cmpi ult, %c1{{.*}}, %[[END]] : index
//       APPLIED:   arith.cmpi ult, %c1{{.*}}, %[[BEGIN]] : index
// APPLIED-LABEL: task.def @apart(
//       APPLIED:   task.dispatch @apart.k{{.*}} extent 2 :
task.def @apart(%x: tensor<3x256xf32>, %v: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> (tensor<1x256xf32>, tensor<1x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x256xf32>) -> tensor<1x256xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %v : tensor<1x256xf32>, tensor<256x256xf32>) outs(%part : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  %elargest = tensor.empty() : tensor<1x256xf32>
  %largest = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<1x256xf32>) outs(%elargest : tensor<1x256xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.maximumf %p, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x256xf32>
  %esquares = tensor.empty() : tensor<3x256xf32>
  %squares = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x256xf32>) outs(%esquares : tensor<3x256xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.mulf %p, %p : f32
    linalg.yield %m : f32
  } -> tensor<3x256xf32>
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %squares[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %w : tensor<1x256xf32>, tensor<256x256xf32>) outs(%part : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  task.return %largest, %t : tensor<1x256xf32>, tensor<1x256xf32>
}

// One that begins with what the other ends with waits for it.
//   CHECK-LABEL: task @chained
// APPLIED-LABEL: task.def @chained(
//   APPLIED-NOT:   extent 2 :
task.def @chained(%x: tensor<3x256xf32>, %v: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<1x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x256xf32>) -> tensor<1x256xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %v : tensor<1x256xf32>, tensor<256x256xf32>) outs(%part : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %r) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %w : tensor<1x256xf32>, tensor<256x256xf32>) outs(%part : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  task.return %t : tensor<1x256xf32>
}

// Short ones are done before another thread has begun.
// APPLIED-LABEL: task.def @short(
//   APPLIED-NOT:   extent 2 :
task.def @short(%x: tensor<3x256xf32>, %y: tensor<3x256xf32>) -> (tensor<1x256xf32>, tensor<1x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x256xf32>) -> tensor<1x256xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#d, #d, #d], iterator_types = ["parallel", "parallel"]}
        ins(%before, %part : tensor<1x256xf32>, tensor<1x256xf32>) outs(%empty : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  %t = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x256xf32> {
    %part = tensor.extract_slice %y[%i, 0] [1, 256] [1, 1] : tensor<3x256xf32> to tensor<1x256xf32>
    %next = linalg.generic {indexing_maps = [#d, #d, #d], iterator_types = ["parallel", "parallel"]}
        ins(%before, %part : tensor<1x256xf32>, tensor<1x256xf32>) outs(%empty : tensor<1x256xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<1x256xf32>
    scf.yield %next : tensor<1x256xf32>
  }
  task.return %r, %t : tensor<1x256xf32>, tensor<1x256xf32>
}

// RUN: cameo-opt %s --build-loops --schedule-tasks | FileCheck %s --check-prefix=USUAL
// RUN: cameo-opt %s --attach-target=machine=cores=2 --build-loops --schedule-tasks | FileCheck %s --check-prefix=FEW
// RUN: cameo-opt %s --attach-target=machine=share_cycles=1000000 --build-loops --schedule-tasks | FileCheck %s --check-prefix=ALONE
// RUN: cameo-opt %s --attach-target=machine=near_bytes_per_cycle=1000 --build-loops --schedule-tasks | FileCheck %s --check-prefix=ALONE

#point = affine_map<(m) -> (m)>

// What takes as long as sharing it is worth has two pieces for each core. Reading and writing takes longest here.
//   USUAL: task.def @negate({{.*}}#schedule.tile<nest = 0, dim = 0, size = 1280>, {{.*}}#schedule.parallel<nest = 0, loops = 1>
//     FEW: task.def @negate({{.*}}#schedule.tile<nest = 0, dim = 0, size = 5120>, {{.*}}#schedule.parallel<nest = 0, loops = 1>
//   ALONE: task.def @negate(
// ALONE-NOT: #schedule.parallel
task.def @negate(%x: tensor<20480xf32>) -> tensor<20480xf32> {
  %empty = tensor.empty() : tensor<20480xf32>
  %r = linalg.generic {indexing_maps = [#point, #point], iterator_types = ["parallel"]} ins(%x : tensor<20480xf32>) outs(%empty : tensor<20480xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<20480xf32>
  task.return %r : tensor<20480xf32>
}

// Products in the blocks of the product that they read.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

// LOOPS-LABEL: task.def @kept
//  LOOPS-SAME:   description = "2 nests; d0/64 d1/64 d0/32 d1/32; in the blocks of nest 0; matrix unit, 16 x 8 x 16;
//       LOOPS:   loop.nest {{.*}} chained = true

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// A block of 64 rows has all 64 columns of the first product, and keeps them (shared2). The right operand of the second product lies over that of the first one: its 128 columns are two parts of 64, and each is
// copied behind a barrier. The result in between has no memory of the task.
// KERNEL-DAG: memref.global "private" @kept.k0.shared{{[0-2]}} : memref<4096xf16, 3> = uninitialized {alignment = 1024 : i64}
// KERNEL-LABEL: func.func private @kept.k0(
//  KERNEL-SAME:   %{{[^,]*}}: memref<16384xf16> {llvm.noalias}, %{{[^,]*}}: memref<4096xf16> {llvm.noalias}, %{{[^,]*}}: memref<8192xf16> {llvm.noalias}, %{{[^,]*}}: memref<32768xf16> {llvm.noalias}, %{{[^,]*}}: index)
//       KERNEL:   scf.for
//       KERNEL:     gpu.barrier
// KERNEL-COUNT-16:  nvvm.mma.sync
//       KERNEL:   gpu.barrier
//       KERNEL:   nvvm.cp.async.shared.global
//       KERNEL:   nvvm.cp.async.commit.group
// KERNEL-COUNT-16: vector.store {{.*}} : memref<4096xf16, 3>, vector<2xf16>
//  KERNEL-NEXT:   nvvm.cp.async.wait.group 0
//  KERNEL-NEXT:   gpu.barrier
// KERNEL-COUNT-32: nvvm.mma.sync
//       KERNEL:   gpu.barrier
//       KERNEL:   nvvm.cp.async.commit.group
// KERNEL-COUNT-16: vector.store {{.*}} : memref<32768xf16>, vector<2xf16>
//       KERNEL:   nvvm.cp.async.wait.group 0
// KERNEL-COUNT-32: nvvm.mma.sync
// KERNEL-COUNT-16: vector.store {{.*}} : memref<32768xf16>, vector<2xf16>
//       KERNEL:   task.dispatch @kept.k0({{.*}}) extent 4
task.def @kept(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<256x64xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<256x64xf16>, tensor<64x64xf16>) outs(%hinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %hout = tensor.empty() : tensor<256x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr : tensor<256x64xf32>) outs(%hout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<256x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x128xf16>) outs(%yinit : tensor<256x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  %yout = tensor.empty() : tensor<256x128xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x128xf32>) outs(%yout : tensor<256x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x128xf16>
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// The first result is one of the task, and is stored, too, where it is kept.
// KERNEL-LABEL: func.func private @stored.k0(
//  KERNEL-SAME:   memref<16384xf16> {llvm.noalias}, %{{[^,]*}}: memref<4096xf16> {llvm.noalias}, %{{[^,]*}}: memref<16384xf16> {llvm.noalias}, %{{[^,]*}}: memref<8192xf16> {llvm.noalias}, %{{[^,]*}}: memref<32768xf16> {llvm.noalias}
//       KERNEL:   vector.store {{.*}} : memref<4096xf16, 3>, vector<2xf16>
// KERNEL-COUNT-16: vector.store {{.*}} : memref<16384xf16>, vector<2xf16>
//       KERNEL:   nvvm.cp.async.wait.group 0
task.def @stored(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> (tensor<256x64xf16>, tensor<256x128xf16>) attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 3, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<256x64xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<256x64xf16>, tensor<64x64xf16>) outs(%hinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %hout = tensor.empty() : tensor<256x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr : tensor<256x64xf32>) outs(%hout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<256x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x128xf16>) outs(%yinit : tensor<256x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  %yout = tensor.empty() : tensor<256x128xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x128xf32>) outs(%yout : tensor<256x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x128xf16>
  task.return %h, %y : tensor<256x64xf16>, tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// The 128 columns of the second product are two parts of 64, and the block keeps both for the third product, over the left operand of the first one. Neither result in between has memory of the task.
// LOOPS-LABEL: task.def @three
//  LOOPS-SAME:   description = "3 nests; {{.*}}; in the blocks of nest 0;
// LOOPS-COUNT-2:   chained = true
// KERNEL-DAG: memref.global "private" @three.k0.shared{{[0-2]}} : memref<8192xf16, 3> = uninitialized {alignment = 1024 : i64}
// KERNEL-LABEL: func.func private @three.k0(
//  KERNEL-SAME:   %{{[^,]*}}: memref<16384xf16> {llvm.noalias}, %{{[^,]*}}: memref<4096xf16> {llvm.noalias}, %{{[^,]*}}: memref<8192xf16> {llvm.noalias}, %{{[^,]*}}: memref<8192xf16> {llvm.noalias}, %{{[^,]*}}: memref<16384xf16> {llvm.noalias}, %{{[^,]*}}: index)
// KERNEL-COUNT-16:  nvvm.mma.sync
// KERNEL-COUNT-16: vector.store {{.*}} : memref<4096xf16, 3>, vector<2xf16>
// KERNEL-COUNT-32: nvvm.mma.sync
// KERNEL-COUNT-16: vector.store {{.*}} : memref<8192xf16, 3>, vector<2xf16>
// KERNEL-COUNT-32: nvvm.mma.sync
// KERNEL-COUNT-16: vector.store {{.*}} : memref<8192xf16, 3>, vector<2xf16>
//       KERNEL:   nvvm.cp.async.wait.group 0
//  KERNEL-NEXT:   gpu.barrier
// KERNEL-COUNT-64: nvvm.mma.sync
// KERNEL-COUNT-16: vector.store {{.*}} : memref<16384xf16>, vector<2xf16>
//       KERNEL:   task.dispatch @three.k0({{.*}}) extent 4
task.def @three(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %d: tensor<128x64xf16>) -> tensor<256x64xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 5, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>, #schedule.tile<nest = 2, dim = 0, size = 64>, #schedule.tile<nest = 2, dim = 1, size = 64>, #schedule.tile<nest = 2, dim = 2, size = 128>, #schedule.tile<nest = 2, dim = 0, size = 32>, #schedule.tile<nest = 2, dim = 1, size = 32>, #schedule.bind<nest = 2, loop = 0, to = block>, #schedule.bind<nest = 2, loop = 1, to = block>, #schedule.bind<nest = 2, loop = 3, to = warp>, #schedule.bind<nest = 2, loop = 4, to = warp>, #schedule.cache<nest = 2, buffer = 6, stages = 1, copy = async>, #schedule.cache<nest = 2, buffer = 3, stages = 1, copy = async>, #schedule.tensor<nest = 2, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 2>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<256x64xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<256x64xf16>, tensor<64x64xf16>) outs(%hinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %hout = tensor.empty() : tensor<256x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr : tensor<256x64xf32>) outs(%hout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<256x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x128xf16>) outs(%yinit : tensor<256x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  %yout = tensor.empty() : tensor<256x128xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x128xf32>) outs(%yout : tensor<256x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x128xf16>
  %zzero = arith.constant 0.0 : f32
  %zempty = tensor.empty() : tensor<256x64xf32>
  %zinit = linalg.fill ins(%zzero : f32) outs(%zempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %zr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %d : tensor<256x128xf16>, tensor<128x64xf16>) outs(%zinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %zout = tensor.empty() : tensor<256x64xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%zr : tensor<256x64xf32>) outs(%zout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  task.return %z : tensor<256x64xf16>
}
}

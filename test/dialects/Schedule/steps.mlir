// RUN: cameo-opt %s | cameo-opt | FileCheck %s

// CHECK: module attributes {test.empty = #schedule.steps<>, test.steps = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>, #schedule.winograd<nest = 1, outputs = 2, rows = 4, columns = 4, channels = 16, depth = 64>, #schedule.fuse<nest = 2, last = 6, size = 16>, #schedule.flatten<nest = 7, dim = 1>, #schedule.vectorize<nest = 0, dim = 3, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 2, size = 14>, #schedule.parallel<nest = 0, loops = 2>, #schedule.parallel<nest = 1, loops = 1, inside = 1>, #schedule.rfactor<nest = 0, loop = 3>, #schedule.dot<nest = 0, dim = 4>>}
module attributes {
  test.empty = #schedule.steps<>,
  test.steps = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>, #schedule.winograd<nest = 1, outputs = 2, rows = 4, columns = 4, channels = 16, depth = 64>, #schedule.fuse<nest = 2, last = 6, size = 16>, #schedule.flatten<nest = 7, dim = 1>,
                               #schedule.vectorize<nest = 0, dim = 3, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.prefetch<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 2, size = 14>, #schedule.parallel<nest = 0, loops = 2>, #schedule.parallel<nest = 1, loops = 1, inside = 1>,
                               #schedule.rfactor<nest = 0, loop = 3>, #schedule.dot<nest = 0, dim = 4>>
} {}

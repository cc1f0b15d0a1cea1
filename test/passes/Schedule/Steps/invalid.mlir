// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a dimension from 0 to 0, got 1}}
task.def @dimension_out_of_range(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: the loops leave a block of more than 1024 points to unroll}}
task.def @block_too_large(%x: tensor<6400xf32>) -> tensor<6400xf32> attributes {schedule = #schedule.steps<>} {
  %empty = tensor.empty() : tensor<6400xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<6400xf32>) outs(%empty : tensor<6400xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<6400xf32>
  task.return %r : tensor<6400xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: expected a buffer below 2, got 2}}
task.def @buffer_out_of_range(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.pack<nest = 0, buffer = 2>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: expected a nest below 1, got 3}}
task.def @nest_out_of_range(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 3, dim = 0, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected partial results for a loop over a reduction, got loop 0}}
task.def @partial_results_of_no_reduction(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.rfactor<nest = 0, loop = 0>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: the partial results of this reduction cannot be combined}}
task.def @partial_results_without_combiner(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.rfactor<nest = 0, loop = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.divf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a packed buffer to fetch, got buffer 0}}
task.def @nothing_to_fetch(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.prefetch<nest = 0, buffer = 0>, #schedule.tile<nest = 0, dim = 0, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<8x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<96x16xf32>
  %y = task.call @packed_blocks_cut_by_outer_loop(%x, %w) : (tensor<8x16xf32>, tensor<96x16xf32>) -> tensor<8x96xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected loops over dimension 1 to divide packed operands into blocks of whole vectors, each size a multiple of the next and of the width}}
task.def @packed_blocks_cut_by_outer_loop(%x: tensor<8x16xf32>, %w: tensor<96x16xf32>) -> tensor<8x96xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
        #schedule.tile<nest = 0, dim = 1, size = 48>, #schedule.tile<nest = 0, dim = 0, size = 1>,
        #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x96xf32>) -> tensor<8x96xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x16xf32>, tensor<96x16xf32>) outs(%init : tensor<8x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x96xf32>
  task.return %y : tensor<8x96xf32>
}

// -----

#two = affine_map<(m, k) -> (m, k)>
#one = affine_map<(m, k) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: the lanes of a vector along dimension 1 cannot be combined}}
task.def @lanes_of_no_associative_reduction(%x: tensor<8x64xf32>) -> tensor<8xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#two, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.subf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  task.return %y : tensor<8xf32>
}

// -----

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// expected-error@below {{the schedule cannot be applied: nest 2: expected a buffer to pack that is not written by its group, got buffer 2}}
task.def @copy_of_a_row_not_yet_computed(%x: tensor<64x100xf32>) -> tensor<64x100xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 1, dim = 1, size = 1>,
        #schedule.vectorize<nest = 2, dim = 1, lanes = 16>, #schedule.pack<nest = 2, buffer = 2>, #schedule.tile<nest = 2, dim = 1, size = 16>,
        #schedule.tile<nest = 3, dim = 1, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %column = tensor.empty() : tensor<64x1xf32>
  %empty = tensor.empty() : tensor<64x100xf32>
  %lows = linalg.fill ins(%low : f32) outs(%column : tensor<64x1xf32>) -> tensor<64x1xf32>
  %max = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%lows : tensor<64x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %m = arith.maximumf %p, %acc : f32
    linalg.yield %m : f32
  } -> tensor<64x1xf32>
  %e = linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<64x100xf32>, tensor<64x1xf32>) outs(%empty : tensor<64x100xf32>) {
  ^bb0(%p: f32, %m: f32, %unused: f32):
    %d = arith.subf %p, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%column : tensor<64x1xf32>) -> tensor<64x1xf32>
  %sum = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<64x100xf32>) outs(%zeros : tensor<64x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  %y = linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<64x100xf32>, tensor<64x1xf32>) outs(%empty : tensor<64x100xf32>) {
  ^bb0(%p: f32, %s: f32, %unused: f32):
    %r = arith.divf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  task.return %y : tensor<64x100xf32>
}

// -----

#rows = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(n, m) -> (m, n)>
#sums = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected adjacent nests that can run in overlapped tiles, got a buffer that is also used outside of these nests}}
task.def @tile_that_others_see(%x: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 1, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x16xf32>
  %n = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x16xf32>
  %start = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%start : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#columns, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<64x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %t = arith.addf %sum, %a : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  task.return %n, %s : tensor<64x16xf32>, tensor<16xf32>
}

// -----

#rows = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(n, m) -> (m, n)>
#sums = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a nest below 2, got 2}}
task.def @tile_of_no_nest(%x: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<16xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 2, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x16xf32>
  %n = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x16xf32>
  %start = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%start : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#columns, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<64x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %t = arith.addf %sum, %a : f32
    linalg.yield %t : f32
  } -> tensor<16xf32>
  task.return %n, %s : tensor<64x16xf32>, tensor<16xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected adjacent nests that can run in overlapped tiles, got nests of which none reads a result of another}}
task.def @strangers_in_overlapped_tiles(%x: tensor<64x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 1, size = 4>>} {
  %empty = tensor.empty() : tensor<64x16xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %r = math.exp %v : f32
    linalg.yield %r : f32
  } -> tensor<64x16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x16xf32>) outs(%empty : tensor<64x16xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %r = math.sin %v : f32
    linalg.yield %r : f32
  } -> tensor<64x16xf32>
  task.return %a, %b : tensor<64x16xf32>, tensor<64x16xf32>
}

// -----

#weights = affine_map<(j, k) -> (j, k)>
#old = affine_map<(j, k) -> (k)>
#new = affine_map<(j, k) -> (j)>

// expected-error@below {{the schedule cannot be applied: nest 1: expected a buffer to pack that is not written by its group, got buffer 2}}
task.def @packed_state(%w: tensor<8x8xf32>, %first: tensor<8xf32>) -> tensor<8xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 1, dim = 1, lanes = 8>, #schedule.pack<nest = 1, buffer = 2>,
                               #schedule.tile<nest = 1, dim = 2, size = 4>>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%h = %first) -> tensor<8xf32> {
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %next = linalg.generic {indexing_maps = [#weights, #old, #new], iterator_types = ["parallel", "reduction"]}
        ins(%w, %h : tensor<8x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  task.return %last : tensor<8xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// Each loop leaves pieces of two sizes, and each of these is divided in turn.
// expected-error@below {{the schedule cannot be applied: nest 0: the loops leave blocks of more than 16384 points to unroll, of which those over dimension 0 make}}
task.def @many_rests(%x: tensor<65535xf32>) -> tensor<65535xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 2>, #schedule.tile<nest = 0, dim = 0, size = 33692>, #schedule.tile<nest = 0, dim = 0, size = 25416>, #schedule.tile<nest = 0, dim = 0, size = 15157>, #schedule.tile<nest = 0, dim = 0, size = 10451>, #schedule.tile<nest = 0, dim = 0, size = 6961>, #schedule.tile<nest = 0, dim = 0, size = 4193>, #schedule.tile<nest = 0, dim = 0, size = 2219>, #schedule.tile<nest = 0, dim = 0, size = 1728>, #schedule.tile<nest = 0, dim = 0, size = 1521>, #schedule.tile<nest = 0, dim = 0, size = 1024>>} {
  %empty = tensor.empty() : tensor<65535xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<65535xf32>) outs(%empty : tensor<65535xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<65535xf32>
  task.return %r : tensor<65535xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 16 loops, got 17}}
task.def @many_loops(%x: tensor<65535xf32>) -> tensor<65535xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 1>>} {
  %empty = tensor.empty() : tensor<65535xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<65535xf32>) outs(%empty : tensor<65535xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<65535xf32>
  task.return %r : tensor<65535xf32>
}

// -----

// expected-error@below {{the schedule cannot be applied: nest 0: expected a tile of no more than 10 rows, got 12}}
task.def @tile_of_more_rows(%x: tensor<10x3xf32>) -> tensor<10x3xf32> attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 1, size = 12>>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<10x3xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %r = tensor.empty() : tensor<10x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<10x3xf32>, tensor<10xf32>) outs(%r : tensor<10x3xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %q = arith.divf %in, %by : f32
    linalg.yield %q : f32
  } -> tensor<10x3xf32>
  task.return %y : tensor<10x3xf32>
}

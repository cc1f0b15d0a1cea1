// RUN: cameo-opt %s -split-input-file -verify-diagnostics

// expected-error@below {{expected a size of at least 1, got 0}}
#tile_of_nothing = #schedule.tile<nest = 0, dim = 0, size = 0>

// -----

// expected-error@below {{expected at least 1 parallel loop}}
#no_parallel_loop = #schedule.parallel<nest = 0, loops = 0>

// -----

// expected-error@below {{expected a power of two of at least 2 lanes, got 12}}
#odd_lanes = #schedule.vectorize<nest = 0, dim = 0, lanes = 12>

// -----

// expected-error@below {{expected schedule steps, got 4 : i64}}
#no_step = #schedule.steps<4>

// -----

// expected-error@below {{expected 2 or 4 outputs, got 3}}
#tiles_of_three = #schedule.winograd<nest = 0, outputs = 3, rows = 1, columns = 1>

// -----

// expected-error@below {{expected blocks of at least 1 x 1 tiles, got 0 x 4}}
#blocks_of_nothing = #schedule.winograd<nest = 0, outputs = 4, rows = 0, columns = 4>

// -----

// expected-error@below {{expected blocks of the filter of at least 1 x 1 channels, got 16 x 0}}
#parts_of_nothing = #schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16>

// -----

// expected-error@below {{expected steps that replace nests before all others}}
#replaced_late = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 4>>

// -----

// expected-error@below {{expected one step that replaces nest 0}}
#replaced_twice = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 4>, #schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 4>>

// -----

// expected-error@below {{expected one step that replaces nest 3}}
#replaced_and_joined = #schedule.steps<#schedule.fuse<nest = 0, last = 4, size = 16>, #schedule.winograd<nest = 3, outputs = 2, rows = 1, columns = 4>>

// -----

// expected-error@below {{expected one step that replaces nest 2}}
#flattened_twice = #schedule.steps<#schedule.flatten<nest = 2, dim = 0>, #schedule.flatten<nest = 2, dim = 1>>

// -----

// expected-error@below {{expected a last nest after 2, got 2}}
#one_nest_joined = #schedule.fuse<nest = 2, last = 2, size = 16>

// -----

// expected-error@below {{expected a size of at least 1, got 0}}
#blocks_of_no_point = #schedule.fuse<nest = 0, last = 1, size = 0>

// -----

// expected-error@below {{expected a size of at most 281474976710656, got 281474976710657}}
#endless_tile = #schedule.tile<nest = 0, dim = 0, size = 281474976710657>

// -----

// expected-error@below {{expected a size of at most 281474976710656, got 281474976710657}}
#endless_tile = #schedule.fuse<nest = 0, last = 1, size = 281474976710657>

// -----

// expected-error@below {{expected at most 256 lanes, got 512}}
#wide_vector = #schedule.vectorize<nest = 0, dim = 0, lanes = 512>

// -----

// expected-error@below {{expected at most 256 lanes, got 2147483648}}
#widest_vector = #schedule.vectorize<nest = 0, dim = 0, lanes = 2147483648>

// -----

// expected-error@below {{expected sizes of at most 1048576, got 1048577}}
#endless_blocks = #schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 1048577>

// -----

// expected-error@below {{expected 1 to 4 stages, got 5}}
#too_many_stages = #schedule.cache<nest = 0, buffer = 0, stages = 5, copy = async>

// -----

// expected-error@below {{expected at most 2 stages of vector copies, got 3}}
#too_many_vectors = #schedule.cache<nest = 0, buffer = 0, stages = 3>

// -----

// expected-error@below {{expected a factor of 1 to 64, got 0}}
#unrolled_to_nothing = #schedule.unroll<nest = 0, factor = 0>

// -----

// expected-error@below {{expected 64 x n x 16 of wgmma, where n is a power of two from 16 to 256, got 64 x 96 x 16}}
#odd_wgmma = #schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 96, k = 16>

// -----

// expected-error@below {{expected 16 x 8 x 16 of mma, or x 32 of bytes, got 16 x 8 x 8}}
#shallow_mma = #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 8>

// -----

// expected-error@below {{expected at least 1 row and 1 key, got 32 and 0}}
#no_keys = #schedule.online<nest = 5, rows = 32, keys = 0>

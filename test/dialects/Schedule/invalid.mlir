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

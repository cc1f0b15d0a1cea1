#include "TestTasks.h"

#include "dialects/Schedule/ScheduleDialect.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

namespace cameo::autotune {

static const char *const names_[] = {"conv3x3",   "conv3x3_avx2", "conv7x7", "conv1x1",    "depthwise", "matmul",
                                     "matmul512", "bytes",        "gemv",    "pooling",    "softmax",   "elementwise",
                                     "sum",       "transpose",    "walk",    "shared_row", "mixed_rows"};

static const char *const source = R"mlir(
#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#image2 = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, 2 * oh + kh, 2 * ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>
#nhwc = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
#dwimage = affine_map<(n, h, w, c, kh, kw) -> (n, h + kh, w + kw, c)>
#dwfilter = affine_map<(n, h, w, c, kh, kw) -> (c, kh, kw)>
#dwresult = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>
#window = affine_map<(n, h, w, c, kh, kw) -> (kh, kw)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i, 0)>
#one = affine_map<(i) -> (i)>

task.def @conv3x3(%x: tensor<1x16x16x32xf32>, %w: tensor<48x32x3x3xf32>, %bias: tensor<48xf32>) -> tensor<1x14x14x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x14x14x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x48xf32>) -> tensor<1x14x14x48xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x16x16x32xf32>, tensor<48x32x3x3xf32>) outs(%init : tensor<1x14x14x48xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x48xf32>
  %relu = linalg.generic {indexing_maps = [#nhwc, #channel, #nhwc],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x14x14x48xf32>, tensor<48xf32>) outs(%empty : tensor<1x14x14x48xf32>) {
  ^bb0(%p: f32, %q: f32, %unused: f32):
    %s = arith.addf %p, %q : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x14x14x48xf32>
  task.return %relu : tensor<1x14x14x48xf32>
}

task.def @conv7x7(%x: tensor<1x37x37x3xf32>, %w: tensor<64x3x7x7xf32>) -> tensor<1x16x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x16x64xf32>) -> tensor<1x16x16x64xf32>
  %conv = linalg.generic {indexing_maps = [#image2, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x37x37x3xf32>, tensor<64x3x7x7xf32>) outs(%init : tensor<1x16x16x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x16x64xf32>
  task.return %conv : tensor<1x16x16x64xf32>
}

task.def @conv1x1(%x: tensor<1x14x14x64xf32>, %w: tensor<40x64x1x1xf32>) -> tensor<1x14x14x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x14x14x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x14x14x40xf32>) -> tensor<1x14x14x40xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x14x14x64xf32>, tensor<40x64x1x1xf32>) outs(%init : tensor<1x14x14x40xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x14x14x40xf32>
  task.return %conv : tensor<1x14x14x40xf32>
}

task.def @depthwise(%x: tensor<1x30x30x32xf32>, %w: tensor<32x3x3xf32>) -> tensor<1x28x28x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x28x28x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %conv = linalg.generic {indexing_maps = [#dwimage, #dwfilter, #dwresult],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x30x30x32xf32>, tensor<32x3x3xf32>) outs(%init : tensor<1x28x28x32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x28x28x32xf32>
  task.return %conv : tensor<1x28x28x32xf32>
}

task.def @matmul(%x: tensor<50x96xf32>, %w: tensor<96x72xf32>) -> tensor<50x72xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<50x72xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<50x72xf32>) -> tensor<50x72xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<50x96xf32>, tensor<96x72xf32>) outs(%init : tensor<50x72xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<50x72xf32>
  task.return %y : tensor<50x72xf32>
}

task.def @matmul512(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<512x512xf32>, tensor<512x512xf32>) outs(%init : tensor<512x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<512x512xf32>
  task.return %y : tensor<512x512xf32>
}

task.def @gemv(%x: tensor<1x512xf32>, %w: tensor<512x1000xf32>) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x512xf32>, tensor<512x1000xf32>) outs(%init : tensor<1x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x1000xf32>
  task.return %y : tensor<1x1000xf32>
}

task.def @pooling(%x: tensor<1x30x30x24xf32>) -> tensor<1x28x28x24xf32> {
  %low = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x28x28x24xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %init = linalg.fill ins(%low : f32) outs(%empty : tensor<1x28x28x24xf32>) -> tensor<1x28x28x24xf32>
  %y = linalg.generic {indexing_maps = [#dwimage, #window, #dwresult],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<1x30x30x24xf32>, tensor<3x3xf32>) outs(%init : tensor<1x28x28x24xf32>) {
  ^bb0(%p: f32, %unused: f32, %acc: f32):
    %m = arith.maximumf %p, %acc : f32
    linalg.yield %m : f32
  } -> tensor<1x28x28x24xf32>
  task.return %y : tensor<1x28x28x24xf32>
}

task.def @softmax(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
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

task.def @elementwise(%x: tensor<300x500xf32>) -> tensor<300x500xf32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<300x500xf32>
  %y = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x500xf32>) outs(%empty : tensor<300x500xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %s = arith.addf %p, %one : f32
    %m = arith.mulf %s, %p : f32
    linalg.yield %m : f32
  } -> tensor<300x500xf32>
  task.return %y : tensor<300x500xf32>
}

// Rows of weights, by which the rows of the same tensor are added: a copy of these serves all rows.
task.def @mixed_rows(%x: tensor<48x40xf32>) -> tensor<48x48xf32> {
  %zero = arith.constant 0.0 : f32
  %column = tensor.empty() : tensor<48x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%column : tensor<48x1xf32>) -> tensor<48x1xf32>
  %sum = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<48x40xf32>) outs(%zeros : tensor<48x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<48x1xf32>
  %empty = tensor.empty() : tensor<48x40xf32>
  %weights = linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<48x40xf32>, tensor<48x1xf32>) outs(%empty : tensor<48x40xf32>) {
  ^bb0(%p: f32, %s: f32, %unused: f32):
    %r = arith.divf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<48x40xf32>
  %mixed = tensor.empty() : tensor<48x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%mixed : tensor<48x48xf32>) -> tensor<48x48xf32>
  %y = linalg.generic {indexing_maps = [#a, affine_map<(m, n, k) -> (n, k)>, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%weights, %x : tensor<48x40xf32>, tensor<48x40xf32>) outs(%init : tensor<48x48xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<48x48xf32>
  task.return %y : tensor<48x48xf32>
}

task.def @shared_row(%x: tensor<42x9600xf32>, %b: tensor<9600xf32>) -> tensor<42x9600xf32> {
  %empty = tensor.empty() : tensor<42x9600xf32>
  %y = linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (j)>, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<42x9600xf32>, tensor<9600xf32>) outs(%empty : tensor<42x9600xf32>) {
  ^bb0(%p: f32, %q: f32, %unused: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<42x9600xf32>
  task.return %y : tensor<42x9600xf32>
}

task.def @sum(%x: tensor<64x1000xf32>) -> tensor<64x1xf32> {
  %zero = arith.constant 0.0 : f32
  %column = tensor.empty() : tensor<64x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%column : tensor<64x1xf32>) -> tensor<64x1xf32>
  %y = linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>) outs(%zeros : tensor<64x1xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %p, %acc : f32
    linalg.yield %s : f32
  } -> tensor<64x1xf32>
  task.return %y : tensor<64x1xf32>
}

task.def @triangle(%x: tensor<30x12x50xi8>) -> tensor<30x12x50xi8> {
  %none = arith.constant 0 : i8
  %e = tensor.empty() : tensor<30x12x50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<30x12x50xi8>) outs(%e : tensor<30x12x50xi8>) {
  ^bb0(%in: i8, %out: i8):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %row = arith.index_cast %i : index to i64
    %column = arith.index_cast %j : index to i64
    %above = arith.cmpi sge, %column, %row : i64
    %v = arith.select %above, %in, %none : i8
    linalg.yield %v : i8
  } -> tensor<30x12x50xi8>
  task.return %r : tensor<30x12x50xi8>
}

task.def @transpose(%x: tensor<60x84xf32>) -> tensor<84x60xf32> {
  %empty = tensor.empty() : tensor<84x60xf32>
  %y = linalg.generic {indexing_maps = [#swapped, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<60x84xf32>) outs(%empty : tensor<84x60xf32>) {
  ^bb0(%p: f32, %unused: f32):
    linalg.yield %p : f32
  } -> tensor<84x60xf32>
  task.return %y : tensor<84x60xf32>
}

task.def @walk(%at: tensor<300xindex>, %next: tensor<900xindex>) -> tensor<300xindex> {
  %empty = tensor.empty() : tensor<300xindex>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%at : tensor<300xindex>) outs(%empty : tensor<300xindex>) {
  ^bb0(%p: index, %unused: index):
    %a = tensor.extract %next[%p] : tensor<900xindex>
    %b = tensor.extract %next[%a] : tensor<900xindex>
    %c = tensor.extract %next[%b] : tensor<900xindex>
    linalg.yield %c : index
  } -> tensor<300xindex>
  task.return %y : tensor<300xindex>
}

task.def @padded(%x: tensor<14x48xf32>) -> tensor<16x48xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<14x48xf32>
  %y = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<14x48xf32>) outs(%empty : tensor<14x48xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %r = arith.maximumf %p, %zero : f32
    linalg.yield %r : f32
  } -> tensor<14x48xf32>
  %z = tensor.pad %y low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<14x48xf32> to tensor<16x48xf32>
  task.return %z : tensor<16x48xf32>
}

task.def @bytes(%x: tensor<24x70xi8>, %w: tensor<70x48xi8>) -> tensor<24x48xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x48xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<24x48xi32>) -> tensor<24x48xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x70xi8>, tensor<70x48xi8>) outs(%init : tensor<24x48xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %pe = arith.extui %p : i8 to i32
    %qe = arith.extsi %q : i8 to i32
    %m = arith.muli %pe, %qe : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<24x48xi32>
  task.return %r : tensor<24x48xi32>
}

task.def @two_products(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %first = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %second = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%first, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %second : tensor<64x64xf32>
}

task.def @running_sum(%x: tensor<40x64xf32>) -> tensor<40x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<40x64xf32>
  %empty = tensor.empty() : tensor<1x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64xf32>) -> tensor<1x64xf32>
  %r:2 = scf.for %i = %c0 to %c40 step %c1 iter_args(%sums = %all, %before = %none) -> (tensor<40x64xf32>, tensor<1x64xf32>) {
    %part = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<40x64xf32> to tensor<1x64xf32>
    %sum = linalg.generic {indexing_maps = [#two, #two, #two], iterator_types = ["parallel", "parallel"]}
        ins(%before, %part : tensor<1x64xf32>, tensor<1x64xf32>) outs(%empty : tensor<1x64xf32>) {
    ^bb0(%a: f32, %b: f32, %unused: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<1x64xf32>
    %more = tensor.insert_slice %sum into %sums[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<40x64xf32>
    scf.yield %more, %sum : tensor<40x64xf32>, tensor<1x64xf32>
  }
  task.return %r#0 : tensor<40x64xf32>
}
)mlir";

TestTasks::TestTasks() {
  context
      .loadDialect<task::TaskDialect, schedule::ScheduleDialect, mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                   mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
}

llvm::ArrayRef<const char *> TestTasks::names() { return names_; }

SearchTask TestTasks::get(llvm::StringRef name) const {
  bool hasFewRegisters = name.consume_back("_avx2");
  auto def = const_cast<TestTasks *>(this)->module->lookupSymbol<task::DefOp>(name);
  SearchTask task{def, {}, {}, 1, name.str()};
  task.constantArguments.assign(def.getArgumentTypes().size(), true);
  task.constantArguments.front() = false;
  task.machine.vectorBytes = hasFewRegisters ? 32 : 64;
  task.machine.vectorRegisters = hasFewRegisters ? 16 : 32;
  task.machine.l2Bytes = 2 << 20;
  task.machine.byteProducts = hasFewRegisters ? ByteProducts::None : ByteProducts::UnsignedBySigned;
  return task;
}

} // namespace cameo::autotune

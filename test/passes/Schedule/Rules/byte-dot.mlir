// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,byte_products=vnni --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,byte_products=vnni --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefixes=CODE,VNNI
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,byte_products=pairs --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefixes=CODE,PAIRS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32,byte_products=i8mm --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=I8MM
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,byte_products=dotprod --build-loops --schedule-tasks | FileCheck %s --check-prefix=DOTPROD

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<4x7xi8>, %z: tensor<128x3072xi8>, %q: tensor<?x1536xi8, #onnx.dims<["rows", ""]>>, %f: tensor<56x7xi8>)
    -> (tensor<4x16xi32>, tensor<128x768xi32>, tensor<?x384xi32, #onnx.dims<["rows", ""]>>, tensor<800x7xi32>) {
  %w = arith.constant dense<1> : tensor<7x16xi8>
  %y = task.call @product(%x, %w) : (tensor<4x7xi8>, tensor<7x16xi8>) -> tensor<4x16xi32>
  %v = arith.constant dense<1> : tensor<3072x768xi8>
  %u = task.call @long_rows(%z, %v) : (tensor<128x3072xi8>, tensor<3072x768xi8>) -> tensor<128x768xi32>
  %t = arith.constant dense<1> : tensor<1536x384xi8>
  %r = task.call @counted_rows(%q, %t) : (tensor<?x1536xi8, #onnx.dims<["rows", ""]>>, tensor<1536x384xi8>) -> tensor<?x384xi32, #onnx.dims<["rows", ""]>>
  %p = arith.constant dense<1> : tensor<800x56xi8>
  %o = task.call @few_columns(%p, %f) : (tensor<800x56xi8>, tensor<56x7xi8>) -> tensor<800x7xi32>
  return %y, %u, %r, %o : tensor<4x16xi32>, tensor<128x768xi32>, tensor<?x384xi32, #onnx.dims<["rows", ""]>>, tensor<800x7xi32>
}

// Groups of four along the reduction; the weights are packed so that each group is side by side: 2 groups, the last filled up.
// STEPS-LABEL: task.def @product
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
//  STEPS-SAME: #schedule.dot<nest = 0, dim = 2>
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 2, size = 4>

// The first group is one load; of the last, three bytes are read and none behind the row.
// CODE-LABEL: func.func private @product.k0
//       CODE: vector.load %{{.*}} : memref<28xi8>, vector<4xi8>
//       VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//      PAIRS: arith.andi %{{.*}} : vector<16xi16>
//      PAIRS: arith.shrui %{{.*}} : vector<16xi16>
//      PAIRS: arith.shrsi %{{.*}} : vector<16xi16>
// PAIRS-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// CODE-COUNT-3: memref.load
//   CODE-NEXT: vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi8>
//       CODE: task.def @product(%{{.*}}: memref<28xi8>, %{{.*}}: memref<128xi8>
// I8MM-LABEL: func.func private @product.k0
//       I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"
// Bytes of two signs have no instruction there.
// DOTPROD-NOT: #schedule.dot
task.def @product(%x: tensor<4x7xi8>, %w: tensor<7x16xi8>) -> tensor<4x16xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x16xi32>) -> tensor<4x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x7xi8>, tensor<7x16xi8>) outs(%init : tensor<4x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<4x16xi32>
  task.return %r : tensor<4x16xi32>
}

// Rows of 384 KiB stay in the second-level cache for all blocks of weights: no loop over parts of the rows goes around these.
// STEPS-LABEL: task.def @long_rows
//  STEPS-SAME: #schedule.dot<nest = 0, dim = 2>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>
task.def @long_rows(%x: tensor<128x3072xi8>, %w: tensor<3072x768xi8>) -> tensor<128x768xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<128x768xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<128x768xi32>) -> tensor<128x768xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x3072xi8>, tensor<3072x768xi8>) outs(%init : tensor<128x768xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<128x768xi32>
  task.return %r : tensor<128x768xi32>
}

// Sums of bytes are never continued from memory, so no loop bounds how many rows have some there: threads share all rows.
// STEPS-LABEL: task.def @counted_rows(
//  STEPS-SAME: #schedule.dot<nest = 0, dim = 2>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>
task.def @counted_rows(%x: tensor<?x1536xi8> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<1536x384xi8>) -> (tensor<?x384xi32> {task.dims = #onnx.dims<["rows", ""]>}) {
  %zero = arith.constant 0 : i32
  %rows = task.size "rows"
  %empty = tensor.empty(%rows) : tensor<?x384xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<?x384xi32>) -> tensor<?x384xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x1536xi8>, tensor<1536x384xi8>) outs(%init : tensor<?x384xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<?x384xi32>
  task.return %r : tensor<?x384xi32>
}

// Seven columns leave a lane of half a vector empty, and constant rows could be packed for whole vectors, without groups.
// STEPS-LABEL: task.def @few_columns
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
//  STEPS-SAME: #schedule.dot<nest = 0, dim = 2>
task.def @few_columns(%x: tensor<800x56xi8>, %w: tensor<56x7xi8>) -> tensor<800x7xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<800x7xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<800x7xi32>) -> tensor<800x7xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<800x56xi8>, tensor<56x7xi8>) outs(%init : tensor<800x7xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<800x7xi32>
  task.return %r : tensor<800x7xi32>
}

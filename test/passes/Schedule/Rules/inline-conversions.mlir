// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=2097152 --build-loops --schedule-tasks | FileCheck %s

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

func.func @main(%x: tensor<1x34x34x64xf16>) {
  %w = arith.constant dense<1.0> : tensor<64x64x3x3xf16>
  %v = arith.constant dense<1.0> : tensor<64x64x5x5xf16>
  %a = task.call @converted_where_it_is_transformed(%x, %w) : (tensor<1x34x34x64xf16>, tensor<64x64x3x3xf16>) -> tensor<1x32x32x64xf32>
  %b:2 = task.call @stored_for_another_reader(%x, %w, %v) : (tensor<1x34x34x64xf16>, tensor<64x64x3x3xf16>, tensor<64x64x5x5xf16>) -> (tensor<1x32x32x64xf32>, tensor<1x30x30x64xf32>)
  return
}

// CHECK-LABEL: task.def @converted_where_it_is_transformed(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 1, outputs = 4, {{[^>]*}}>, #schedule.inline<nest = 0>,
task.def @converted_where_it_is_transformed(%x: tensor<1x34x34x64xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<1x32x32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %plane = tensor.empty() : tensor<1x34x34x64xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x34x34x64xf16>) outs(%plane : tensor<1x34x34x64xf32>) {
  ^bb0(%a: f16, %unused: f32):
    %f = arith.extf %a : f16 to f32
    linalg.yield %f : f32
  } -> tensor<1x34x34x64xf32>
  %empty_y = tensor.empty() : tensor<1x32x32x64xf32>
  %init_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %y = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%wide, %w : tensor<1x34x34x64xf32>, tensor<64x64x3x3xf16>) outs(%init_y : tensor<1x32x32x64xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %f = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x32x32x64xf32>
  task.return %y : tensor<1x32x32x64xf32>
}

// A convolution with another window reads the converted plane, too.
// CHECK-LABEL: task.def @stored_for_another_reader(
//  CHECK-SAME:   #schedule.steps<#schedule.winograd<nest = 1, outputs = 4, {{[^>]*}}>, #schedule.vectorize<
//   CHECK-NOT:   #schedule.inline
task.def @stored_for_another_reader(%x: tensor<1x34x34x64xf16>, %w: tensor<64x64x3x3xf16>, %v: tensor<64x64x5x5xf16>) -> (tensor<1x32x32x64xf32>, tensor<1x30x30x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %plane = tensor.empty() : tensor<1x34x34x64xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x34x34x64xf16>) outs(%plane : tensor<1x34x34x64xf32>) {
  ^bb0(%a: f16, %unused: f32):
    %f = arith.extf %a : f16 to f32
    linalg.yield %f : f32
  } -> tensor<1x34x34x64xf32>
  %empty_y = tensor.empty() : tensor<1x32x32x64xf32>
  %init_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  %y = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%wide, %w : tensor<1x34x34x64xf32>, tensor<64x64x3x3xf16>) outs(%init_y : tensor<1x32x32x64xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %f = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x32x32x64xf32>
  %empty_z = tensor.empty() : tensor<1x30x30x64xf32>
  %init_z = linalg.fill ins(%zero : f32) outs(%empty_z : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  %z = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%wide, %v : tensor<1x34x34x64xf32>, tensor<64x64x5x5xf16>) outs(%init_z : tensor<1x30x30x64xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %f = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x30x30x64xf32>
  task.return %y, %z : tensor<1x32x32x64xf32>, tensor<1x30x30x64xf32>
}

// A transposition with a step of the plugin in its schedule.
#xy = affine_map<(x, y) -> (x, y)>
#yx = affine_map<(x, y) -> (y, x)>
task.def @transpose(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#com_acme.square<nest = 0, size = 16>, #schedule.parallel<nest = 0, loops = 2>,
                               #com_acme.square<nest = 0, size = 8>>} {
  %empty = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#yx, #xy], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    linalg.yield %a : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}

// RUN: cameo-opt %s -split-input-file -verify-diagnostics --emit-naive

// expected-error@below {{expected task.dims for every dimension of unknown size}}
task.def @dimension_without_name(%x: tensor<?xf32>) -> (tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) {
  task.return %x : tensor<?xf32>
}

// -----

// A size that is no sum or product of the model's sizes.
task.def @memory_of_unknown_size(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = task.size "n"
  %m = arith.maxsi %n, %n : index
  // expected-error@below {{naive emission does not support the size of this memref}}
  %empty = tensor.empty(%m) : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  // expected-error@below {{naive emission does not support this read}}
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %part = tensor.extract_slice %filled[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
  task.return %part : tensor<4xf32>
}

// -----

// What --emit prints of large constants.
task.def @elements_left_out(%x: tensor<20xf32>) -> tensor<20xf32> {
  // expected-error@below {{expected the elements of a constant, which --emit leaves out of text, got dense_resource<__elided__>}}
  %c = arith.constant dense_resource<__elided__> : tensor<20xf32>
  %empty = tensor.empty() : tensor<20xf32>
  %sum = linalg.add ins(%x, %c : tensor<20xf32>, tensor<20xf32>) outs(%empty : tensor<20xf32>) -> tensor<20xf32>
  task.return %sum : tensor<20xf32>
}

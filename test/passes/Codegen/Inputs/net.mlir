// h = relu(x * w + b), y = 4 * h; the weight is read column by column. Scratch, threads, two tasks of which one runs twice.
func.func @main(%x: tensor<1x4xf32> {onnx.name = "x"}) -> (tensor<1x3xf32> {onnx.name = "y"}, tensor<3xf32> {onnx.name = "the h"}) {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %b = arith.constant dense<[-100.0, 0.0, 1.0]> : tensor<3xf32>
  %h = task.call @dense(%x, %w, %b) : (tensor<1x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %half = task.call @double(%h) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %y = task.call @double(%half) : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %flat = task.view %h : tensor<1x3xf32> -> tensor<3xf32>
  return %y, %flat : tensor<1x3xf32>, tensor<3xf32>
}

task.def @dense(%x: memref<4xf32>,
                %w: memref<12xf32> {task.packing = #task.packing<elements = 12, nests = [[0, 0, [3, 4], [4, 1], [1, 3]]]>},
                %b: memref<3xf32>, %y: memref<3xf32>) attributes {key = "d3n5e", flops = 27.0 : f64, bytes = 88.0 : f64} {
  %s = task.scratch : memref<3xf32>
  task.dispatch @dense.k0(%x, %w, %s) extent 3 : memref<4xf32>, memref<12xf32>, memref<3xf32>
  task.dispatch @dense.k1(%s, %b, %y) extent 1 : memref<3xf32>, memref<3xf32>, memref<3xf32>
  task.return
}
func.func private @dense.k0(%x: memref<4xf32> {llvm.noalias}, %w: memref<12xf32> {llvm.noalias},
                            %y: memref<3xf32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %column = arith.muli %i, %c4 : index
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> f32 {
      %at = arith.addi %column, %k : index
      %a = memref.load %x[%k] : memref<4xf32>
      %b = memref.load %w[%at] : memref<12xf32>
      %m = arith.mulf %a, %b : f32
      %n = arith.addf %acc, %m : f32
      scf.yield %n : f32
    }
    memref.store %sum, %y[%i] : memref<3xf32>
  }
  return
}
memref.global "private" constant @dense.floor : memref<1xf32> = dense<0.0> {alignment = 64}
func.func private @dense.k1(%x: memref<3xf32> {llvm.noalias}, %b: memref<3xf32> {llvm.noalias},
                            %y: memref<3xf32> {llvm.noalias}, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %floor = memref.get_global @dense.floor : memref<1xf32>
  %zero = memref.load %floor[%c0] : memref<1xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %x[%i] : memref<3xf32>
    %c = memref.load %b[%i] : memref<3xf32>
    %s = arith.addf %a, %c : f32
    %m = arith.maximumf %s, %zero : f32
    memref.store %m, %y[%i] : memref<3xf32>
  }
  return
}

task.def @double(%x: memref<3xf32> {task.inplace = 0}, %y: memref<3xf32>) attributes {key = "d0b1e", flops = 3.0 : f64, bytes = 24.0 : f64} {
  task.dispatch @double.k0(%x, %y) extent 1 : memref<3xf32>, memref<3xf32>
  task.return
}
func.func private @double.k0(%x: memref<3xf32>, %y: memref<3xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<3xf32>, vector<3xf32>
  %b = arith.addf %a, %a : vector<3xf32>
  vector.store %b, %y[%c0] : memref<3xf32>, vector<3xf32>
  return
}

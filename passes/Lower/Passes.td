// Lowering of tasks from onnx operations to linalg on tensors.
#ifndef CAMEO_PASSES_LOWER_PASSES_TD
#define CAMEO_PASSES_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToLinalgPass : Pass<"lower-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the bodies of tasks to linalg on tensors";
  let description = [{
    Every operation of a task becomes `linalg.generic` with explicit maps, and tensor operations that move parts; README.md
    states the form. Unsigned integers become signless ones in the whole module; `onnx.type` on an argument or result of
    @main keeps what was unsigned.

    ```mlir
    task.def @relu_0(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
      task.return %0 : tensor<4xf32>
    }
    ```
    becomes one generic with `arith.maximumf` in its body.

    Dynamic sizes become `task.size` operations, and `task.dims` attributes of the task's arguments and
    results; the tensor types in a task lose their names, those in @main keep them.

    Requires: shapes that are static or named. Ensures: no onnx operation remains in a task; fails with one error per
    operation that has no lowering.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::cameo::task::TaskDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FindBatchPass : Pass<"find-batch", "::mlir::ModuleOp"> {
  let summary = "Find the symbol that counts independent samples, such as a batch size";
  let description = [{
    Sets `task.batch` on the module to the first symbol of which it can prove that the model does the same with each sample and
    lets none see another, and `task.per_sample` on the arguments and results of @main that hold a part of each: then running the model of one sample for each gives the same results, and the code needs no size
    known only at run time. Without such a symbol nothing changes.

    Requires: tasks lowered to linalg.
  }];
}

#endif

// Lowering of tasks from onnx operations to linalg on tensors.
#ifndef CAMEO_PASSES_LOWER_PASSES_TD
#define CAMEO_PASSES_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToLinalgPass : Pass<"lower-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the bodies of tasks to linalg on tensors";
  let description = [{
    Each operation of a task becomes a `linalg.generic` with explicit indexing maps, or tensor operations that move
    parts. README.md describes the form. Unsigned integers become signless in the whole module; `onnx.type` on an
    argument or result of @main keeps the original type.

    ```mlir
    task.def @relu_0(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
      task.return %0 : tensor<4xf32>
    }
    ```
    becomes one generic with `arith.maximumf` in its body.

    Dynamic sizes become `task.size` operations, and `task.dims` attributes of the arguments and results of the task.
    Tensor types in a task lose the names of their dimensions; those in @main keep them.

    Requires: shapes that are static or symbolic. Ensures: no onnx operation remains in a task. Fails with one error for
    each operation that has no lowering.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::cameo::task::TaskDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FindBatchPass : Pass<"find-batch", "::mlir::ModuleOp"> {
  let summary = "Find the symbol that counts independent samples, such as a batch size";
  let description = [{
    Sets `task.batch` on the module to the first symbol for which the pass can prove that the model applies the same
    computation to each sample and no sample depends on another. Sets `task.per_sample` on the arguments and results of
    @main that have a slice for each sample. A model for one sample, executed for each sample, then gives the same
    results, and its code needs no dynamic size. If there is no such symbol, or most of the work is products that share too
    few rows with `together` samples, nothing changes.

    Requires: tasks lowered to linalg.
  }];
  let options = [
    Option<"together", "together", "int64_t", "1", "Number of samples that run at once">
  ];
}

#endif

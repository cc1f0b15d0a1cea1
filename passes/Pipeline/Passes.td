// Passes that run other phases to decide what to change.
#ifndef CAMEO_PASSES_PIPELINE_PASSES_TD
#define CAMEO_PASSES_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitBatchPass : Pass<"split-batch", "::mlir::ModuleOp"> {
  let summary = "Make the model of one sample where the samples of a batch are independent";
  let description = [{
    A copy of the module is lowered on the naive path, and `--find-batch` looks in it for the symbol that counts independent samples. Where there is one, and the
    operators take a single sample, its size becomes 1 in the module (`--fix-sizes`), which gets `task.batch` and, on the arguments and results that hold a part of each sample,
    `task.per_sample`: whoever runs the model runs it for each. Else nothing changes, quietly: what cannot be lowered is reported where the module itself is.

    ```mlir
    func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x6xf32, #onnx.dims<["batch", ""]>> {
      %0 = onnx.Softmax %x : ...
    ```
    becomes
    ```mlir
    module attributes {task.batch = "batch"} {
      func.func @main(%x: tensor<1x6xf32> {task.per_sample}) -> (tensor<1x6xf32> {task.per_sample}) {
        %0 = onnx.Softmax %x : (tensor<1x6xf32>) -> tensor<1x6xf32>
    ```

    Requires: shapes inferred, and no other pass before it.
  }];
}

#endif

// Passes that run other phases to decide what to change.
#ifndef CAMEO_PASSES_PIPELINE_PASSES_TD
#define CAMEO_PASSES_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitBatchPass : Pass<"split-batch", "::mlir::ModuleOp"> {
  let summary = "Reduce the model to one sample if the samples of a batch are independent";
  let description = [{
    Lowers a copy of the module on the naive path, and runs `--find-batch` on it to find the symbol that counts
    independent samples. If there is one, and the operators accept a single sample, `--fix-sizes` sets this size to 1 in
    the module. The module gets `task.batch`, and the arguments and results that have a slice per sample get
    `task.per_sample`, so that the generated code executes the model once for each sample. Otherwise nothing changes,
    and no error is emitted: a lowering that fails is reported when the module itself is lowered.

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

    Requires: inferred shapes. The pass runs before all other passes.
  }];
}

#endif

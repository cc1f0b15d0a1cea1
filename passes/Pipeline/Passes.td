// Passes that run other phases to decide what to change.
#ifndef CAMEO_PASSES_PIPELINE_PASSES_TD
#define CAMEO_PASSES_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitBatchPass : Pass<"split-batch", "::mlir::ModuleOp"> {
  let summary = "Reduce the model to a part of a batch if its samples are independent";
  let description = [{
    Lowers a copy of the module on the naive path, and runs `--find-batch` on it to find the symbol that counts
    independent samples. If there is one, and the operators accept a single sample, `--fix-sizes` sets this size to 1 in
    the module. The module gets `task.batch`, and the arguments and results that have a slice per sample get
    `task.per_sample`, so that the generated code executes the model once for each sample. Otherwise nothing changes,
    and no error is emitted: a lowering that fails is reported when the module itself is lowered.

    ```mlir
    func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
      %0 = onnx.Softmax %x : ...
    ```
    becomes
    ```mlir
    module attributes {task.batch = "batch"} {
      func.func @main(%x: tensor<1x2048xf32> {task.per_sample}) -> (tensor<1x2048xf32> {task.per_sample}) {
        %0 = onnx.Softmax %x : (tensor<1x2048xf32>) -> tensor<1x2048xf32>
    ```

    A known number of samples is divided where an estimate says that activations of all of them leave the caches of the
    target, and that this costs more than to read the weights again for each part (SampleTraffic.h). The number gets a
    name first (NameSamples.h), so that the same proof holds; `task.batch` is then the number of parts.

    ```mlir
    func.func @main(%x: tensor<4x64x112x112xf32>) -> tensor<4x64x112x112xf32> {
    ```
    becomes
    ```mlir
    module attributes {task.batch = 4 : i64} {
      func.func @main(%x: tensor<1x64x112x112xf32> {task.per_sample}) -> (tensor<1x64x112x112xf32> {task.per_sample}) {
    ```

    Requires: inferred shapes, `cameo.target`. The pass runs before all others that change the model.
  }];
}

#endif

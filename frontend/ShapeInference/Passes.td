// Passes of the frontend.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD
#define CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "Infer the types of all values, and fold the computation of shapes";
  let description = [{
    Visits the operations in order. Each operation gets the types that its shape rule infers, and is then folded. Chains
    of operations by which exporters compute shapes (Shape, Gather, Concat, Reshape) thus become constants, and the
    types that depend on them become static. Operations without uses are erased at the end. The function type gets the
    inferred result types.

    *Requires:* operations of the onnx dialect, and arguments of known types.

    *Ensures:* each result has the inferred type, refined by the stated one where inference does not know a size. A
    stated element type, rank or size that contradicts the inferred one is an error at the operation.

    ```mlir
    %0 = onnx.Shape %x : (tensor<2x3x4xf32>) -> tensor<3xi64>
    %1 = onnx.Slice %0, %zero, %two, %none, %none : (...) -> tensor<2xi64>
    %2 = onnx.Concat %1, %minus_one {axis = 0 : i64} : (...) -> tensor<3xi64>
    %3 = onnx.Reshape %x, %2 : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    // becomes
    %2 = onnx.Constant {value = dense<[2, 3, -1]> : tensor<3xi64>} : tensor<3xi64>
    %3 = onnx.Reshape %x, %2 : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
    ```
  }];
  let options = [
    Option<"reportUnknown", "report-unknown", "bool", "false",
           "Emit a remark for each operation with a result of unknown rank or dimension">
  ];
  let dependentDialects = ["::cameo::onnx::OnnxDialect"];
}

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD

// Passes of the frontend.
#ifndef CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD
#define CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "Find the types of all values, folding what shapes are computed from";
  let description = [{
    Goes through the operations in order: each gets the types that its rule gives, then is folded. Chains by which
    exporters compute shapes (Shape, Gather, Concat, Reshape) become constants on the way, so that what depends on them
    becomes static. What nobody uses afterwards is erased. The function's results get the types that were found.

    *Requires:* operations of the onnx dialect, arguments of known types.
    *Ensures:* the type of each result is the inferred one, refined by the stated one where inference cannot tell. A stated
    element type, rank or size that contradicts it is an error at the operation.

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
           "remark on each operation of whose results a rank or dimension stays unknown">
  ];
  let dependentDialects = ["::cameo::onnx::OnnxDialect"];
}

#endif // CAMEO_FRONTEND_SHAPEINFERENCE_PASSES_TD

// The operation for a node that an external function of the user's program computes. Models do not contain it.
#ifndef CAMEO_DIALECTS_ONNX_ONNXEXTERNOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXEXTERNOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_ExternOp : Onnx_Op<"Extern", 1, [0, -1], [0, -1]> {
  let summary = "A call of an external function that the program with the model provides";
  let description = [{
    The function is called with a prefix of the model before its name. Equal operands and parameters must give equal results, whose types
    are stated; nothing else is known of the function. All calls of a function have the same parameters: `missing` are those that this
    node does not have, which are zeros here, and `optional` those that some node does not have.

    - extern_c1: `elements` are the element types of inputs and outputs, in order, `none` for an absent one.

    Example:
    ```mlir
    %y = onnx.Extern %x {operator_name = "com.acme.Scale-1", function = "com_acme_Scale", elements = [f32, f32],
                         parameters = {factor = 2.0 : f32}, optional = [], missing = []} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$operator_name, StrAttr:$function, TypeArrayAttr:$elements, DictionaryAttr:$parameters,
                   StrArrayAttr:$optional, StrArrayAttr:$missing, Variadic<Onnx_OptionalTensor>:$inputs);
  let results = (outs Variadic<Onnx_OptionalTensor>:$outputs);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXEXTERNOPS_TD

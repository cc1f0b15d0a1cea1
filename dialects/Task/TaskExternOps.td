// Calls of functions that the program with the model provides.
#ifndef CAMEO_DIALECTS_TASK_TASKEXTERNOPS_TD
#define CAMEO_DIALECTS_TASK_TASKEXTERNOPS_TD

include "dialects/Task/TaskBase.td"

// The attributes of a call. Types are those of the model, including names of dimensions, and `none` for absent inputs
// and outputs. Parameters are those of onnx.Extern.
defvar externCall = (ins StrAttr:$function, StrAttr:$operator_name, DictionaryAttr:$parameters, StrArrayAttr:$optional, StrArrayAttr:$missing,
                     TypeArrayAttr:$input_types, TypeArrayAttr:$output_types);

def Task_ExternOp : Task_Op<"extern", [Pure]> {
  let summary = "Calls a function of the program on tensors";
  let description = [{
    Lowering converts `onnx.Extern` to this operation, which is alone in its task. Its inputs and outputs are those
    whose type is not `none` (extern_c1).

    Example:
    ```mlir
    %y = task.extern "com_acme_Scale"(%x) {operator_name = "com.acme.Scale-1", parameters = {factor = 2.0 : f32}, optional = [], missing = [],
        input_types = [tensor<4xf32>], output_types = [tensor<4xf32>]} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = !con(externCall, (ins Variadic<AnyRankedTensor>:$inputs));
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let assemblyFormat = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
  let hasVerifier = 1;
}

def Task_ExternCallOp : Task_Op<"extern_call", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Calls a function of the program on buffers";
  let description = [{
    The buffer form of `task.extern`. The operands are the buffers of the inputs and then of the outputs that are
    present (extern_call_c1). A call that fails ends the run.

    Example:
    ```mlir
    task.extern_call "com_acme_Scale"(%x, %y) {operator_name = "com.acme.Scale-1", parameters = {}, optional = [], missing = [],
        input_types = [tensor<4xf32>], output_types = [tensor<4xf32>]} : memref<4xf32>, memref<4xf32>
    ```
  }];
  let arguments = !con(externCall, (ins Variadic<Task_Buffer>:$buffers, OptionalAttr<I64Attr>:$task_index));
  let assemblyFormat = "$function `(` $buffers `)` attr-dict (`:` type($buffers)^)?";
  let hasVerifier = 1;
}

#endif

// Strings in tasks: an element of a tensor of strings is the address of its bytes.
#ifndef CAMEO_DIALECTS_TASK_TASKSTRINGOPS_TD
#define CAMEO_DIALECTS_TASK_TASKSTRINGOPS_TD

include "dialects/Task/TaskBase.td"

def Task_StringOp : Task_Op<"string", [Pure]> {
  let summary = "The address of a string constant";
  let description = [{
    A string ends at its first zero byte in memory, so it contains none (string_c1).

    Example: `%t = task.string "monday"`
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs I64:$address);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

def Task_TextAreaOp : Task_Op<"text_area", [Pure]> {
  let summary = "The address of the caller's cameo_text_area (abi.h) for strings that a run creates";
  let description = "Example: `%a = task.text_area`";
  let results = (outs I64:$address);
  let assemblyFormat = "attr-dict";
}

def Task_InvokeOp : Task_Op<"invoke", [Pure]> {
  let summary = "Calls a function of the runtime on scalars";
  let description = [{
    Addresses are i64. The result depends only on the arguments. A function that creates a string takes the text area.
    Calling it again, or not at all if the string is unused, has no other effect.

    Example: `%same = task.invoke "cameo_text_is_equal"(%a, %b) : (i64, i64) -> i32`
  }];
  let arguments = (ins StrAttr:$function, Variadic<AnyTypeOf<[AnySignlessInteger, F32, F64]>>:$inputs);
  let results = (outs AnyTypeOf<[AnySignlessInteger, F32, F64]>:$result);
  let assemblyFormat = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)";
}

def Task_StringsOp : Task_Op<"strings", [Pure]> {
  let summary = "The addresses of a constant tensor of strings";
  let description = [{
    Lowering converts such a constant to this operation. No string contains a zero byte (strings_c1). The result has the
    shape of the constant (strings_c2).

    Example: `%t = task.strings dense<["a", "b"]> : tensor<2x!onnx.string> -> tensor<2xi64>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs RankedTensorOf<[I64]>:$addresses);
  let assemblyFormat = "attr-dict $value `->` type($addresses)";
  let hasVerifier = 1;
}

def Task_StringTableOp : Task_Op<"string_table"> {
  let summary = "The offset of a constant tensor of strings in the table of the model's strings";
  let description = [{
    `offset` is in bytes, and a multiple of the size of an address, 8 (string_table_c1).

    Example: `task.string_table {value = dense<["a", "b"]> : tensor<2x!onnx.string>, offset = 0 : i64}`
  }];
  let arguments = (ins ElementsAttr:$value, I64Attr:$offset);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif

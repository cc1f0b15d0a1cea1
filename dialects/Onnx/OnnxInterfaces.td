// The interfaces of onnx operations.
#ifndef CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD
#define CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD

include "mlir/IR/OpBase.td"

def OnnxOp : OpInterface<"OnnxOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    Counts of an operator's inputs and outputs as ONNX states them, and its shape inference. The rule of an operator is
    `inferResultTypes`: it checks attributes and operands and gives the result types; it changes nothing. `inferShapes`
    applies it, the verifier compares with it.
  }];
  let methods = [
    StaticInterfaceMethod<"Least number of inputs a node must have", "int64_t", "getMinInputs">,
    StaticInterfaceMethod<"Greatest number of inputs, -1 when the last one repeats", "int64_t", "getMaxInputs">,
    StaticInterfaceMethod<"Least number of outputs a node must have", "int64_t", "getMinOutputs">,
    StaticInterfaceMethod<"Greatest number of outputs, -1 when the last one repeats", "int64_t", "getMaxOutputs">,
    StaticInterfaceMethod<"Operator set that brought in these semantics", "int64_t", "getSinceVersion">,
    InterfaceMethod<[{
      Appends one type per result, from operand types, attributes and constant operands. An absent result stays `none`. Relations between sizes are
      stated to `sizes`, which keeps those that only a run can tell. Fails after an error at the operation.
    }], "::mlir::LogicalResult", "inferResultTypes",
      (ins "::llvm::SmallVectorImpl<::mlir::Type> &":$types, "::cameo::onnx::SizeConstraints &":$sizes)>,
    InterfaceMethod<[{
      Sets the types of the results. What was known of them before and inference cannot tell (a declared size of a
      dimension that depends on data, a name) is kept. Fails after an error at the operation.
    }], "::mlir::LogicalResult", "inferShapes", (ins), "", [{
      if (::mlir::failed($_op.verifyInvariantsImpl()))
        return ::mlir::failure();
      return ::cameo::onnx::detail::inferAndSetTypes(
          ::mlir::cast<::cameo::onnx::OnnxOp>($_op.getOperation()));
    }]>
  ];
  let verify = [{
    return ::cameo::onnx::detail::verifyResultTypes(::mlir::cast<::cameo::onnx::OnnxOp>($_op));
  }];
}

def ChannelsLastOp : OpInterface<"ChannelsLastOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    An operator whose activations may also be stored as N, spatial..., C (passes/Layout decides): the unit attribute
    `channels_last` says so. Weights keep the layout of ONNX.
  }];
  let methods = [
    InterfaceMethod<"Whether the activations are stored channels last", "bool", "isChannelsLast", (ins), "", [{
      return $_op.getChannelsLast();
    }]>,
    InterfaceMethod<"States the layout of the activations; the caller changes the types", "void",
                    "setChannelsLastLayout", (ins "bool":$value), "", [{ $_op.setChannelsLast(value); }]>
  ];
}

def KnownValueOp : OpInterface<"KnownValueOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    An operator that models use to compute shapes: it evaluates small tensors whose elements are numbers, named
    dimensions, or unknown (KnownTensor.h). Shape inference and `fold` both go through it.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends one tensor per result. An operand nothing is known of is null. Fails, silently, when nothing can be told.
    }], "::mlir::LogicalResult", "evaluate",
        (ins "::llvm::ArrayRef<const ::cameo::onnx::KnownTensor *>":$operands,
             "::llvm::SmallVectorImpl<::cameo::onnx::KnownTensor> &":$results)>,
    InterfaceMethod<"The operand that the only result surely equals, if there is one", "::mlir::Value",
                    "getEqualOperand", (ins), "", [{ return {}; }]>
  ];
}

def DataSizedOp : OpInterface<"DataSizedOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    An operator that decides by the elements of its operands how large its results are: NonZero. All dimensions of its results that
    depend on data are equal. The importer gives them a name of their own where inference cannot tell the number.
  }];
  let methods = [
    InterfaceMethod<"The dimension of a result that depends on data, if one does; counted from the front",
                    "std::optional<int64_t>", "getDataSizedAxis", (ins "unsigned":$result)>
  ];
}

// Each element of the result depends only on the elements of the operands at the same index, after broadcasting.
def PointwiseOnnxOp : NativeOpTrait<"PointwiseOnnxOp"> {
  let cppNamespace = "::cameo::onnx";
}

#endif // CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD

// The interfaces of onnx operations.
#ifndef CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD
#define CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD

include "mlir/IR/OpBase.td"

def OnnxOp : OpInterface<"OnnxOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    The numbers of inputs and outputs of an operator in ONNX, and its shape inference. `inferResultTypes` is the shape rule of
    an operator: it checks attributes and operands and returns the result types, without side effects. `inferShapes` applies
    it, and the verifier compares its result with the types of the operation.
  }];
  let methods = [
    StaticInterfaceMethod<"Returns the minimum number of inputs of a node", "int64_t", "getMinInputs">,
    StaticInterfaceMethod<"Returns the maximum number of inputs, -1 if the last one repeats", "int64_t", "getMaxInputs">,
    StaticInterfaceMethod<"Returns the minimum number of outputs of a node", "int64_t", "getMinOutputs">,
    StaticInterfaceMethod<"Returns the maximum number of outputs, -1 if the last one repeats", "int64_t", "getMaxOutputs">,
    StaticInterfaceMethod<"Returns the version of the operator set that introduced these semantics", "int64_t", "getSinceVersion">,
    InterfaceMethod<[{
      Appends one type per result, from operand types, attributes and constant operands. An absent result stays `none`. Required relations between
      sizes are added to `sizes`, which keeps those that can be checked only at run time. Fails after an error at the operation.
    }], "::mlir::LogicalResult", "inferResultTypes",
      (ins "::llvm::SmallVectorImpl<::mlir::Type> &":$types, "::cameo::onnx::SizeConstraints &":$sizes)>,
    InterfaceMethod<[{
      Sets the types of the results. Declared sizes and names that inference cannot determine, such as the size of a
      data-dependent dimension, are kept. Fails after an error at the operation.
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
    An operator whose activations may also be stored as N, spatial..., C, as passes/Layout decides. It has the unit attribute
    `channels_last` in this case. Weights keep the layout of ONNX.
  }];
  let methods = [
    InterfaceMethod<"Whether the activations are stored channels last", "bool", "isChannelsLast", (ins), "", [{
      return $_op.getChannelsLast();
    }]>,
    InterfaceMethod<"Sets the layout of the activations; the caller must change the types", "void",
                    "setChannelsLastLayout", (ins "bool":$value), "", [{ $_op.setChannelsLast(value); }]>
  ];
}

def KnownValueOp : OpInterface<"KnownValueOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    An operator that models use to compute shapes: it evaluates small tensors whose elements are numbers, named
    dimensions, or unknown (KnownTensor.h). Shape inference and `fold` both use it.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends one tensor per result. Operands without known elements are null. Fails silently if nothing is known of the results.
    }], "::mlir::LogicalResult", "evaluate",
        (ins "::llvm::ArrayRef<const ::cameo::onnx::KnownTensor *>":$operands,
             "::llvm::SmallVectorImpl<::cameo::onnx::KnownTensor> &":$results)>,
    InterfaceMethod<"Returns the operand that always equals the only result, or null", "::mlir::Value",
                    "getEqualOperand", (ins), "", [{ return {}; }]>
  ];
}

def DataSizedOp : OpInterface<"DataSizedOp"> {
  let cppNamespace = "::cameo::onnx";
  let description = [{
    An operator whose results have data-dependent sizes, such as NonZero. All data-dependent dimensions of its results are
    equal. The importer gives them a name of their own if inference cannot determine the number.
  }];
  let methods = [
    InterfaceMethod<"Returns the data-dependent dimension of a result, counted from the front, if there is one",
                    "std::optional<int64_t>", "getDataSizedAxis", (ins "unsigned":$result)>
  ];
}

// Each element of the result depends only on the elements of the operands at the same index, after broadcasting.
def PointwiseOnnxOp : NativeOpTrait<"PointwiseOnnxOp"> {
  let cppNamespace = "::cameo::onnx";
}

#endif // CAMEO_DIALECTS_ONNX_ONNXINTERFACES_TD

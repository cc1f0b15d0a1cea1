// Attributes of the onnx dialect; also the root for the dialect's own declarations.
#ifndef CAMEO_DIALECTS_ONNX_ONNXATTRIBUTES_TD
#define CAMEO_DIALECTS_ONNX_ONNXATTRIBUTES_TD

include "dialects/Onnx/OnnxBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

def Onnx_DimsAttr : AttrDef<Onnx_Dialect, "Dims", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "dims";
  let summary = "Dimensions of a tensor type known only at run time";
  let description = [{
    One expression per dimension (`#dim.expr`), as the encoding of a tensor type in which at least one dimension has one.
    Dimensions with the same expression are equal in every run. Static and unknown dimensions have "".

    - dims_c1: there are as many expressions as dimensions.
    - dims_c2: only a dimension of unknown size has an expression.

    Example: `tensor<?x128xf32, #onnx.dims<["batch", ""]>>`
  }];
  let parameters = (ins ArrayRefParameter<"::cameo::DimExprAttr">:$exprs);
  let hasCustomAssemblyFormat = 1;
}

def Onnx_TransposedAttr : AttrDef<Onnx_Dialect, "Transposed", [ElementsAttrInterface]> {
  let mnemonic = "transposed";
  let summary = "A large constant that is transposed without a copy";
  let description = [{
    The elements of `source` in the order of `onnx.Transpose` with `perm`, in the shape of the type. The bytes of large weights
    are transposed when they are written, without a copy before. ConstantData.h creates and reads it.

    - transposed_c1: perm is a permutation of the dimensions of source.
    - transposed_c2: the type has as many elements as source, and its element type.

    Example: `#onnx.transposed<dense_resource<w> : tensor<4x8xf32>, [1, 0]> : tensor<8x4xf32>`
  }];
  let parameters = (ins AttributeSelfTypeParameter<"", "::mlir::ShapedType">:$type, "::mlir::DenseResourceElementsAttr":$source,
                    ArrayRefParameter<"int64_t">:$perm);
  let assemblyFormat = "`<` $source `,` `[` $perm `]` `>`";
  let genVerifyDecl = 1;
}

#endif // CAMEO_DIALECTS_ONNX_ONNXATTRIBUTES_TD

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
    Dimensions of one expression are equal whenever the model runs. For a static dimension and an unknown one stands "".

    - dims_c1: there are as many expressions as dimensions.
    - dims_c2: only a dimension of unknown size has an expression.

    Example: `tensor<?x128xf32, #onnx.dims<["batch", ""]>>`
  }];
  let parameters = (ins ArrayRefParameter<"::cameo::DimExprAttr">:$exprs);
  let hasCustomAssemblyFormat = 1;
}

def Onnx_TransposedAttr : AttrDef<Onnx_Dialect, "Transposed", [ElementsAttrInterface]> {
  let mnemonic = "transposed";
  let summary = "A large constant whose bytes stay where they are";
  let description = [{
    The elements of `source` as `onnx.Transpose` with `perm` orders them, in the shape of the type. Weights of gigabytes are
    transposed as they are written, and never copied before. ConstantData.h makes and reads it.

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

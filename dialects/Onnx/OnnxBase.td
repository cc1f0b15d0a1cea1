// The onnx dialect itself, its element types, attribute kinds and the base class of every operator.
// Families of operators live in Onnx<Family>Ops.td and include this file.
#ifndef CAMEO_DIALECTS_ONNX_ONNXBASE_TD
#define CAMEO_DIALECTS_ONNX_ONNXBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Onnx/OnnxInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::cameo::onnx";
  let summary = "The operators of ONNX, newest semantics only";
  let description = [{
    One operation per ONNX operator, named after it (`onnx.Conv`), with ONNX's operands in ONNX's order, attributes
    under ONNX's names and defaults. An absent optional input is the result of `onnx.None`; an absent optional output
    has the type `none`. Older operator sets are upgraded while importing.

    What operators share:

    - op_c1: an operator has no attributes but its own.
    - op_c2: a result has at most 2^48 elements.
    - op_c3: a stated result agrees with the inferred one in its element type, rank and known sizes.
    - type_c1: operands that one list of element types stands for have one element type.
    - broadcast_c1: operands that broadcast have sizes that are equal or 1 in each dimension, counted from the last.
    - axis_c1: an axis is at least minus the rank, and below the rank.
    - axis_c2: no axis stands twice in a list of axes.
  }];
  let dependentDialects = ["::cameo::DimDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

// Element types.

def Onnx_StringType : TypeDef<Onnx_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "Element type of a tensor of strings";
}

class Onnx_TensorOf<list<Type> types> : TensorOf<types>;

defvar onnxFloats = [F16, BF16, F32, F64];
defvar onnxSigned = [I<8>, I<16>, I<32>, I<64>];
defvar onnxUnsigned = [UI<8>, UI<16>, UI<32>, UI<64>];
defvar onnxFloat8 = [F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ];
defvar onnxNarrow = !listconcat(onnxFloat8, [F8E8M0FNU, F4E2M1FN, UI<4>, I<4>, UI<2>, I<2>]);

def Onnx_FloatTensor : Onnx_TensorOf<onnxFloats>;
def Onnx_IntegerTensor : Onnx_TensorOf<!listconcat(onnxSigned, onnxUnsigned)>;
def Onnx_UnsignedTensor : Onnx_TensorOf<onnxUnsigned>;
def Onnx_NumberTensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxSigned, onnxUnsigned)>;
def Onnx_SignedTensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxSigned)>;
// The types that ONNX allows for matrix products and most reductions.
def Onnx_WideTensor : Onnx_TensorOf<!listconcat(onnxFloats, [I<32>, I<64>, UI<32>, UI<64>])>;
def Onnx_PowTensor : Onnx_TensorOf<!listconcat(onnxFloats, [I<32>, I<64>])>;
def Onnx_ExtremumTensor : Onnx_TensorOf<!listconcat(onnxFloats, [I<32>, I<64>, UI<32>, UI<64>, I<8>, UI<8>, I<1>])>;
def Onnx_Float8Tensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxFloat8)>;
def Onnx_BoolTensor : Onnx_TensorOf<[I<1>]>;
def Onnx_ByteTensor : Onnx_TensorOf<[I<8>, UI<8>]>;
def Onnx_IndexTensor : Onnx_TensorOf<[I<32>, I<64>]>;
def Onnx_I32Tensor : Onnx_TensorOf<[I<32>]>;
def Onnx_I64Tensor : Onnx_TensorOf<[I<64>]>;
def Onnx_StringTensor : Onnx_TensorOf<[Onnx_StringType]>;
def Onnx_F32Tensor : Onnx_TensorOf<[F32]>;
def Onnx_PoolTensor : Onnx_TensorOf<!listconcat(onnxFloats, [I<8>, UI<8>])>;
def Onnx_Float8ByteTensor : Onnx_TensorOf<!listconcat(onnxFloat8, [I<8>, UI<8>])>;
def Onnx_QuantizedTensor : Onnx_TensorOf<!listconcat(onnxFloat8, [I<8>, UI<8>, I<16>, UI<16>, I<32>, F4E2M1FN,
                                                                  UI<4>, I<4>, UI<2>, I<2>])>;
def Onnx_ScaleTensor : Onnx_TensorOf<[F32, F16, BF16, I<32>, F8E8M0FNU]>;
// Numbers, booleans and strings: the types of comparisons for equality.
def Onnx_EqualTensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxSigned, onnxUnsigned, [I<1>, Onnx_StringType])>;
// All element types of ONNX, for operators that only move data.
def Onnx_Tensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxSigned, onnxUnsigned, [I<1>, Onnx_StringType],
                                             [Complex<F32>, Complex<F64>], onnxNarrow)>;

// An optional operand or result: its type is `none` if the node does not have it.
class Onnx_Optional<Type tensor> : AnyTypeOf<[tensor, NoneType]>;
def Onnx_OptionalTensor : Onnx_Optional<Onnx_Tensor>;

// Attribute kinds: ONNX INT, FLOAT, STRING, INTS, FLOATS, STRINGS, TENSOR.

def Onnx_Int : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit integer attribute">;
class Onnx_IntOr<int value> : DefaultValuedAttr<Onnx_Int, !cast<string>(value)>;
def Onnx_Float : FloatAttrBase<F32, "32-bit float attribute"> {
  let returnType = "float";
  let convertFromStorage = "static_cast<float>($_self.getValueAsDouble())";
}
class Onnx_FloatOr<string value> : DefaultValuedAttr<Onnx_Float, value>;
defvar Onnx_Ints = DenseI64ArrayAttr;
defvar Onnx_Floats = DenseF32ArrayAttr;
defvar Onnx_Strings = StrArrayAttr;

// A string attribute with a fixed list of values. It has a default only as Onnx_EnumOr.
class Onnx_Enum<list<string> values>
    : StringBasedAttr<And<[CPred<"isa<StringAttr>($_self)">,
                           Or<!foreach(value, values, CPred<"cast<StringAttr>($_self).getValue() == \"" # value # "\"">)>]>,
                      "one of " # !interleave(values, ", ")>;
class Onnx_EnumOr<list<string> values, string value> : DefaultValuedStrAttr<Onnx_Enum<values>, value>;
def Onnx_AutoPad : Onnx_EnumOr<["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"], "NOTSET">;

// The base class of all operators, also in the dialects of plugins. `inputCount` and `outputCount` are ONNX's minimum
// and maximum, -1 for no maximum; `since` is the version of the operator set that introduced the semantics of this
// operation.
class Onnx_OperatorOf<Dialect dialect, string name, int since, list<int> inputCount, list<int> outputCount, list<Trait> traits = []>
    : Op<dialect, name,
         !listconcat([Pure, DeclareOpInterfaceMethods<OnnxOp, ["inferResultTypes"]>], traits)> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  code countDefinitions = [{
    int64_t $cppClass::getMinInputs() { return }] # !head(inputCount) # [{; }
    int64_t $cppClass::getMaxInputs() { return }] # !head(!tail(inputCount)) # [{; }
    int64_t $cppClass::getMinOutputs() { return }] # !head(outputCount) # [{; }
    int64_t $cppClass::getMaxOutputs() { return }] # !head(!tail(outputCount)) # [{; }
    int64_t $cppClass::getSinceVersion() { return }] # since # [{; }
  }];
  // Derived classes set these two for all of their operators.
  code foldDefinition = "";
  code ruleDefinition = "";
  let extraClassDefinition = countDefinitions # foldDefinition # ruleDefinition;
}

class Onnx_Op<string name, int since, list<int> inputCount, list<int> outputCount, list<Trait> traits = []>
    : Onnx_OperatorOf<Onnx_Dialect, name, since, inputCount, outputCount, traits>;

// An operator with one result that evaluates small tensors (KnownValueOp), and therefore folds. With onnxEqual as its
// methods it may also fold to an operand.
defvar onnxEqual = ["evaluate", "getEqualOperand"];
class Onnx_KnownOp<string name, int since, list<int> inputCount, list<int> outputCount, list<Trait> traits = [],
                   list<string> methods = ["evaluate"]>
    : Onnx_Op<name, since, inputCount, outputCount,
              !listconcat(traits, [DeclareOpInterfaceMethods<KnownValueOp, methods>])> {
  let hasFolder = 1;
  let foldDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return ::cameo::onnx::detail::foldKnown(*this); }
  }];
}

// The shape rule of pointwise operators: all operands have one element type, and the result has that type and the
// broadcast shape.
defvar onnxPointwiseRule = [{
  ::mlir::LogicalResult $cppClass::inferResultTypes(::llvm::SmallVectorImpl<::mlir::Type> &types, ::cameo::onnx::SizeConstraints &sizes) {
    return ::cameo::onnx::inferPointwise(*this, types, sizes);
  }
}];

// The same with a boolean result.
defvar onnxPredicateRule = [{
  ::mlir::LogicalResult $cppClass::inferResultTypes(::llvm::SmallVectorImpl<::mlir::Type> &types, ::cameo::onnx::SizeConstraints &sizes) {
    return ::cameo::onnx::inferPointwise(*this, types, sizes, ::mlir::IntegerType::get(getContext(), 1));
  }
}];

#endif // CAMEO_DIALECTS_ONNX_ONNXBASE_TD

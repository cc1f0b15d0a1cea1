// Attributes of the dim dialect; also the root for the dialect's own declarations.
#ifndef CAMEO_DIALECTS_DIM_DIMATTRIBUTES_TD
#define CAMEO_DIALECTS_DIM_DIMATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/DialectBase.td"

def Dim_Dialect : Dialect {
  let name = "dim";
  let cppNamespace = "::cameo";
  let summary = "Dynamic sizes";
  let useDefaultAttributePrinterParser = 1;
}

def Dim_ExprAttr : AttrDef<Dim_Dialect, "DimExpr"> {
  let mnemonic = "expr";
  let summary = "A sum of products of sizes";
  let description = [{
    A polynomial with integer coefficients over atoms. An atom is a name of the model (a string), a DimQuotientAttr, a
    DimMinAttr or a DimFloorAttr. The text is a normal form such as `past + 1` or `8*batch*seq`: terms are in the alphabetical
    order of their atoms, subtracted terms come after added ones, and the constant is the last of each kind.

    - expr_c1: some term has an atom, so the expression is not a number.

    Example: `#dim.expr<"2*floor((past + 1)/2) + min(8 - seq, 0)">`
  }];
  let parameters = (ins ArrayRefParameter<"::cameo::DimTerm">:$terms);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Returns the text between the quotes of the attribute.
    std::string getText() const;
  }];
}

/// A size as an attribute of an operation. DimDialect.h prints and parses it as `custom<Size>`.
def Dim_SizeAttr : AnyAttrOf<[I64Attr, Dim_ExprAttr]>;

/// An atom, which is printed only as a part of an expression.
class Dim_Atom<string name, string shortName> : AttrDef<Dim_Dialect, name> {
  let attrName = "dim." # shortName;
}

def Dim_QuotientAttr : Dim_Atom<"DimQuotient", "quotient"> {
  let summary = "A quotient of sizes, rounded towards minus infinity, that does not simplify";
  let description = "Spelled `floor((dividend)/4)` or `floor((dividend)/(divisor))` in an expression.";
  let parameters = (ins "::cameo::Dim":$dividend, "::cameo::Dim":$divisor);
}

def Dim_MinAttr : Dim_Atom<"DimMin", "min"> {
  let summary = "The minimum of a size and 0";
  let description = "Spelled `min(dim, 0)` in an expression.";
  let parameters = (ins "::cameo::Dim":$dim);
}

def Dim_RealAttr : Dim_Atom<"DimReal", "real"> {
  let summary = "A real number that a model computes from sizes in floating point, rounded at each step";
  let description = [{
    A size converted to the type (`operands` is its DimExprAttr), spelled `float(dim)` or `double(dim)`, or an operation on
    numbers of the type, `a + b`, `a - b`, `a*b`, `a/b`, `min(a, b)`, `max(a, b)`, `round(a)`. Operands of an operation are
    DimRealAttrs or finite FloatAttrs, and at least one is a DimRealAttr. DimReal.h creates them. It is not an atom.
  }];
  let parameters = (ins "::mlir::FloatType":$type, "::cameo::DimRealKind":$kind,
                    ArrayRefParameter<"::mlir::Attribute">:$operands);
}

def Dim_FloorAttr : Dim_Atom<"DimFloor", "floor"> {
  let summary = "A real number that was computed from sizes, rounded towards minus infinity";
  let description = "Spelled `floor(float(dim)*0.7)` in an expression: the product is that of float32.";
  let parameters = (ins "::cameo::DimRealAttr":$real);
}

#endif // CAMEO_DIALECTS_DIM_DIMATTRIBUTES_TD

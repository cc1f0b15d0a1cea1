// Registration of the dim dialect, and sizes as attributes of operations: a number of 64 bits, or `#dim.expr`.
#ifndef CAMEO_DIALECTS_DIM_DIMDIALECT_H
#define CAMEO_DIALECTS_DIM_DIMDIALECT_H

#include "dialects/Dim/Dim.h"

#include "mlir/IR/OpImplementation.h"

namespace cameo {

/// Whether `size` is a number of 64 bits or an expression.
bool isSize(mlir::Attribute size);
/// The attribute of a known dimension.
mlir::Attribute makeSize(const Dim &dim, mlir::MLIRContext *context);
/// Of such an attribute; unknown for null.
Dim readSize(mlir::Attribute size);

/// `16`, or an expression in quotes.
mlir::ParseResult parseSize(mlir::AsmParser &parser, mlir::Attribute &size);
void printSize(mlir::AsmPrinter &printer, mlir::Attribute size);
inline void printSize(mlir::AsmPrinter &printer, mlir::Operation *, mlir::Attribute size) { printSize(printer, size); }
/// An expression in quotes, without the rest of the attribute.
mlir::ParseResult parseExpr(mlir::AsmParser &parser, DimExprAttr &expr);
void printExpr(mlir::AsmPrinter &printer, DimExprAttr expr);
inline void printExpr(mlir::AsmPrinter &printer, mlir::Operation *, DimExprAttr expr) { printExpr(printer, expr); }
/// The same where "" stands for null.
mlir::ParseResult parseOptionalExpr(mlir::AsmParser &parser, DimExprAttr &expr);
void printOptionalExpr(mlir::AsmPrinter &printer, DimExprAttr expr);
/// `elements "8*batch"`, or nothing where the type of a buffer states its size.
mlir::ParseResult parseElements(mlir::AsmParser &parser, DimExprAttr &elements);
void printElements(mlir::AsmPrinter &printer, mlir::Operation *, DimExprAttr elements);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMDIALECT_H

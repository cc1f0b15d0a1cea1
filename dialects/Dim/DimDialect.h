// Registration of the dim dialect, and sizes as attributes of operations: a 64-bit integer or `#dim.expr`.
#ifndef CAMEO_DIALECTS_DIM_DIMDIALECT_H
#define CAMEO_DIALECTS_DIM_DIMDIALECT_H

#include "dialects/Dim/Dim.h"

#include "mlir/IR/OpImplementation.h"

namespace cameo {

/// Whether `size` is a 64-bit integer or an expression.
bool isSize(mlir::Attribute size);
/// Returns the attribute of a dimension, which must not be unknown.
mlir::Attribute makeSize(const Dim &dim, mlir::MLIRContext *context);
/// Returns the dimension of such an attribute; unknown for null.
Dim readSize(mlir::Attribute size);

/// Parse and print a size: `16`, or an expression in quotes.
mlir::ParseResult parseSize(mlir::AsmParser &parser, mlir::Attribute &size);
void printSize(mlir::AsmPrinter &printer, mlir::Attribute size);
inline void printSize(mlir::AsmPrinter &printer, mlir::Operation *, mlir::Attribute size) { printSize(printer, size); }
/// Parse and print an expression in quotes, without the rest of the attribute.
mlir::ParseResult parseExpr(mlir::AsmParser &parser, DimExprAttr &expr);
void printExpr(mlir::AsmPrinter &printer, DimExprAttr expr);
inline void printExpr(mlir::AsmPrinter &printer, mlir::Operation *, DimExprAttr expr) { printExpr(printer, expr); }
/// As above, with "" for null.
mlir::ParseResult parseOptionalExpr(mlir::AsmParser &parser, DimExprAttr &expr);
void printOptionalExpr(mlir::AsmPrinter &printer, DimExprAttr expr);
/// Parse and print `elements "8*batch"`, or nothing if the type of the buffer states its size.
mlir::ParseResult parseElements(mlir::AsmParser &parser, DimExprAttr &elements);
void printElements(mlir::AsmPrinter &printer, mlir::Operation *, DimExprAttr elements);

} // namespace cameo

#endif // CAMEO_DIALECTS_DIM_DIMDIALECT_H

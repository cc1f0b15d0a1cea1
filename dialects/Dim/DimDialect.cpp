#include "dialects/Dim/DimDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo;

#include "dialects/Dim/DimDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Dim/DimAttributes.cpp.inc"

void DimDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Dim/DimAttributes.cpp.inc"
      >();
}

Attribute DimExprAttr::parse(AsmParser &parser, Type) {
  DimExprAttr expr;
  if (parser.parseLess() || parseExpr(parser, expr) || parser.parseGreater())
    return {};
  return expr;
}

void DimExprAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printExpr(printer, *this);
  printer << '>';
}

/// Parses `text` as an expression. Reports errors at `place`.
static ParseResult readExpr(AsmParser &parser, SMLoc place, StringRef text, DimExprAttr &expr) {
  std::optional<Dim> dim = parseDim(text, parser.getContext());
  if (!dim || !dim->isNamed()) // expr_c1
    return parser.emitError(place) << "expected an expression over dimension names, got \"" << text << "\"";
  expr = dim->getExpr();
  return success();
}

ParseResult cameo::parseExpr(AsmParser &parser, DimExprAttr &expr) {
  std::string text;
  SMLoc place = parser.getCurrentLocation();
  return failure(parser.parseString(&text) || readExpr(parser, place, text, expr));
}

void cameo::printExpr(AsmPrinter &printer, DimExprAttr expr) { printer.printString(expr.getText()); }

ParseResult cameo::parseOptionalExpr(AsmParser &parser, DimExprAttr &expr) {
  std::string text;
  SMLoc place = parser.getCurrentLocation();
  return failure(parser.parseString(&text) || (!text.empty() && readExpr(parser, place, text, expr)));
}

void cameo::printOptionalExpr(AsmPrinter &printer, DimExprAttr expr) {
  printer.printString(expr ? expr.getText() : std::string());
}

ParseResult cameo::parseElements(AsmParser &parser, DimExprAttr &elements) {
  return succeeded(parser.parseOptionalKeyword("elements")) ? parseExpr(parser, elements) : success();
}

void cameo::printElements(AsmPrinter &printer, Operation *, DimExprAttr elements) {
  if (elements)
    printExpr(printer << "elements ", elements);
}

bool cameo::isSize(Attribute size) {
  auto number = dyn_cast_or_null<IntegerAttr>(size);
  return isa_and_nonnull<DimExprAttr>(size) || (number && number.getType().isInteger(64));
}

Attribute cameo::makeSize(const Dim &dim, MLIRContext *context) {
  assert(!dim.isUnknown() && "an unknown size has no attribute");
  return dim.isNamed() ? Attribute(dim.getExpr()) : Builder(context).getI64IntegerAttr(dim.getSize());
}

Dim cameo::readSize(Attribute size) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(size))
    return number.getInt();
  return Dim(cast_or_null<DimExprAttr>(size));
}

ParseResult cameo::parseSize(AsmParser &parser, Attribute &size) {
  std::string text;
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalString(&text))) {
    DimExprAttr expr;
    if (readExpr(parser, place, text, expr))
      return failure();
    size = expr;
    return success();
  }
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  size = parser.getBuilder().getI64IntegerAttr(number);
  return success();
}

void cameo::printSize(AsmPrinter &printer, Attribute size) {
  if (auto number = dyn_cast<IntegerAttr>(size))
    printer << number.getInt();
  else
    printExpr(printer, cast<DimExprAttr>(size));
}

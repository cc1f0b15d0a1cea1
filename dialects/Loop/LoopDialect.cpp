// Registration of the loop dialect, and its attributes.
#include "dialects/Loop/LoopDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::loop;

#include "dialects/Loop/LoopDialect.cpp.inc"
#include "dialects/Loop/LoopEnums.cpp.inc"

static ParseResult parseSizeList(AsmParser &parser, ArrayAttr &sizes) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseSize(parser, list.emplace_back()); }))
    return failure();
  sizes = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printSizeList(AsmPrinter &printer, ArrayAttr sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer, [&](Attribute size) { printSize(printer, size); });
  printer << ']';
}

/// Parses `[[dimension, size], ...]`.
static ParseResult parseLoopList(AsmParser &parser, SmallVector<int64_t> &loops) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return failure(parser.parseLSquare() || parser.parseInteger(loops.emplace_back()) || parser.parseComma() ||
                   parser.parseInteger(loops.emplace_back()) || parser.parseRSquare());
  });
}

static void printLoopList(AsmPrinter &printer, ArrayRef<int64_t> loops) {
  printer << '[';
  for (size_t loop = 0; loop < loops.size(); loop += 2)
    printer << (loop > 0 ? ", [" : "[") << loops[loop] << ", " << loops[loop + 1] << ']';
  printer << ']';
}

template <typename Number> static ParseResult parseNumberList(AsmParser &parser, SmallVector<Number> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(numbers.emplace_back()); });
}

template <typename Number> static void printNumberList(AsmPrinter &printer, ArrayRef<Number> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer);
  printer << ']';
}

#define GET_ATTRDEF_CLASSES
#include "dialects/Loop/LoopAttributes.cpp.inc"

void LoopDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Loop/LoopAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Loop/LoopOps.cpp.inc"
      >();
}

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifySizes(EmitError emitError, ArrayAttr sizes) {
  for (Attribute size : sizes)
    if (!isSize(size))
      return emitError() << "expected numbers or expressions, got " << size;
  return success();
}

LogicalResult RunAttr::verify(EmitError emitError, int64_t length, Attribute offset, ArrayAttr strides) {
  if (length < 1)
    return emitError() << "expected runs of at least 1 point, got " << length;
  if (!isSize(offset))
    return emitError() << "expected a number or an expression as the offset, got " << offset;
  return verifySizes(emitError, strides);
}

LogicalResult TransformAttr::verify(EmitError emitError, unsigned, int64_t columns, int64_t denominator,
                                    ArrayRef<int64_t> entries) {
  if (columns < 1 || entries.empty() || entries.size() % columns != 0)
    return emitError() << "expected whole rows of " << columns << " columns, got " << entries.size() << " entries";
  if (denominator < 1)
    return emitError() << "expected a denominator of at least 1, got " << denominator;
  return success();
}

LogicalResult PackedAttr::verify(EmitError emitError, int64_t, int64_t blockStride, int64_t group, ArrayAttr fixed,
                                 ArrayRef<int64_t> perWidth, int64_t width, bool) {
  if (width < 0)
    return emitError() << "expected a width of at least 0, got " << width;
  if (blockStride < 0 || group < 1)
    return emitError() << "expected a block stride of at least 0 and groups of at least 1, got " << blockStride
                       << " and " << group;
  if (fixed.size() != perWidth.size())
    return emitError() << "expected as many fixed strides as strides per width, got " << fixed.size() << " and "
                       << perWidth.size();
  return verifySizes(emitError, fixed);
}

LogicalResult OrderAttr::verify(EmitError emitError, ArrayRef<int64_t> loops, unsigned, unsigned, int64_t vector,
                                unsigned lanes, int64_t partial, bool, int64_t dot, ArrayRef<unsigned>,
                                ArrayRef<unsigned>, bool, FloatAttr, ArrayRef<int64_t> pieceUnits,
                                int64_t functionsInTurns, bool, ArrayRef<int64_t> bound, ArrayRef<unsigned>,
                                unsigned stages, int64_t unroll, bool, ArrayRef<int64_t> tensor,
                                ArrayRef<int64_t> online, bool, ArrayRef<int64_t> pool) {
  for (size_t loop = 0; loop < loops.size(); loop += 2)
    if (loops[loop] < 0 || loops[loop + 1] < 1)
      return emitError() << "expected loops over a dimension in pieces of at least 1, got [" << loops[loop] << ", "
                         << loops[loop + 1] << "]";
  if (vector < -1 || partial < -1 || dot < -1)
    return emitError() << "expected numbers of 0 or more";
  if (lanes < 1)
    return emitError() << "expected at least 1 lane";
  if (!pieceUnits.empty() && (pieceUnits.size() != 2 || pieceUnits[1] < 1 || pieceUnits[0] <= pieceUnits[1]))
    return emitError() << "expected two piece_units, the first of them larger";
  if (functionsInTurns < 1)
    return emitError() << "expected functions_in_turns of at least 1";
  for (size_t loop = 0; loop < bound.size(); loop += 2)
    if (bound[loop] < 0 || bound[loop] >= static_cast<int64_t>(loops.size() / 2) || bound[loop + 1] < 0 ||
        bound[loop + 1] > 4)
      return emitError() << "expected existing loops, bound to a number from 0 to 4, got [" << bound[loop] << ", "
                         << bound[loop + 1] << "]";
  if (stages < 1 || unroll < 0)
    return emitError() << "expected at least 1 stage and an unroll factor of 0 or more";
  if (!tensor.empty() && (tensor.size() != 4 || tensor[0] < 0 || tensor[0] > 5 ||
                          llvm::any_of(tensor.drop_front(), [](int64_t side) { return side < 1; })))
    return emitError() << "expected tensor to be a kind from 0 to 5 and rows, columns and depth of at least 1";
  if (!online.empty() && (online.size() != 2 || online[0] < 1 || online[1] < 1))
    return emitError() << "expected online to be rows and keys of at least 1";
  if (pool.size() % 4 != 0 || llvm::any_of(pool, [](int64_t number) { return number < 0; }))
    return emitError() << "expected pool to be four numbers of 0 or more for each dimension";
  return success();
}

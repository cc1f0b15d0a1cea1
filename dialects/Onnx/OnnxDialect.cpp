// Registration of the onnx dialect; constants made by folding.
#include "dialects/Onnx/OnnxDialect.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo::onnx;

#include "dialects/Onnx/OnnxDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Onnx/OnnxTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Onnx/OnnxAttributes.cpp.inc"

void OnnxDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Onnx/OnnxTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Onnx/OnnxAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxActivationOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxAttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxBroadcastOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxConstantOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxConvOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxCountedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxCropOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxExternOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxImageOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxIndexOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxLossOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxMatMulOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxMlOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxNormOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxPoolOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxQuantOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxRearrangeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxRecurrentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxReduceOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxSignalOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxStringOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/Ops/OnnxUnaryOps.cpp.inc"
      >();
}

Operation *OnnxDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (isa<NoneType>(type))
    return NoneOp::create(builder, loc, type);
  if (auto elements = dyn_cast<ElementsAttr>(value))
    return ConstantOp::create(builder, loc, type, elements);
  return nullptr;
}

LogicalResult DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (getExprs().size() != shape.size()) // dims_c1
    return emitError() << "expected one dimension name per dimension, got " << getExprs().size() << " names for rank "
                       << shape.size();
  for (auto [expr, size] : llvm::zip(getExprs(), shape))
    if (expr && !ShapedType::isDynamic(size)) // dims_c2
      return emitError() << "expected a static dimension to have no name, got \"" << expr.getText() << "\"";
  return success();
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<DimExprAttr> exprs;
  auto parseDimension = [&] { return parseOptionalExpr(parser, exprs.emplace_back()); };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDimension) ||
      parser.parseGreater())
    return {};
  return DimsAttr::get(parser.getContext(), exprs);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getExprs(), printer, [&](DimExprAttr expr) { printOptionalExpr(printer, expr); });
  printer << "]>";
}

LogicalResult TransposedAttr::verify(function_ref<InFlightDiagnostic()> emitError, ShapedType type,
                                     DenseResourceElementsAttr source, ArrayRef<int64_t> perm) {
  ShapedType from = source.getType();
  SmallVector<int64_t> sorted(perm);
  llvm::sort(sorted);
  if (static_cast<int64_t>(perm.size()) != from.getRank() ||
      !llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank()))) // transposed_c1
    return emitError() << "expected a permutation of " << from.getRank() << " dimensions, got [" << perm << "]";
  if (type.getNumElements() != from.getNumElements() || type.getElementType() != from.getElementType()) // transposed_c2
    return emitError() << "expected as many elements as " << from << ", and its element type, got " << type;
  return success();
}

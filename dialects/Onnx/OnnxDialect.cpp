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
#include "dialects/Onnx/OnnxActivationOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxAttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxBroadcastOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxConstantOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxConvOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxCountedOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxCropOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxExternOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxImageOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxIndexOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxLossOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxMatMulOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxMlOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxNormOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxPoolOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxQuantOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxRearrangeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxRecurrentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxReduceOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxSignalOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxTextOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Onnx/OnnxUnaryOps.cpp.inc"
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
  if (getNames().size() != shape.size()) // dims_c1
    return emitError() << "expected one dimension name per dimension, got " << getNames().size() << " names for rank "
                       << shape.size();
  for (auto [name, size] : llvm::zip(getNames(), shape))
    if (!name.getValue().empty() && !ShapedType::isDynamic(size)) // dims_c2
      return emitError() << "expected a static dimension to have no name, got \"" << name.getValue() << "\"";
  return success();
}

LogicalResult TransposedAttr::verify(function_ref<InFlightDiagnostic()> emitError, ShapedType type, DenseResourceElementsAttr source, ArrayRef<int64_t> perm) {
  ShapedType from = source.getType();
  SmallVector<int64_t> sorted(perm);
  llvm::sort(sorted);
  if (static_cast<int64_t>(perm.size()) != from.getRank() || !llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank()))) // transposed_c1
    return emitError() << "expected a permutation of " << from.getRank() << " dimensions, got [" << perm << "]";
  if (type.getNumElements() != from.getNumElements() || type.getElementType() != from.getElementType()) // transposed_c2
    return emitError() << "expected as many elements as " << from << ", and its element type, got " << type;
  return success();
}

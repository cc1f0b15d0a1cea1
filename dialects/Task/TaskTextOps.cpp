// Verification of the operations on strings.
#include "dialects/Task/TaskTextOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskTextOps.cpp.inc"

LogicalResult TextOp::verify() {
  if (getText().contains('\0')) // text_c1
    return emitOpError("expected a text without zero bytes");
  return success();
}

LogicalResult TextsOp::verify() {
  auto texts = dyn_cast<DenseStringElementsAttr>(getValue());
  if (!texts || llvm::any_of(texts.getRawStringData(), [](StringRef text) { return text.contains('\0'); })) // texts_c1
    return emitOpError("expected texts without zero bytes");
  auto type = cast<RankedTensorType>(getAddresses().getType());
  if (type.getShape() != texts.getType().getShape()) // texts_c2
    return emitOpError("expected a result of the constant's shape, got ") << type;
  return success();
}

LogicalResult TextTableOp::verify() {
  if (getOffset() % 8 != 0) // text_table_c1
    return emitOpError("expected an offset that is a multiple of 8, got ") << getOffset();
  return success();
}

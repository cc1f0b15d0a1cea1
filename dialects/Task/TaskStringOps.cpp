// Verification of the operations on strings.
#include "dialects/Task/TaskStringOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskStringOps.cpp.inc"

LogicalResult StringOp::verify() {
  if (getValue().contains('\0')) // string_c1
    return emitOpError("expected a string without zero bytes");
  return success();
}

LogicalResult StringsOp::verify() {
  auto strings = dyn_cast<DenseStringElementsAttr>(getValue());
  if (!strings ||
      llvm::any_of(strings.getRawStringData(), [](StringRef string) { return string.contains('\0'); })) // strings_c1
    return emitOpError("expected strings without zero bytes");
  auto type = cast<RankedTensorType>(getAddresses().getType());
  if (type.getShape() != strings.getType().getShape()) // strings_c2
    return emitOpError("expected a result of the constant's shape, got ") << type;
  return success();
}

LogicalResult StringTableOp::verify() {
  if (getOffset() % 8 != 0) // string_table_c1
    return emitOpError("expected an offset that is a multiple of 8, got ") << getOffset();
  return success();
}

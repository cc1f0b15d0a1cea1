#include "frontend/Import/Graph/ControlOperands.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace cameo;

static LogicalResult expectOne(Value value, unsigned bits, StringRef what, StringRef name, Location loc) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getElementType().isSignlessInteger(bits) &&
      llvm::all_of(type.getShape(), [](int64_t size) { return size == 1 || ShapedType::isDynamic(size); }))
    return success();
  return emitError(loc) << "expected " << what << " '" << name << "', got " << value.getType();
}

LogicalResult cameo::expectCondition(Value condition, StringRef name, Location loc) {
  return expectOne(condition, 1, "a bool as condition", name, loc);
}

LogicalResult cameo::expectTripCount(Value tripCount, StringRef name, Location loc) {
  return expectOne(tripCount, 64, "an int64 as trip count", name, loc);
}

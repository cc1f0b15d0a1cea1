#include "frontend/Import/Graph/ControlOperands.h"

#include "dialects/Onnx/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include <onnx/onnx_pb.h>

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

LogicalResult cameo::expectStatedElement(const ::onnx::ValueInfoProto &stated, Value value, Location loc) {
  auto type = dyn_cast<TensorType>(value.getType());
  Type element = stated.type().has_tensor_type()
                     ? cameo::onnx::getElementTypeOf(loc.getContext(), stated.type().tensor_type().elem_type())
                     : Type();
  if (!type || !element || type.getElementType() == element)
    return success();
  return emitError(loc) << "expected '" << stated.name() << "' to have element type " << element
                        << ", which the body states, got " << type;
}

LogicalResult cameo::expectCarried(const ::onnx::GraphProto &body, int firstOutput, ValueRange taken, ValueRange made,
                                   Location loc) {
  for (auto [number, before, after] : llvm::enumerate(taken, made)) {
    auto from = dyn_cast<TensorType>(before.getType()), to = dyn_cast<TensorType>(after.getType());
    if (from && to && from.getElementType() != to.getElementType())
      return emitError(loc) << "expected the body to make '" << body.output(firstOutput + number).name()
                            << "' with the element type of the carried value, " << from.getElementType() << ", got "
                            << to;
  }
  return success();
}

#include "passes/Graph/Constants/ScalarConstant.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace cameo::graph {

std::optional<double> getSplatNumber(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.getNumElements() == 0 || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<FloatAttr>().getValueAsDouble();
  auto integer = dyn_cast<IntegerType>(elements.getElementType());
  if (!integer)
    return std::nullopt;
  APInt bits = elements.getSplatValue<APInt>();
  return bits.roundToDouble(/*isSigned=*/!integer.isUnsigned() && integer.getWidth() > 1);
}

bool isSplatOf(Value value, double expected) {
  std::optional<double> number = getSplatNumber(value);
  // Exporters print such numbers with seven digits.
  return number && std::abs(*number - expected) <= 1e-6 * std::abs(expected);
}

std::optional<SmallVector<int64_t>> getAxes(Value value, int64_t rank) {
  std::optional<SmallVector<int64_t>> axes = onnx::getConstantInts(value);
  if (axes)
    for (int64_t &axis : *axes)
      axis = axis < 0 ? axis + rank : axis;
  return axes;
}

Value createScalar(OpBuilder &builder, Location loc, Type elementType, double number) {
  auto type = RankedTensorType::get({}, elementType);
  Attribute attr = isa<FloatType>(elementType) ? Attribute(FloatAttr::get(elementType, number))
                                               : Attribute(IntegerAttr::get(elementType, static_cast<int64_t>(number)));
  return onnx::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, attr));
}

RankedTensorType getStaticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

} // namespace cameo::graph

#include "frontend/Import/Inputs/MapSequence.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace cameo;

static constexpr StringLiteral kKeys = "onnx.keys";

bool cameo::isSingle(const MapSequence &maps) { return cast<RankedTensorType>(maps.values.getType()).getRank() == 1; }

Value cameo::makeMapSequence(OpBuilder &builder, Location loc, const MapSequence &maps) {
  Type key = isa<DenseI64ArrayAttr>(maps.keys) ? Type(builder.getI64Type())
                                               : cameo::onnx::StringType::get(builder.getContext());
  Type type = builder.getFunctionType(key, maps.values.getType());
  auto made = UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), maps.values);
  made->setAttr(kKeys, maps.keys);
  return made.getResult(0);
}

std::optional<MapSequence> cameo::getMapSequence(Value value) {
  auto made = value.getDefiningOp<UnrealizedConversionCastOp>();
  if (!made || !made->hasAttr(kKeys))
    return std::nullopt;
  return MapSequence{made.getInputs().front(), made->getAttr(kKeys)};
}

#include "frontend/Import/Inputs/InputConstant.h"

#include "dialects/Onnx/OnnxOps.h"

#include "llvm/Support/Error.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Returns a number of the element type, null if the text is not one.
Attribute parseNumber(StringRef text, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    APFloat value(floating.getFloatSemantics());
    llvm::Expected<APFloat::opStatus> status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (status)
      return *status & APFloat::opOverflow ? Attribute() : FloatAttr::get(floating, value);
    llvm::consumeError(status.takeError());
    return {};
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return {};
  if (integer.getWidth() == 1 && (text == "true" || text == "false"))
    text = text == "true" ? "1" : "0";
  bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
  uint64_t bits = 0;
  if (isUnsigned ? text.getAsInteger(10, bits) : text.getAsInteger(10, reinterpret_cast<int64_t &>(bits)))
    return {};
  bool fits = isUnsigned ? llvm::isUIntN(integer.getWidth(), bits)
                         : llvm::isIntN(integer.getWidth(), static_cast<int64_t>(bits));
  return fits ? IntegerAttr::get(integer, APInt(integer.getWidth(), bits, /*isSigned=*/!isUnsigned)) : Attribute();
}

} // namespace

FailureOr<Value> cameo::makeInputConstant(OpBuilder &builder, StringRef text, TensorType type, Location loc) {
  SmallVector<Attribute> values;
  for (StringRef part : llvm::split(text, ',')) {
    values.push_back(parseNumber(part.trim(), type.getElementType()));
    if (!values.back())
      return emitError(loc) << "expected numbers of " << type.getElementType() << " for this constant, got '" << part
                            << "'";
  }
  int64_t count = values.size();
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || (ranked.getRank() == 1 && ranked.isDynamicDim(0)))
    ranked = RankedTensorType::get(ranked ? ArrayRef(count) : ArrayRef<int64_t>(), type.getElementType());
  if (!ranked.hasStaticShape() || (count != 1 && count != ranked.getNumElements()))
    return emitError(loc) << "expected one number or as many as " << type << " has elements for this constant, got "
                          << count;
  return Value(cameo::onnx::ConstantOp::create(builder, loc, ranked, DenseElementsAttr::get(ranked, values)));
}

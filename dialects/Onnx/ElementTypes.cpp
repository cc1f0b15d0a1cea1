#include "dialects/Onnx/ElementTypes.h"

#include "dialects/Onnx/OnnxDialect.h"

using namespace mlir;
using namespace cameo::onnx;

Type cameo::onnx::getElementTypeOf(MLIRContext *context, int64_t dataType) {
  auto integer = [&](unsigned width) { return IntegerType::get(context, width); };
  auto naturalNumber = [&](unsigned width) { return IntegerType::get(context, width, IntegerType::Unsigned); };
  // clang-format off
  switch (dataType) {
  case 1: return Float32Type::get(context);
  case 2: return naturalNumber(8);
  case 3: return integer(8);
  case 4: return naturalNumber(16);
  case 5: return integer(16);
  case 6: return integer(32);
  case 7: return integer(64);
  case 8: return StringType::get(context);
  case 9: return integer(1);
  case 10: return Float16Type::get(context);
  case 11: return Float64Type::get(context);
  case 12: return naturalNumber(32);
  case 13: return naturalNumber(64);
  case 14: return ComplexType::get(Float32Type::get(context));
  case 15: return ComplexType::get(Float64Type::get(context));
  case 16: return BFloat16Type::get(context);
  case 17: return Float8E4M3FNType::get(context);
  case 18: return Float8E4M3FNUZType::get(context);
  case 19: return Float8E5M2Type::get(context);
  case 20: return Float8E5M2FNUZType::get(context);
  case 21: return naturalNumber(4);
  case 22: return integer(4);
  case 23: return Float4E2M1FNType::get(context);
  case 24: return Float8E8M0FNUType::get(context);
  case 25: return naturalNumber(2);
  case 26: return integer(2);
  default: return {};
  }
  // clang-format on
}

int64_t cameo::onnx::getDataTypeOf(Type elementType) {
  constexpr int64_t kLastDataType = 26;
  for (int64_t dataType = 1; dataType <= kLastDataType; ++dataType)
    if (getElementTypeOf(elementType.getContext(), dataType) == elementType)
      return dataType;
  return 0;
}

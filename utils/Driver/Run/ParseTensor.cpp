#include "utils/Driver/Run/ParseTensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

namespace {

template <typename T> bool setInteger(Tensor &tensor, int64_t index, StringRef text) {
  return !text.getAsInteger(10, tensor.elements<T>()[index]);
}

/// Returns false for text that is not a number of the element type.
bool setNumber(Tensor &tensor, int64_t index, StringRef text) {
  double number = 0;
  if (isFloat(tensor.type) && text.getAsDouble(number))
    return false;
  switch (tensor.type) {
  case CAMEO_FLOAT32:
    tensor.elements<float>()[index] = static_cast<float>(number);
    return true;
  case CAMEO_FLOAT64:
    tensor.elements<double>()[index] = number;
    return true;
  case CAMEO_FLOAT16:
    tensor.elements<uint16_t>()[index] = floatToHalf(static_cast<float>(number));
    return true;
  case CAMEO_BFLOAT16:
    tensor.elements<uint16_t>()[index] = floatToBfloat(static_cast<float>(number));
    return true;
  case CAMEO_BOOL:
    tensor.elements<uint8_t>()[index] = text == "1" || text == "true";
    return llvm::is_contained({"0", "1", "false", "true"}, text);
  case CAMEO_INT8:
    return setInteger<int8_t>(tensor, index, text);
  case CAMEO_UINT8:
    return setInteger<uint8_t>(tensor, index, text);
  case CAMEO_INT16:
    return setInteger<int16_t>(tensor, index, text);
  case CAMEO_UINT16:
    return setInteger<uint16_t>(tensor, index, text);
  case CAMEO_INT32:
    return setInteger<int32_t>(tensor, index, text);
  case CAMEO_UINT32:
    return setInteger<uint32_t>(tensor, index, text);
  case CAMEO_INT64:
    return setInteger<int64_t>(tensor, index, text);
  case CAMEO_UINT64:
    return setInteger<uint64_t>(tensor, index, text);
  default:
    return false;
  }
}

} // namespace

llvm::Expected<Tensor> cameo::parseTensor(StringRef name, cameo_element_type type, llvm::ArrayRef<int64_t> shape,
                                          StringRef text) {
  llvm::SmallVector<StringRef> numbers;
  text.split(numbers, ',');
  llvm::SmallVector<int64_t, 4> sizes(shape);
  if (sizes.size() == 1 && sizes[0] < 0)
    sizes[0] = static_cast<int64_t>(numbers.size());
  bool isKnown = llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
  if (!isKnown || !isAllocatable(type, sizes) || !fitsMemory(type, sizes))
    return llvm::createStringError("expected known sizes for the constant '" + name + "'");
  Tensor tensor(name.str(), type, sizes);
  int64_t elements = tensor.elementCount(), count = static_cast<int64_t>(numbers.size());
  if (count != 1 && count != elements)
    return llvm::createStringError("expected one number or " + llvm::Twine(elements) + " for the constant '" + name +
                                   "', got " + llvm::Twine(count));
  for (int64_t i = 0; i < elements; ++i)
    if (StringRef number = numbers[count == 1 ? 0 : i].trim(); !setNumber(tensor, i, number))
      return llvm::createStringError("expected numbers of " + elementTypeName(type) + " for the constant '" + name +
                                     "', got '" + number + "'");
  return tensor;
}

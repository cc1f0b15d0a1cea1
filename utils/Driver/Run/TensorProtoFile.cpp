// Reads and writes files with ONNX's TensorProto, by ONNX's own classes.
#include "utils/Driver/Run/TensorFile.h"

#include "cameo/runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <onnx/onnx_pb.h>

using namespace cameo;
using llvm::StringRef;

static llvm::Error malformedTensor(const llvm::Twine &what) {
  return llvm::createStringError("not a valid TensorProto: " + what);
}

/// Returns the elements of the typed field that is not empty: bit patterns of floats, or integers.
static std::vector<uint64_t> typedValues(const onnx::TensorProto &proto) {
  std::vector<uint64_t> values;
  for (float value : proto.float_data())
    values.push_back(llvm::bit_cast<uint32_t>(value));
  for (double value : proto.double_data())
    values.push_back(llvm::bit_cast<uint64_t>(value));
  llvm::append_range(values, proto.int32_data());
  llvm::append_range(values, proto.int64_data());
  llvm::append_range(values, proto.uint64_data());
  return values;
}

/// Unpacks elements of less than a byte, the first of which is in the lowest bits, into one byte each.
static void unpackElements(StringRef packed, Tensor &tensor) {
  unsigned bits = storedBits(tensor.type), perByte = 8 / bits;
  for (auto [index, element] : llvm::enumerate(tensor.elements<uint8_t>()))
    element = (static_cast<uint8_t>(packed[index / perByte]) >> (index % perByte * bits)) & ((1 << bits) - 1);
}

static std::string packElements(const Tensor &tensor) {
  unsigned bits = storedBits(tensor.type), perByte = 8 / bits;
  if (bits >= 8)
    return std::string(tensor.data(), tensor.sizeBytes());
  std::string packed(llvm::divideCeil(tensor.elementCount(), perByte), '\0');
  for (auto [index, element] : llvm::enumerate(tensor.elements<uint8_t>()))
    packed[index / perByte] |= static_cast<char>((element & ((1 << bits) - 1)) << (index % perByte * bits));
  return packed;
}

static llvm::Expected<Tensor> makeStrings(const onnx::TensorProto &proto, llvm::ArrayRef<int64_t> shape) {
  Tensor probe;
  probe.shape = llvm::to_vector<4>(shape);
  if (proto.string_data_size() != probe.elementCount())
    return malformedTensor("expected " + llvm::Twine(probe.elementCount()) + " strings for shape " + shapeText(shape) +
                           ", got " + llvm::Twine(proto.string_data_size()));
  Tensor tensor(proto.name(), CAMEO_STRING, shape);
  for (auto [index, string] : llvm::enumerate(proto.string_data())) {
    if (StringRef(string).contains('\0'))
      return llvm::createStringError("string number " + llvm::Twine(index) +
                                     " contains a zero byte, which would terminate it in the model");
    tensor.setString(index, string);
  }
  return tensor;
}

llvm::Expected<Tensor> cameo::parseTensorProto(StringRef bytes) {
  onnx::TensorProto proto;
  if (bytes.size() > INT32_MAX)
    return malformedTensor("expected at most 2 GiB, got " + llvm::Twine(bytes.size()) + " bytes");
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return malformedTensor("the file is truncated or not a TensorProto");
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0)
    return llvm::createStringError("external data is not supported in an input file");
  size_t elementBytes = cameo_element_bytes(proto.data_type());
  if (elementBytes == 0)
    return llvm::createStringError("unsupported element type " + llvm::Twine(proto.data_type()));
  auto type = static_cast<cameo_element_type>(proto.data_type());
  llvm::SmallVector<int64_t, 4> shape(proto.dims().begin(), proto.dims().end());
  if (!isAllocatable(type, shape))
    return malformedTensor("shape " + shapeText(shape) + " is negative or too large");
  if (type == CAMEO_STRING)
    return makeStrings(proto, shape);

  unsigned bits = storedBits(type);
  std::vector<uint64_t> values = typedValues(proto);
  uint64_t available = proto.has_raw_data() ? proto.raw_data().size() : values.size() * elementBytes;
  Tensor probe;
  probe.type = type;
  probe.shape = shape;
  uint64_t expected = llvm::divideCeil(static_cast<uint64_t>(probe.elementCount()) * bits, 8);
  if (available != expected)
    return malformedTensor("expected " + llvm::Twine(expected) + " bytes of elements for shape " + shapeText(shape) +
                           ", got " + llvm::Twine(available));
  Tensor tensor(proto.name(), type, shape);
  if (bits < 8)
    unpackElements(proto.has_raw_data() ? proto.raw_data() : std::string(values.begin(), values.end()), tensor);
  else if (proto.has_raw_data())
    std::memcpy(tensor.data(), proto.raw_data().data(), proto.raw_data().size());
  else // the low bytes hold the bit pattern or the integer
    for (auto [index, value] : llvm::enumerate(values))
      std::memcpy(tensor.data() + index * elementBytes, &value, elementBytes);
  return tensor;
}

std::string cameo::encodeTensorProto(const Tensor &tensor) {
  onnx::TensorProto proto;
  proto.mutable_dims()->Add(tensor.shape.begin(), tensor.shape.end());
  proto.set_data_type(tensor.type);
  proto.set_name(tensor.name);
  if (!tensor.isString())
    proto.set_raw_data(packElements(tensor));
  else
    for (int64_t index = 0, count = tensor.elementCount(); index < count; ++index)
      proto.add_string_data(tensor.stringAt(index).str());
  return proto.SerializeAsString();
}

// ONNX's TensorProto, read and written on the wire level: the tools must not depend on protobuf types for one message.
#include "utils/Driver/TensorFile.h"

#include "cameo/runtime.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <optional>

using namespace cameo;
using llvm::StringRef;

namespace {

enum Field {
  dims = 1,
  dataType = 2,
  floatData = 4,
  int32Data = 5,
  stringData = 6,
  int64Data = 7,
  tensorName = 8,
  rawData = 9,
  doubleData = 10,
  uint64Data = 11,
  externalData = 13,
  dataLocation = 14
};

enum WireType { varint = 0, fixed64 = 1, lengthDelimited = 2, fixed32 = 5 };

/// One field of a message: a number (varint, fixed) or bytes.
struct WireField {
  unsigned number = 0;
  unsigned wireType = 0;
  uint64_t value = 0;
  StringRef bytes;
};

/// What of a TensorProto is needed, still encoded.
struct Message {
  llvm::SmallVector<int64_t, 4> shape;
  int64_t type = 0;
  std::string name;
  std::optional<StringRef> raw;
  std::vector<uint64_t> values; // of the one typed *_data field, bit patterns or integers
  std::vector<StringRef> texts;
};

} // namespace

static llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("not a valid TensorProto: " + what);
}

static std::optional<uint64_t> takeVarint(StringRef &bytes) {
  unsigned length = 0;
  const char *error = nullptr;
  uint64_t value = llvm::decodeULEB128(bytes.bytes_begin(), &length, bytes.bytes_end(), &error);
  if (error)
    return std::nullopt;
  bytes = bytes.drop_front(length);
  return value;
}

static std::optional<uint64_t> takeFixed(StringRef &bytes, size_t size) {
  if (bytes.size() < size)
    return std::nullopt;
  uint64_t value = size == 4 ? llvm::support::endian::read32le(bytes.data()) : llvm::support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(size);
  return value;
}

static std::optional<WireField> takeField(StringRef &bytes) {
  std::optional<uint64_t> tag = takeVarint(bytes);
  if (!tag)
    return std::nullopt;
  WireField field;
  field.number = static_cast<unsigned>(*tag >> 3);
  field.wireType = *tag & 7;
  std::optional<uint64_t> value;
  if (field.wireType == varint || field.wireType == lengthDelimited)
    value = takeVarint(bytes);
  else if (field.wireType == fixed32 || field.wireType == fixed64)
    value = takeFixed(bytes, field.wireType == fixed32 ? 4 : 8);
  if (!value)
    return std::nullopt;
  field.value = *value;
  if (field.wireType == lengthDelimited) {
    if (bytes.size() < *value)
      return std::nullopt;
    field.bytes = bytes.take_front(*value);
    bytes = bytes.drop_front(*value);
  }
  return field;
}

/// Appends a repeated scalar field, packed or not. Its packed elements are of `elementType`.
static bool appendRepeated(WireField field, WireType elementType, std::vector<uint64_t> &values) {
  if (field.wireType != lengthDelimited) {
    values.push_back(field.value);
    return field.wireType == elementType;
  }
  while (!field.bytes.empty()) {
    std::optional<uint64_t> value =
        elementType == varint ? takeVarint(field.bytes) : takeFixed(field.bytes, elementType == fixed32 ? 4 : 8);
    if (!value)
      return false;
    values.push_back(*value);
  }
  return true;
}

static bool readField(const WireField &field, Message &message) {
  switch (field.number) {
  case dims: {
    std::vector<uint64_t> sizes;
    bool good = appendRepeated(field, varint, sizes);
    message.shape.append(sizes.begin(), sizes.end());
    return good;
  }
  case dataType:
    message.type = static_cast<int64_t>(field.value);
    return true;
  case tensorName:
    message.name = field.bytes.str();
    return true;
  case rawData:
    message.raw = field.bytes;
    return true;
  case floatData:
    return appendRepeated(field, fixed32, message.values);
  case stringData:
    message.texts.push_back(field.bytes);
    return field.wireType == lengthDelimited;
  case doubleData:
    return appendRepeated(field, fixed64, message.values);
  case int32Data:
  case int64Data:
  case uint64Data:
    return appendRepeated(field, varint, message.values);
  default:
    return true;
  }
}

static llvm::Expected<Message> parseMessage(StringRef bytes) {
  Message message;
  while (!bytes.empty()) {
    std::optional<WireField> field = takeField(bytes);
    if (!field)
      return malformed("the file is cut short or of another kind");
    if (field->number == externalData || (field->number == dataLocation && field->value != 0))
      return llvm::createStringError("external data is not supported in an input file");
    if (!readField(*field, message))
      return malformed("field " + llvm::Twine(field->number) + " has an unexpected form");
  }
  return message;
}

/// Elements below a byte, the first one in the lowest bits, into a byte each.
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

static llvm::Expected<Tensor> makeTexts(const Message &message) {
  Tensor probe;
  probe.shape = message.shape;
  if (static_cast<int64_t>(message.texts.size()) != probe.elementCount())
    return malformed("expected " + llvm::Twine(probe.elementCount()) + " texts for shape " + shapeText(message.shape) + ", got " +
                     llvm::Twine(message.texts.size()));
  Tensor tensor(message.name, CAMEO_STRING, message.shape);
  for (auto [index, text] : llvm::enumerate(message.texts)) {
    if (text.contains('\0'))
      return llvm::createStringError("text number " + llvm::Twine(index) + " holds a zero byte, where it would end for a model");
    tensor.setText(index, text);
  }
  return tensor;
}

llvm::Expected<Tensor> cameo::parseTensorProto(StringRef bytes) {
  llvm::Expected<Message> message = parseMessage(bytes);
  if (!message)
    return message.takeError();
  size_t elementBytes = cameo_element_bytes(static_cast<int32_t>(message->type));
  if (elementBytes == 0)
    return llvm::createStringError("unsupported element type " + llvm::Twine(message->type));
  auto type = static_cast<cameo_element_type>(message->type);
  if (!isAllocatable(type, message->shape))
    return malformed("shape " + shapeText(message->shape) + " is negative or too large");
  if (type == CAMEO_STRING)
    return makeTexts(*message);

  unsigned bits = storedBits(type);
  uint64_t available = message->raw ? message->raw->size() : message->values.size() * elementBytes;
  Tensor probe;
  probe.type = type;
  probe.shape = message->shape;
  uint64_t expected = llvm::divideCeil(static_cast<uint64_t>(probe.elementCount()) * bits, 8);
  if (available != expected)
    return malformed("expected " + llvm::Twine(expected) + " bytes of elements for shape " + shapeText(message->shape) +
                     ", got " + llvm::Twine(available));
  Tensor tensor(message->name, type, message->shape);
  if (bits < 8) {
    std::string packed = message->raw ? message->raw->str() : std::string(message->values.begin(), message->values.end());
    unpackElements(packed, tensor);
    return tensor;
  }
  if (message->raw) {
    std::memcpy(tensor.data(), message->raw->data(), message->raw->size());
    return tensor;
  }
  // Bit patterns and integers alike sit in the low bytes.
  for (auto [index, value] : llvm::enumerate(message->values))
    std::memcpy(tensor.data() + index * elementBytes, &value, elementBytes);
  return tensor;
}

std::string cameo::encodeTensorProto(const Tensor &tensor) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  auto writeTag = [&](unsigned number, WireType type) { llvm::encodeULEB128(number << 3 | type, stream); };
  for (int64_t size : tensor.shape) {
    writeTag(dims, varint);
    llvm::encodeULEB128(static_cast<uint64_t>(size), stream);
  }
  writeTag(dataType, varint);
  llvm::encodeULEB128(tensor.type, stream);
  writeTag(tensorName, lengthDelimited);
  llvm::encodeULEB128(tensor.name.size(), stream);
  stream << tensor.name;
  if (tensor.isText()) {
    for (int64_t index = 0, count = tensor.elementCount(); index < count; ++index) {
      writeTag(stringData, lengthDelimited);
      llvm::encodeULEB128(tensor.textAt(index).size(), stream);
      stream << tensor.textAt(index);
    }
    return bytes;
  }
  writeTag(rawData, lengthDelimited);
  std::string elements = packElements(tensor);
  llvm::encodeULEB128(elements.size(), stream);
  stream << elements;
  return bytes;
}

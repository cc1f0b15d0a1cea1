// Reads and writes NumPy's array files: magic, version, length of the header, the header, which is a Python dictionary,
// and the elements.
#include "utils/Driver/Run/TensorFile.h"

#include "cameo/runtime.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

using namespace cameo;
using llvm::StringRef;

namespace {

constexpr StringRef magic("\x93NUMPY", 6);

struct Header {
  cameo_element_type type = CAMEO_FLOAT32;
  bool bigEndian = false;
  bool fortranOrder = false;
  size_t codePoints = 0; // per string
  llvm::SmallVector<int64_t, 4> shape;

  /// Returns the number of elements. Must be checked before a tensor is allocated, because a file of a few bytes may
  /// declare any shape.
  uint64_t elementCount() const {
    return std::accumulate(shape.begin(), shape.end(), uint64_t(1), std::multiplies<uint64_t>());
  }
};

struct Descriptor {
  const char *dtype; // without the byte order
  cameo_element_type type;
};
constexpr Descriptor descriptors[] = {
    {"f4", CAMEO_FLOAT32}, {"f8", CAMEO_FLOAT64}, {"f2", CAMEO_FLOAT16}, {"i1", CAMEO_INT8},
    {"i2", CAMEO_INT16},   {"i4", CAMEO_INT32},   {"i8", CAMEO_INT64},   {"u1", CAMEO_UINT8},
    {"u2", CAMEO_UINT16},  {"u4", CAMEO_UINT32},  {"u8", CAMEO_UINT64},  {"b1", CAMEO_BOOL},
};

} // namespace

static llvm::Error malformedNpy(const llvm::Twine &what) {
  return llvm::createStringError("not a valid .npy file: " + what);
}

/// Returns the string after "'key':", without leading blanks; empty if there is no such key.
static StringRef valueOf(StringRef dictionary, StringRef key) {
  size_t position = dictionary.find(("'" + key + "'").str());
  if (position == StringRef::npos)
    return {};
  return dictionary.substr(position + key.size() + 2).ltrim().drop_while([](char c) { return c == ':'; }).ltrim();
}

static llvm::Error parseDescriptor(StringRef value, Header &header) {
  bool isPlain = value.consume_front("'");
  StringRef string = value.take_until([](char c) { return c == '\''; });
  if (!isPlain || string.size() < 3)
    return malformedNpy("expected a plain element type in 'descr'");
  header.bigEndian = string.front() == '>';
  if (string[1] == 'U' && !string.drop_front(2).getAsInteger(10, header.codePoints) && header.codePoints > 0 &&
      header.codePoints < (1u << 24)) {
    header.type = CAMEO_STRING;
    return llvm::Error::success();
  }
  for (const Descriptor &descriptor : descriptors)
    if (string.drop_front() == descriptor.dtype) {
      header.type = descriptor.type;
      return llvm::Error::success();
    }
  return llvm::createStringError("unsupported element type '" + string + "'");
}

static llvm::Error parseShape(StringRef value, Header &header) {
  if (!value.consume_front("("))
    return malformedNpy("expected a tuple in 'shape'");
  size_t end = value.find(')');
  if (end == StringRef::npos)
    return malformedNpy("expected ')' in 'shape'");
  llvm::SmallVector<StringRef, 4> parts;
  value.take_front(end).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t size = 0;
    if (part.trim().rtrim('L').getAsInteger(10, size) || size < 0)
      return malformedNpy("expected sizes in 'shape', got '" + part.trim() + "'");
    header.shape.push_back(size);
  }
  return llvm::Error::success();
}

static llvm::Expected<Header> parseHeader(StringRef dictionary) {
  Header header;
  if (llvm::Error error = parseDescriptor(valueOf(dictionary, "descr"), header))
    return error;
  header.fortranOrder = valueOf(dictionary, "fortran_order").starts_with("True");
  if (llvm::Error error = parseShape(valueOf(dictionary, "shape"), header))
    return error;
  if (!isAllocatable(header.type, header.shape))
    return malformedNpy("shape " + shapeText(header.shape) + " is too large");
  return header;
}

/// Copies elements from column-major to row-major order.
static void copyFromFortranOrder(const char *source, Tensor &tensor, size_t elementBytes) {
  int64_t count = tensor.elementCount();
  llvm::SmallVector<int64_t, 4> index(tensor.shape.size(), 0);
  for (int64_t position = 0; position < count; ++position) {
    int64_t target = 0;
    for (auto [size, i] : llvm::zip(tensor.shape, index))
      target = target * size + i;
    std::memcpy(tensor.data() + target * elementBytes, source + position * elementBytes, elementBytes);
    for (size_t axis = 0; axis < index.size() && ++index[axis] == tensor.shape[axis]; ++axis)
      index[axis] = 0;
  }
}

// ---- strings ----

/// Converts the code points of string `number` to UTF-8, without trailing zeros.
static llvm::Expected<std::string> decodeString(llvm::ArrayRef<llvm::UTF32> codes, int64_t number) {
  while (!codes.empty() && codes.back() == 0)
    codes = codes.drop_back();
  if (llvm::is_contained(codes, 0u))
    return llvm::createStringError("string number " + llvm::Twine(number) +
                                   " contains a zero byte, which would terminate it in the model");
  // LLVM's function for strings would remove a byte order mark.
  std::string string(codes.size() * UNI_MAX_UTF8_BYTES_PER_CODE_POINT, '\0');
  const llvm::UTF32 *source = codes.begin();
  auto *begin = reinterpret_cast<llvm::UTF8 *>(string.data()), *target = begin;
  if (llvm::ConvertUTF32toUTF8(&source, codes.end(), &target, begin + string.size(), llvm::strictConversion) !=
      llvm::conversionOK)
    return llvm::createStringError("string number " + llvm::Twine(number) +
                                   " contains a number that is not a Unicode code point");
  string.resize(target - begin);
  return string;
}

/// Converts UTF-8 to code points. Invalid bytes become the replacement character.
static std::vector<llvm::UTF32> encodeString(StringRef string) {
  std::vector<llvm::UTF32> codes(string.size());
  auto *source = reinterpret_cast<const llvm::UTF8 *>(string.begin());
  llvm::UTF32 *target = codes.data();
  llvm::ConvertUTF8toUTF32(&source, source + string.size(), &target, target + codes.size(), llvm::lenientConversion);
  codes.resize(target - codes.data());
  return codes;
}

static llvm::Expected<Tensor> parseStrings(const Header &header, StringRef bytes) {
  size_t stringBytes = header.codePoints * sizeof(llvm::UTF32);
  if (header.fortranOrder && header.shape.size() > 1)
    return llvm::createStringError("strings in Fortran order are not supported");
  if (bytes.size() / stringBytes < header.elementCount())
    return malformedNpy("expected " + llvm::Twine(header.elementCount()) + " strings of " + llvm::Twine(stringBytes) +
                        " bytes");
  Tensor tensor("", CAMEO_STRING, header.shape);
  for (int64_t index = 0, count = tensor.elementCount(); index < count; ++index) {
    std::vector<llvm::UTF32> codes(header.codePoints);
    for (size_t i = 0; i < codes.size(); ++i) {
      const char *at = bytes.data() + index * stringBytes + i * sizeof(llvm::UTF32);
      codes[i] = header.bigEndian ? llvm::support::endian::read32be(at) : llvm::support::endian::read32le(at);
    }
    llvm::Expected<std::string> string = decodeString(codes, index);
    if (!string)
      return string.takeError();
    tensor.setString(index, *string);
  }
  return tensor;
}

static size_t longestString(const Tensor &tensor) {
  size_t longest = 1; // minimum of NumPy
  for (int64_t index = 0, count = tensor.elementCount(); index < count; ++index)
    longest = std::max(longest, encodeString(tensor.stringAt(index)).size());
  return longest;
}

static void appendStrings(const Tensor &tensor, std::string &bytes) {
  size_t longest = longestString(tensor);
  for (int64_t index = 0, count = tensor.elementCount(); index < count; ++index) {
    std::vector<llvm::UTF32> codes = encodeString(tensor.stringAt(index));
    codes.resize(longest);
    bytes.append(reinterpret_cast<const char *>(codes.data()), longest * sizeof(llvm::UTF32));
  }
}

llvm::Expected<Tensor> cameo::parseNpy(StringRef bytes) {
  if (!bytes.consume_front(magic) || bytes.size() < 4)
    return malformedNpy("expected the magic bytes of NumPy");
  unsigned major = static_cast<unsigned char>(bytes[0]);
  size_t lengthBytes = major == 1 ? 2 : 4;
  bytes = bytes.drop_front(2);
  if (major < 1 || major > 3 || bytes.size() < lengthBytes)
    return malformedNpy("expected format version 1 to 3");
  size_t length =
      major == 1 ? llvm::support::endian::read16le(bytes.data()) : llvm::support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthBytes);
  if (bytes.size() < length)
    return malformedNpy("the header is truncated");
  llvm::Expected<Header> header = parseHeader(bytes.take_front(length));
  if (!header)
    return header.takeError();
  bytes = bytes.drop_front(length);
  if (header->type == CAMEO_STRING)
    return parseStrings(*header, bytes);

  size_t elementBytes = cameo_element_bytes(header->type);
  size_t expected = header->elementCount() * elementBytes;
  if (bytes.size() < expected)
    return malformedNpy("expected " + llvm::Twine(expected) + " bytes of elements, got " + llvm::Twine(bytes.size()));
  Tensor tensor("", header->type, header->shape);
  if (header->fortranOrder)
    copyFromFortranOrder(bytes.data(), tensor, elementBytes);
  else
    std::memcpy(tensor.data(), bytes.data(), tensor.sizeBytes());
  if (header->bigEndian)
    for (int64_t i = 0, count = tensor.elementCount(); i < count; ++i)
      std::reverse(tensor.data() + i * elementBytes, tensor.data() + (i + 1) * elementBytes);
  return tensor;
}

static std::string npyHeader(const Tensor &tensor) {
  cameo_element_type type = tensor.type == CAMEO_BFLOAT16 ? CAMEO_FLOAT32 : tensor.type;
  // NumPy has no narrow types, so their bytes are written.
  if (type > CAMEO_BFLOAT16)
    type = CAMEO_UINT8;
  auto *known = llvm::find_if(descriptors, [&](const Descriptor &each) { return each.type == type; });
  std::string descriptor = tensor.isString() ? "U" + std::to_string(longestString(tensor)) : known->dtype;
  bool hasOrder = tensor.isString() || descriptor[1] != '1';
  std::string shape;
  for (int64_t size : tensor.shape)
    shape += std::to_string(size) + ", ";
  if (tensor.shape.size() > 1)
    shape.resize(shape.size() - 2);
  else if (tensor.shape.size() == 1)
    shape.pop_back();
  std::string dictionary = std::string("{'descr': '") + (hasOrder ? "<" : "|") + descriptor +
                           "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The elements must begin at a multiple of 64 bytes, and the header must end with a newline.
  size_t prefix = magic.size() + 4;
  dictionary.append(63 - (prefix + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header = (magic + StringRef("\x01\x00", 2)).str();
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::string cameo::encodeNpy(const Tensor &tensor) {
  std::string bytes = npyHeader(tensor);
  if (tensor.isString()) {
    appendStrings(tensor, bytes);
    return bytes;
  }
  if (tensor.type != CAMEO_BFLOAT16)
    return bytes.append(tensor.data(), tensor.sizeBytes());
  for (uint16_t bits : tensor.elements<uint16_t>()) {
    float value = bfloatToFloat(bits);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  return bytes;
}

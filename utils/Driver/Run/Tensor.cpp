#include "utils/Driver/Run/Tensor.h"

#include "cameo/runtime.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

#include <cassert>
#include <cstring>
#include <new>
#include <sys/sysinfo.h>

using namespace cameo;

static uint64_t product(llvm::ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<uint64_t>(size);
  return count;
}

Tensor::Tensor(std::string name, cameo_element_type type, llvm::ArrayRef<int64_t> shape)
    : name(std::move(name)), type(type), shape(shape.begin(), shape.end()) {
  assert(isAllocatable(type, shape) && "check shapes that come from outside first");
  // At least one byte, so that an empty tensor has a valid pointer.
  size_t bytes = std::max<size_t>(sizeBytes(), 1);
  storage.reset(static_cast<char *>(::operator new[](bytes, std::align_val_t(CAMEO_ALIGNMENT))));
  std::memset(storage.get(), 0, bytes);
  if (isString())
    llvm::fill(elements<const char *>(), "");
}

void Tensor::setString(int64_t index, llvm::StringRef string) {
  strings.push_back(std::make_unique<std::string>(string));
  elements<const char *>()[index] = strings.back()->c_str();
}

void Tensor::keepStrings() {
  if (!isString())
    return;
  std::vector<std::unique_ptr<std::string>> old = std::move(strings);
  strings.clear();
  for (int64_t index = 0, count = elementCount(); index < count; ++index)
    setString(index, stringAt(index));
}

int64_t Tensor::elementCount() const { return static_cast<int64_t>(product(shape)); }

size_t Tensor::sizeBytes() const { return product(shape) * cameo_element_bytes(type); }

static bool takesLess(cameo_element_type type, llvm::ArrayRef<int64_t> shape, uint64_t limit) {
  cameo_tensor_description description = {"", shape.data(), 0, static_cast<int32_t>(shape.size()), type};
  uint64_t bytes = 0;
  return llvm::all_of(shape, [](int64_t size) { return size >= 0; }) &&
         cameo_tensor_bytes(nullptr, &description, nullptr, &bytes) == CAMEO_OK && bytes < limit;
}

constexpr uint64_t addressRange = uint64_t(1) << 46;

bool cameo::isAllocatable(cameo_element_type type, llvm::ArrayRef<int64_t> shape) {
  return takesLess(type, shape, addressRange);
}

bool cameo::fitsMemory(cameo_element_type type, llvm::ArrayRef<int64_t> shape) {
  struct sysinfo info;
  uint64_t memory = sysinfo(&info) == 0 ? (uint64_t(info.totalram) + info.totalswap) * info.mem_unit : addressRange;
  return takesLess(type, shape, std::min(memory, addressRange));
}

/// Returns the format of a float with fewer than 16 bits; null for other types.
static const llvm::fltSemantics *narrowSemantics(cameo_element_type type) {
  switch (type) {
  case CAMEO_FLOAT8E4M3FN:
    return &llvm::APFloat::Float8E4M3FN();
  case CAMEO_FLOAT8E4M3FNUZ:
    return &llvm::APFloat::Float8E4M3FNUZ();
  case CAMEO_FLOAT8E5M2:
    return &llvm::APFloat::Float8E5M2();
  case CAMEO_FLOAT8E5M2FNUZ:
    return &llvm::APFloat::Float8E5M2FNUZ();
  case CAMEO_FLOAT8E8M0:
    return &llvm::APFloat::Float8E8M0FNU();
  case CAMEO_FLOAT4E2M1:
    return &llvm::APFloat::Float4E2M1FN();
  default:
    return nullptr;
  }
}

unsigned cameo::storedBits(cameo_element_type type) {
  switch (type) {
  case CAMEO_FLOAT4E2M1:
  case CAMEO_UINT4:
  case CAMEO_INT4:
    return 4;
  case CAMEO_UINT2:
  case CAMEO_INT2:
    return 2;
  default:
    return 8 * cameo_element_bytes(type);
  }
}

double Tensor::valueAt(int64_t index) const {
  if (const llvm::fltSemantics *semantics = narrowSemantics(type))
    return llvm::APFloat(*semantics, llvm::APInt(storedBits(type), elements<uint8_t>()[index], false, true))
        .convertToDouble();
  switch (type) {
  case CAMEO_UINT4:
  case CAMEO_UINT2:
    return elements<uint8_t>()[index] & ((1 << storedBits(type)) - 1);
  case CAMEO_INT4:
  case CAMEO_INT2:
    return static_cast<double>(llvm::APInt(storedBits(type), elements<uint8_t>()[index], false, true).getSExtValue());
  case CAMEO_FLOAT32:
    return elements<float>()[index];
  case CAMEO_FLOAT64:
    return elements<double>()[index];
  case CAMEO_FLOAT16:
    return halfToFloat(elements<uint16_t>()[index]);
  case CAMEO_BFLOAT16:
    return bfloatToFloat(elements<uint16_t>()[index]);
  case CAMEO_INT8:
    return elements<int8_t>()[index];
  case CAMEO_BOOL:
  case CAMEO_UINT8:
    return elements<uint8_t>()[index];
  case CAMEO_INT16:
    return elements<int16_t>()[index];
  case CAMEO_UINT16:
    return elements<uint16_t>()[index];
  case CAMEO_INT32:
    return elements<int32_t>()[index];
  case CAMEO_UINT32:
    return elements<uint32_t>()[index];
  case CAMEO_INT64:
    return static_cast<double>(elements<int64_t>()[index]);
  case CAMEO_UINT64:
    return static_cast<double>(elements<uint64_t>()[index]);
  default:
    break;
  }
  llvm_unreachable("a tensor has one of the element types");
}

bool cameo::isFloat(cameo_element_type type) {
  return type == CAMEO_FLOAT32 || type == CAMEO_FLOAT64 || type == CAMEO_FLOAT16 || type == CAMEO_BFLOAT16;
}

llvm::StringRef cameo::elementTypeName(int32_t type) {
  static const char *const names[] = {
      nullptr, "float32", "uint8",      "int8",         "uint16",         "int16",      "int32",
      "int64", "string",  "bool",       "float16",      "float64",        "uint32",     "uint64",
      nullptr, nullptr,   "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4", "int4",    "float4e2m1", "float8e8m0",   "uint2",          "int2"};
  if (type < 0 || type >= static_cast<int32_t>(std::size(names)) || !names[type])
    return "unknown";
  return names[type];
}

std::string cameo::shapeText(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

float cameo::halfToFloat(uint16_t bits) {
  return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits)).convertToFloat();
}

uint16_t cameo::floatToHalf(float value) {
  llvm::APFloat number(value);
  bool losesInfo = false;
  number.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

float cameo::bfloatToFloat(uint16_t bits) { return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t cameo::floatToBfloat(float value) {
  llvm::APFloat number(value);
  bool losesInfo = false;
  number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

#include "frontend/Import/Model/TensorData.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/TensorLimits.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

#include <google/protobuf/unknown_field_set.h>
#include <onnx/onnx_pb.h>

#include <cstring>

using namespace mlir;
using namespace cameo;

namespace {

// Numbers of the data fields of TensorProto.
enum DataField { kFloats = 4, kInt32s = 5, kInt64s = 7, kRaw = 9, kDoubles = 10, kUint64s = 11 };

/// The range of a file that holds the data of a tensor.
struct DataPlace {
  std::shared_ptr<DataFile> holder; // keeps `file` open when it is not the model's
  DataFile *file = nullptr;         // null: the data is in the message
  uint64_t offset = 0, sizeBytes = 0;
  int field = kRaw;

  /// Whether the payload has the bytes of raw data: packed floats do, packed integers are varints.
  bool isRaw() const { return field == kRaw || field == kFloats || field == kDoubles; }
};

/// Returns the bits of an element in ONNX's storage. Only types below a byte are packed.
int64_t getStoredBits(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return elementType.isInteger(1) ? 8 : elementType.getIntOrFloatBitWidth();
}

uint64_t getStoredBytes(RankedTensorType type) {
  return llvm::divideCeil(uint64_t(type.getNumElements()) * getStoredBits(type.getElementType()), 8);
}

DataField getTypedField(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    elementType = complex.getElementType();
  if (elementType.isF32())
    return kFloats;
  if (elementType.isF64())
    return kDoubles;
  if (elementType.isSignlessInteger(64))
    return kInt64s;
  return elementType.isUnsignedInteger(32) || elementType.isUnsignedInteger(64) ? kUint64s : kInt32s;
}

InFlightDiagnostic emitTensorError(const ::onnx::TensorProto &tensor, Location loc) {
  InFlightDiagnostic diagnostic = emitError(loc);
  if (tensor.name().empty())
    return diagnostic << "tensor: ", std::move(diagnostic);
  return diagnostic << "tensor '" << tensor.name() << "': ", std::move(diagnostic);
}

LogicalResult failTensor(const ::onnx::TensorProto &tensor, Location loc, llvm::Error error) {
  return emitTensorError(tensor, loc) << llvm::toString(std::move(error));
}

LogicalResult expectSize(const ::onnx::TensorProto &tensor, RankedTensorType type, uint64_t sizeBytes, Location loc) {
  if (sizeBytes == getStoredBytes(type))
    return success();
  return emitTensorError(tensor, loc) << "expected " << getStoredBytes(type) << " bytes of data for " << type
                                      << ", got " << sizeBytes;
}

FailureOr<DataPlace> findExternalData(const ::onnx::TensorProto &tensor, RankedTensorType type, ModelFile &file,
                                      Location loc) {
  DataPlace place;
  StringRef location;
  std::optional<uint64_t> length;
  for (const ::onnx::StringStringEntryProto &entry : tensor.external_data()) {
    uint64_t number = 0;
    if (entry.key() == "location") {
      location = entry.value();
    } else if (entry.key() == "offset" || entry.key() == "length") {
      if (StringRef(entry.value()).getAsInteger(10, number))
        return emitTensorError(tensor, loc)
               << "expected a number as '" << entry.key() << "' of external data, got '" << entry.value() << "'";
      if (entry.key() == "offset")
        place.offset = number;
      else
        length = number;
    }
  }
  llvm::Expected<std::shared_ptr<DataFile>> external = file.getExternalFiles().open(location);
  if (!external)
    return emitTensorError(tensor, loc) << "external data '" << location
                                        << "': " << llvm::toString(external.takeError());
  place.holder = *external;
  place.file = external->get();
  place.sizeBytes = length.value_or(getStoredBytes(type));
  uint64_t available = place.file->getSizeBytes();
  if (place.offset > available || place.sizeBytes > available - place.offset)
    return emitTensorError(tensor, loc) << "external data '" << location << "': expected " << place.sizeBytes
                                        << " bytes at offset " << place.offset << ", got a file of " << available
                                        << " bytes";
  return place;
}

/// Returns the number, from 1, of the weight range that SplitWeights stored in the tensor; 0 if there is none.
uint64_t getWeightNumber(const ::onnx::TensorProto &tensor) {
  const google::protobuf::UnknownFieldSet &fields = tensor.unknown_fields();
  for (int i = 0, e = fields.field_count(); i < e; ++i)
    if (fields.field(i).number() == kWeightField)
      return fields.field(i).varint();
  return 0;
}

bool hasInlineData(const ::onnx::TensorProto &tensor) {
  return tensor.has_raw_data() || tensor.float_data_size() || tensor.int32_data_size() || tensor.int64_data_size() ||
         tensor.double_data_size() || tensor.uint64_data_size();
}

FailureOr<DataPlace> findData(const ::onnx::TensorProto &tensor, RankedTensorType type, ModelFile &file, Location loc) {
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL)
    return findExternalData(tensor, type, file, loc);
  DataPlace place;
  if (uint64_t number = getWeightNumber(tensor)) {
    const WeightRange &range = file.getWeights()[number - 1];
    place.file = &file.getFile();
    place.offset = range.offset;
    place.sizeBytes = range.sizeBytes;
    place.field = range.field;
    if (hasInlineData(tensor))
      return emitTensorError(tensor, loc) << "expected data in one field, got several";
    if (place.field != kRaw && place.field != getTypedField(type.getElementType()))
      return emitTensorError(tensor, loc) << "expected data of " << type << ", got data in the field of another type";
  }
  return place;
}

template <typename Range> void appendNumbers(std::vector<char> &bytes, const Range &values, int64_t size) {
  for (auto value : values) {
    char buffer[sizeof(value)];
    std::memcpy(buffer, &value, sizeof(value));
    bytes.insert(bytes.end(), buffer, buffer + size);
  }
}

/// Returns the bytes of one entry in the typed field of the element type.
int64_t getEntryBytes(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    elementType = complex.getElementType();
  return llvm::divideCeil(getStoredBits(elementType), 8);
}

std::vector<char> readTypedFields(const ::onnx::TensorProto &tensor, Type elementType) {
  std::vector<char> bytes;
  int64_t size = getEntryBytes(elementType);
  switch (getTypedField(elementType)) {
  case kFloats:
    appendNumbers(bytes, tensor.float_data(), size);
    break;
  case kDoubles:
    appendNumbers(bytes, tensor.double_data(), size);
    break;
  case kInt64s:
    appendNumbers(bytes, tensor.int64_data(), size);
    break;
  case kUint64s:
    appendNumbers(bytes, tensor.uint64_data(), size);
    break;
  default:
    appendNumbers(bytes, tensor.int32_data(), size);
  }
  return bytes;
}

/// Decodes packed varints. Stops at an invalid one; the caller then sees a wrong size.
std::vector<char> decodeVarints(ArrayRef<char> encoded, int64_t size) {
  std::vector<char> bytes;
  const auto *at = reinterpret_cast<const uint8_t *>(encoded.begin());
  const auto *end = reinterpret_cast<const uint8_t *>(encoded.end());
  while (at != end) {
    unsigned length = 0;
    const char *error = nullptr;
    uint64_t value = llvm::decodeULEB128(at, &length, end, &error);
    if (error)
      break;
    at += length;
    appendNumbers(bytes, ArrayRef(value), size);
  }
  return bytes;
}

HeldBytes hold(std::vector<char> bytes) {
  auto owner = std::make_shared<const std::vector<char>>(std::move(bytes));
  return {ArrayRef(*owner), owner};
}

/// Returns the bytes in ONNX's storage, without a check of their size.
FailureOr<HeldBytes> readStored(const ::onnx::TensorProto &tensor, const DataPlace &place, RankedTensorType type,
                                Location loc) {
  Type elementType = type.getElementType();
  if (!place.file) {
    if (tensor.has_raw_data())
      return hold(std::vector<char>(tensor.raw_data().begin(), tensor.raw_data().end()));
    return hold(readTypedFields(tensor, elementType));
  }
  // Raw data in a protobuf message may be unaligned, so it is copied.
  llvm::Expected<HeldBytes> held = place.holder
                                       ? place.file->map(place.offset, place.sizeBytes, getEntryBytes(elementType))
                                       : place.file->read(place.offset, place.sizeBytes);
  if (!held)
    return failTensor(tensor, loc, held.takeError());
  return place.isRaw() ? *held : hold(decodeVarints(held->bytes, getEntryBytes(elementType)));
}

/// Unpacks elements below a byte to one byte each, from the lowest bits on.
HeldBytes unpackElements(ArrayRef<char> packed, int64_t bits, int64_t count) {
  std::vector<char> bytes(count);
  int64_t perByte = 8 / bits;
  for (int64_t i = 0; i < count; ++i)
    bytes[i] = static_cast<char>((uint8_t(packed[i / perByte]) >> (i % perByte * bits)) & ((1 << bits) - 1));
  return hold(std::move(bytes));
}

} // namespace

FailureOr<RankedTensorType> cameo::getTensorType(const ::onnx::TensorProto &tensor, Location loc) {
  Type elementType = cameo::onnx::getElementTypeOf(loc.getContext(), tensor.data_type());
  if (!elementType)
    return emitTensorError(tensor, loc) << "expected an element type of ONNX, got number " << tensor.data_type();
  if (tensor.dims_size() > cameo::onnx::kMaxRank)
    return emitTensorError(tensor, loc) << "expected at most " << cameo::onnx::kMaxRank << " dimensions, got "
                                        << tensor.dims_size();
  int64_t count = 1;
  for (int64_t size : tensor.dims()) {
    if (size < 0)
      return emitTensorError(tensor, loc) << "expected dimensions of at least 0, got " << size;
    if (size != 0 && (llvm::MulOverflow(count, size, count) || count > cameo::onnx::kMaxElements))
      return emitTensorError(tensor, loc) << "expected at most 2^48 elements, got a dimension of " << size;
  }
  if (tensor.has_segment())
    return emitTensorError(tensor, loc) << "expected a whole tensor, got a segment of one";
  return RankedTensorType::get(SmallVector<int64_t>(tensor.dims().begin(), tensor.dims().end()), elementType);
}

FailureOr<HeldBytes> cameo::readTensorData(const ::onnx::TensorProto &tensor, RankedTensorType type, ModelFile &file,
                                           Location loc) {
  FailureOr<DataPlace> place = findData(tensor, type, file, loc);
  if (failed(place) || (place->file && place->isRaw() && failed(expectSize(tensor, type, place->sizeBytes, loc))))
    return failure();
  FailureOr<HeldBytes> stored = readStored(tensor, *place, type, loc);
  if (failed(stored) || failed(expectSize(tensor, type, stored->bytes.size(), loc)))
    return failure();
  Type elementType = type.getElementType();
  if (int64_t bits = getStoredBits(elementType); bits < 8)
    return unpackElements(stored->bytes, bits, type.getNumElements());
  if (elementType.isInteger(1) && llvm::any_of(stored->bytes, [](char byte) { return byte & ~1; })) {
    std::vector<char> bytes(stored->bytes.begin(), stored->bytes.end());
    for (char &byte : bytes)
      byte = byte != 0;
    return hold(std::move(bytes));
  }
  return stored;
}

FailureOr<ElementsAttr> cameo::importTensor(const ::onnx::TensorProto &tensor, ModelFile &file, Location loc,
                                            bool loadWeights) {
  FailureOr<RankedTensorType> type = getTensorType(tensor, loc);
  if (failed(type))
    return failure();
  if (isa<cameo::onnx::StringType>(type->getElementType())) {
    if (tensor.string_data_size() != type->getNumElements())
      return emitTensorError(tensor, loc)
             << "expected " << type->getNumElements() << " strings, got " << tensor.string_data_size();
    SmallVector<StringRef> strings(tensor.string_data().begin(), tensor.string_data().end());
    if (llvm::any_of(strings, [](StringRef string) { return string.contains('\0'); }))
      return emitTensorError(tensor, loc) << "expected strings without zero bytes, which terminate a string";
    return cast<ElementsAttr>(DenseElementsAttr::get(*type, strings));
  }
  StringRef name = tensor.name().empty() ? StringRef("constant") : StringRef(tensor.name());
  // Rules about sizes read small tensors, such as the parts of a Split.
  if (!loadWeights && getStoredBytes(*type) > kMaxInlineBytes && !cameo::onnx::isSmall(*type)) {
    FailureOr<DataPlace> place = findData(tensor, *type, file, loc);
    if (failed(place) || (place->file && place->isRaw() && failed(expectSize(tensor, *type, place->sizeBytes, loc))))
      return failure();
    if (place->file) {
      auto &manager = DenseResourceElementsHandle::getManagerInterface(loc.getContext());
      return cast<ElementsAttr>(DenseResourceElementsAttr::get(*type, manager.insert(name)));
    }
  }
  FailureOr<HeldBytes> data = readTensorData(tensor, *type, file, loc);
  if (failed(data))
    return failure();
  return cameo::onnx::makeConstantAttr(*type, data->bytes, data->owner, name);
}
